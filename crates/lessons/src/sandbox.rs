//! Positions made for levels: pieces put on an empty board, validated as any position is.

use crate::random::Random;
use lozenge_rules::geometry::Square;
use lozenge_rules::position::{AnyPosition, ByColor, Cell, Color, Piece, Role, Setup};
use lozenge_rules::variant::{Reach, Variant};
use std::cell::{self, OnceCell};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A game, with what most levels ask of it.
pub(crate) struct Sandbox {
    pub(crate) variant: Arc<Variant>,
    empty: Setup,
    start: AnyPosition,
    /// All squares in order.
    pub(crate) squares: Vec<Square>,
    /// The kinds of pieces at the start, other than the King and pawns, the farthest-reaching first.
    pub(crate) officers: Vec<Role>,
    /// Where each piece reaches from each square of the empty board, found at the first question: for pieces that turn on
    /// their way this takes most of a course's time. By role, White's and Black's.
    reaches: Vec<ByColor<OnceCell<Vec<Reach>>>>,
    /// Positions that may still be made for the stage.
    work: cell::Cell<u32>,
}

impl Sandbox {
    pub(crate) fn new(variant: &Arc<Variant>) -> Self {
        let start = AnyPosition::start(variant);
        let mut empty = start.setup();
        for cell in &mut empty.cells {
            if matches!(cell, Cell::Piece(_)) {
                *cell = Cell::Empty;
            }
        }
        empty.turn = Color::White;
        empty.rights = 0;
        empty.en_passant = None;
        empty.en_passant_pawn = None;
        empty.moved.clear();
        empty.halfmove_clock = 0;
        empty.fullmove_number = 1;
        let squares: Vec<Square> = variant.shape().squares().collect();
        let mut sandbox = Self {
            variant: Arc::clone(variant),
            empty,
            start,
            squares,
            officers: Vec::new(),
            reaches: variant.roles().iter().map(|_| Default::default()).collect(),
            work: cell::Cell::new(0),
        };
        let roles = sandbox.start_roles();
        let officer = |role: &Role| {
            let info = sandbox.variant.roles().info(*role);
            !info.royal && !info.pawn
        };
        let mut officers: Vec<Role> = roles.into_iter().filter(officer).collect();
        officers.sort_by_cached_key(|&role| core::cmp::Reverse(sandbox.mobility(role)));
        sandbox.officers = officers;
        sandbox
    }

    /// Begins a stage, which may make at most `work` positions. The limit bounds the time for games with many kinds of
    /// pieces on large boards, and is the same on every machine.
    pub(crate) fn begin_stage(&self, work: u32) {
        self.work.set(work);
    }

    /// Pays for positions; `None` if the stage has no more work left.
    pub(crate) fn spend(&self, positions: usize) -> Option<()> {
        let left = self.work.get().checked_sub(u32::try_from(positions).ok()?)?;
        self.work.set(left);
        Some(())
    }

    /// The game's first start.
    pub(crate) fn start(&self) -> &AnyPosition {
        &self.start
    }

    pub(crate) fn king(&self) -> Option<Role> {
        self.variant.roles().royal()
    }

    /// The kinds of pieces that White has at the start.
    pub(crate) fn start_roles(&self) -> BTreeSet<Role> {
        let pieces = self.squares.iter().filter_map(|&square| self.start.piece_at(square));
        pieces.filter(|piece| piece.color() == Color::White).map(Piece::role).collect()
    }

    /// Where White's pieces of a kind stand at the start.
    pub(crate) fn start_squares(&self, piece: Piece) -> Vec<Square> {
        self.squares.iter().copied().filter(|&square| self.start.piece_at(square) == Some(piece)).collect()
    }

    /// Where a piece reaches from a square of the empty board.
    pub(crate) fn reach(&self, piece: Piece, from: Square) -> &Reach {
        let all = || self.squares.iter().map(|&from| self.variant.reach(piece, from)).collect();
        &self.reaches[piece.role().index()][piece.color()].get_or_init(all)[from.index()]
    }

    /// How far a piece reaches on the empty board, from all squares together.
    pub(crate) fn mobility(&self, role: Role) -> usize {
        let reaches = self.squares.iter().map(|&from| self.reach(white(role), from));
        reaches.map(|reach| reach.quiet.len() + reach.capture.len()).sum()
    }

    /// A position of these pieces; `None` if the game does not allow it.
    pub(crate) fn position(&self, pieces: &[(Square, Piece)], turn: Color) -> Option<AnyPosition> {
        self.spend(1)?;
        let mut setup = self.empty.clone();
        let shape = self.variant.shape();
        for &(square, piece) in pieces {
            let at = shape.coord(square);
            if setup.at(at) != Some(Cell::Empty) {
                return None;
            }
            setup.set(at, Cell::Piece(piece));
        }
        setup.turn = turn;
        AnyPosition::from_setup(&self.variant, &setup).ok()
    }

    /// [`again`], paid for.
    pub(crate) fn again(&self, after: &AnyPosition) -> Option<AnyPosition> {
        self.spend(1)?;
        again(after)
    }

    /// A piece of White among Kings that are out of its way, and other pieces as given.
    pub(crate) fn scene(&self, hero: (Square, Role), others: &[(Square, Piece)]) -> Option<AnyPosition> {
        let mut pieces = vec![(hero.0, white(hero.1))];
        pieces.extend_from_slice(others);
        if let Some(king) = self.king() {
            if hero.1 != king {
                let own = self.corner(white(king), hero, &pieces)?;
                pieces.push((own, white(king)));
            }
            let enemy = self.corner(black(king), hero, &pieces)?;
            pieces.push((enemy, black(king)));
        }
        self.position(&pieces, Color::White).filter(|position| !position.is_check())
    }

    /// A square for a King where the hero rarely attacks it: its own starting square if that is as good as any.
    fn corner(&self, king: Piece, hero: (Square, Role), others: &[(Square, Piece)]) -> Option<Square> {
        let starts = self.start_squares(king);
        let mut attackers = vec![0_u16; self.squares.len()];
        for &from in &self.squares {
            self.reach(white(hero.1), from).capture.iter().for_each(|to| attackers[to.index()] += 1);
        }
        let black = king.color() == Color::Black;
        let attacked_now = &self.reach(white(hero.1), hero.0).capture;
        let near = |square: Square| {
            let around = &self.reach(king, square).capture;
            around.contains(&hero.0)
                || others.iter().any(|&(at, piece)| piece.role() == king.role() && around.contains(&at))
        };
        let taken = |square: Square| square == hero.0 || others.iter().any(|&(at, _)| at == square);
        let free = self.squares.iter().copied().filter(|&square| !taken(square) && !near(square));
        free.filter(|square| !black || !attacked_now.contains(square))
            .min_by_key(|&square| (attackers[square.index()], !starts.contains(&square)))
    }

    /// Random pieces on random squares, one try.
    pub(crate) fn scatter(&self, random: &mut Random, pieces: &[Piece], turn: Color) -> Option<AnyPosition> {
        let mut placed: Vec<(Square, Piece)> = Vec::with_capacity(pieces.len());
        for &piece in pieces {
            let square = random.pick(&self.squares)?;
            if placed.iter().any(|&(at, _)| at == square) {
                return None;
            }
            placed.push((square, piece));
        }
        self.position(&placed, turn)
    }
}

/// The position after a move of White with White to move again; `None` if Black is in check or has lost.
pub(crate) fn again(after: &AnyPosition) -> Option<AnyPosition> {
    if after.status().is_win() {
        return None;
    }
    with_turn(after, Color::White)
}

/// The same position with a side to move; `None` if the game does not allow it.
pub(crate) fn with_turn(position: &AnyPosition, turn: Color) -> Option<AnyPosition> {
    let mut setup = position.setup();
    setup.turn = turn;
    setup.en_passant = None;
    setup.en_passant_pawn = None;
    AnyPosition::from_setup(position.variant(), &setup).ok()
}

/// White's piece of a kind.
pub(crate) fn white(role: Role) -> Piece {
    Piece::new(Color::White, role)
}

/// Black's piece of a kind.
pub(crate) fn black(role: Role) -> Piece {
    Piece::new(Color::Black, role)
}
