//! Which pieces fuse into which, and which come apart again.

use crate::piece::{Role, RoleSet};

/// Two kinds of pieces and the compound they form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fusion {
    /// The two simple pieces.
    pub parts: [Role; 2],
    /// The compound.
    pub into: Role,
}

/// The fusions of a game by role; empty tables where nothing fuses.
#[derive(Debug)]
pub(crate) struct Fusions {
    /// By role and role: the compound of the two.
    into: Box<[Option<Role>]>,
    /// By role: the roles it fuses with.
    partners: Box<[RoleSet]>,
    /// By role: the two parts of the compound.
    parts: Box<[Option<[Role; 2]>]>,
}

impl Fusions {
    pub(crate) fn new(fusions: &[Fusion], roles: usize) -> Self {
        let count = if fusions.is_empty() { 0 } else { roles };
        let mut into = vec![None; count * count];
        let mut partners = vec![RoleSet::EMPTY; count];
        let mut parts = vec![None; count];
        for fusion in fusions {
            let [one, other] = fusion.parts;
            for (a, b) in [(one, other), (other, one)] {
                into[a.index() * count + b.index()] = Some(fusion.into);
                partners[a.index()].insert(b);
            }
            parts[fusion.into.index()] = Some(fusion.parts);
        }
        Self { into: into.into(), partners: partners.into(), parts: parts.into() }
    }

    /// Whether nothing fuses.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The roles that a piece fuses with.
    #[inline]
    pub(crate) fn partners(&self, role: Role) -> RoleSet {
        self.partners.get(role.index()).copied().unwrap_or(RoleSet::EMPTY)
    }

    /// The compound of two pieces.
    #[inline]
    pub(crate) fn together(&self, one: Role, other: Role) -> Option<Role> {
        self.into.get(one.index() * self.parts.len() + other.index()).copied().flatten()
    }

    /// The two parts of a compound.
    #[inline]
    pub(crate) fn parts(&self, role: Role) -> Option<[Role; 2]> {
        self.parts.get(role.index()).copied().flatten()
    }

    /// The part that stays when the other part leaves a compound.
    #[inline]
    pub(crate) fn rest(&self, role: Role, leaver: Role) -> Option<Role> {
        let [one, other] = self.parts(role)?;
        if one == leaver { Some(other) } else { (other == leaver).then_some(one) }
    }
}
