//! Features of the evaluation: each has a weight for the middle game and one for
//! the end game. The evaluation is the sum of counts times weights, so a tuner can fit the weights
//! from the counts alone. Which features there are depends only on how many roles a game has and
//! on how many classes of squares its symmetries leave.

use super::taper::Taper;

/// Having the move.
pub(super) const TEMPO: usize = 0;
/// Two pieces, each bound to one half of the board, on different halves.
pub(super) const PAIR: usize = 1;
/// Pawns that another own pawn defends.
pub(super) const SUPPORTED: usize = 2;
/// Steps by which the own King is nearer to where a passed pawn is promoted.
pub(super) const ESCORT: usize = 3;
/// A passed pawn that the enemy King alone cannot catch, when it has no officers left.
pub(super) const RUNNER: usize = 4;
/// Steps of a hunted King from the middle.
pub(super) const DRIVE: usize = 5;
/// Steps by which the hunting King is nearer than it could be.
pub(super) const APPROACH: usize = 6;
/// Own pawns, then own officers, next to the King.
pub(super) const SHELTER: usize = 7;
/// Attacks on squares around the enemy King, by number of attackers.
pub(super) const HITS: usize = 9;
/// Attacked squares around the enemy King that only it defends, by number of attackers.
pub(super) const WEAK: usize = HITS + ATTACKERS;
/// Passed pawns by distance.
pub(super) const PASSED: usize = WEAK + ATTACKERS;
/// Passed pawns whose way is empty and not attacked, by distance.
pub(super) const FREE: usize = PASSED + DISTANCES;
/// Passed pawns with a piece on their way, by distance.
pub(super) const BLOCKED: usize = FREE + DISTANCES;
/// The King by its distance to its goal, in games where it has one.
pub(super) const RACE: usize = BLOCKED + DISTANCES;
/// The same for a King with a safe way there, when few pieces are left.
pub(super) const OPEN_RACE: usize = RACE + RACE_STEPS;
/// Pieces attacked by a pawn, by their tier.
pub(super) const BY_PAWN: usize = OPEN_RACE + RACE_STEPS;
/// Pieces attacked by an officer of a lower tier, by their tier.
pub(super) const BY_CHEAPER: usize = BY_PAWN + TIERS;
/// Pieces attacked and not defended, by their tier.
pub(super) const HANGING: usize = BY_CHEAPER + TIERS;
/// How many features every game has.
const FIXED: usize = HANGING + TIERS;

/// Attackers of a King, counted up to one less.
pub(super) const ATTACKERS: usize = 6;
/// Distances of passed pawns, from 1; the last stands for all farther ones.
pub(super) const DISTANCES: usize = 8;
/// Distances of a King to its goal, from 0; the last stands for all farther ones.
pub(super) const RACE_STEPS: usize = 10;
/// Tiers of pieces by value: pawns, then officers in three tiers.
pub(super) const TIERS: usize = 4;

/// A part of the evaluation as it is explained to people.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Term {
    /// The pieces themselves.
    Material,
    /// Placement on the board.
    Placement,
    /// How many squares officers reach.
    Mobility,
    /// Attacks on the King and its shelter.
    KingSafety,
    /// Pawns: passed, supported, running.
    Pawns,
    /// The King's way to its goal.
    Race,
    /// Attacked and hanging pieces.
    Threats,
    /// Pieces bound to one half of the board that complete each other.
    Pair,
    /// Driving a King to the edge in a won ending.
    Mating,
    /// Having the move.
    Tempo,
}

impl Term {
    /// All terms, in the order in which they are explained.
    pub const ALL: [Self; 10] = [
        Self::Material,
        Self::Placement,
        Self::Mobility,
        Self::KingSafety,
        Self::Pawns,
        Self::Race,
        Self::Threats,
        Self::Pair,
        Self::Mating,
        Self::Tempo,
    ];

    /// Its name, for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material => "Material",
            Self::Placement => "Placement",
            Self::Mobility => "Mobility",
            Self::KingSafety => "King safety",
            Self::Pawns => "Pawns",
            Self::Race => "Race to the goal",
            Self::Threats => "Threats",
            Self::Pair => "Pair",
            Self::Mating => "Mating",
            Self::Tempo => "Tempo",
        }
    }
}

/// Groups of features that every game has: name, first feature, how many, term.
const FIXED_GROUPS: [(&str, usize, usize, Term); 18] = [
    ("tempo", TEMPO, 1, Term::Tempo),
    ("pair", PAIR, 1, Term::Pair),
    ("supported", SUPPORTED, 1, Term::Pawns),
    ("escort", ESCORT, 1, Term::Pawns),
    ("runner", RUNNER, 1, Term::Pawns),
    ("drive", DRIVE, 1, Term::Mating),
    ("approach", APPROACH, 1, Term::Mating),
    ("shelter", SHELTER, 2, Term::KingSafety),
    ("hits", HITS, ATTACKERS, Term::KingSafety),
    ("weak", WEAK, ATTACKERS, Term::KingSafety),
    ("passed", PASSED, DISTANCES, Term::Pawns),
    ("free", FREE, DISTANCES, Term::Pawns),
    ("held", BLOCKED, DISTANCES, Term::Pawns),
    ("race", RACE, RACE_STEPS, Term::Race),
    ("open-race", OPEN_RACE, RACE_STEPS, Term::Race),
    ("by-pawn", BY_PAWN, TIERS, Term::Threats),
    ("by-cheaper", BY_CHEAPER, TIERS, Term::Threats),
    ("hanging", HANGING, TIERS, Term::Threats),
];

/// Some features that belong together, under one name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeightGroup {
    /// Its name, for example `mobility N`.
    pub name: String,
    /// The first of its features.
    pub first: usize,
    /// How many they are.
    pub len: usize,
    /// The term that explains them.
    pub term: Term,
}

/// Which features a game has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    pub(super) roles: usize,
    /// Classes of squares that are alike for the pieces of one side.
    pub(super) classes: usize,
}

impl Layout {
    pub(super) const fn material(self, role: usize) -> usize {
        FIXED + role
    }

    pub(super) const fn mobility(self, role: usize) -> usize {
        FIXED + self.roles + role
    }

    pub(super) const fn cramped(self, role: usize) -> usize {
        FIXED + 2 * self.roles + role
    }

    pub(super) const fn square(self, role: usize, class: usize) -> usize {
        FIXED + 3 * self.roles + role * self.classes + class
    }

    pub(super) const fn len(self) -> usize {
        self.square(self.roles, 0)
    }

    /// All groups; `letters` are those of the roles.
    pub(super) fn groups(self, letters: &[char]) -> Vec<WeightGroup> {
        let fixed = FIXED_GROUPS.iter().map(|&(name, first, len, term)| WeightGroup {
            name: name.into(),
            first,
            len,
            term,
        });
        let mut groups: Vec<WeightGroup> = fixed.collect();
        for (role, letter) in letters.iter().enumerate() {
            for (name, first, len, term) in [
                ("material", self.material(role), 1, Term::Material),
                ("mobility", self.mobility(role), 1, Term::Mobility),
                ("cramped", self.cramped(role), 1, Term::Mobility),
                ("square", self.square(role, 0), self.classes, Term::Placement),
            ] {
                groups.push(WeightGroup { name: format!("{name} {letter}"), first, len, term });
            }
        }
        groups.sort_by_key(|group| group.first);
        groups
    }
}

/// Weights of the features of [`FIXED_GROUPS`] in an untuned game. `arrival_gain` is the gain of a pawn from its best
/// promotion, in centipawns.
pub(super) fn default_weights(layout: Layout, arrival_gain: i32) -> Vec<Taper> {
    let mut weights = vec![Taper::ZERO; layout.len()];
    let cp = Taper::centipawns;
    weights[TEMPO] = cp(14, 8);
    weights[PAIR] = cp(20, 35);
    weights[SUPPORTED] = cp(4, 4);
    weights[ESCORT] = cp(0, 4);
    weights[RUNNER] = cp(0, arrival_gain / 3);
    weights[DRIVE] = cp(0, 12);
    weights[APPROACH] = cp(0, 6);
    weights[SHELTER] = cp(9, 0);
    weights[SHELTER + 1] = cp(5, 0);
    for attackers in 2..ATTACKERS {
        weights[HITS + attackers] = cp(3, 1) * (attackers as i32 - 1).min(4);
        weights[WEAK + attackers] = cp(5, 1) * (attackers as i32 - 1).min(3);
    }
    let passed = [(30, 100), (20, 60), (12, 35), (6, 20), (3, 12), (1, 7), (0, 4), (0, 2)];
    for (distance, (middle, end)) in passed.into_iter().enumerate() {
        let scaled = |weight: i32| weight * arrival_gain.clamp(100, 1_200) / 800;
        weights[PASSED + distance] = cp(scaled(middle), scaled(end));
        weights[FREE + distance] = cp(scaled(middle) / 2, scaled(end) * 2 / 3);
        weights[BLOCKED + distance] = -cp(scaled(middle) / 3, scaled(end) / 3);
    }
    for steps in 0..RACE_STEPS {
        let near = (RACE_STEPS - 1 - steps) as i32;
        weights[RACE + steps] = cp(0, near * near / 2);
        weights[OPEN_RACE + steps] = cp(0, near * near * 3);
    }
    for tier in 1..TIERS {
        weights[BY_PAWN + tier] = cp(25 + 12 * tier as i32, 20 + 8 * tier as i32);
        weights[BY_CHEAPER + tier] = cp(8 + 6 * tier as i32, 8 + 4 * tier as i32);
    }
    for tier in 0..TIERS {
        weights[HANGING + tier] = cp(6 + 6 * tier as i32, 6 + 6 * tier as i32);
    }
    // Those with an attack on them lose.
    for weight in &mut weights[BY_PAWN..FIXED] {
        *weight = -*weight;
    }
    weights
}
