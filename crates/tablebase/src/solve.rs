//! Solves a class: first every position by its moves that leave the class, then, one half move more at a time, the
//! positions before those just decided.
//!
//! The way back only finds the positions to examine again: a piece may have come from any square from which it can go where it
//! stands. Their values come from the legal moves, so pawns that move by zone, joined edges, castling and goals need no rules
//! of their own here. `verify` checks every position once more.

use crate::file::FileError;
use crate::index::{Index, Placement};
use crate::value::{ABSENT, MAX_DISTANCE, Value};
use core::sync::atomic::{AtomicU16, AtomicU64, AtomicUsize, Ordering::Relaxed};
use lozenge_rules::geometry::{Square, SquareSet};
use lozenge_rules::position::{ByColor, Color, Move, MoveKind, Piece, Position};
use lozenge_rules::variant::{Rules, Stalemate, Variant};
use std::sync::OnceLock;

/// Numbers that a thread takes at a time.
const CHUNK: usize = 1 << 14;

/// The value of positions of other classes.
pub(crate) trait Children: Sync {
    /// The value of a position after a capture or promotion; `None` if its table is missing.
    fn value<const N: usize>(&self, position: &Position<N>) -> Result<Option<Value>, FileError>;
}

/// Why a class was not solved.
#[derive(Debug)]
pub(crate) enum Unsolved {
    /// It was stopped.
    Stopped,
    /// A win takes longer than [`MAX_DISTANCE`].
    TooLong,
    /// A table of a smaller class is missing.
    Missing,
    /// A table of a smaller class cannot be read.
    Child(FileError),
}

/// One class while it is solved.
pub(crate) struct Solver<'a, const N: usize, C> {
    rules: &'a Rules<N>,
    index: &'a Index,
    children: &'a C,
    stalemate: Value,
    /// By number in the class and square: from where the piece may have come.
    origins: Vec<Vec<Vec<Square>>>,
    /// Castlings that need no right: color, King and rook, from and to.
    castlings: Vec<Unconditional>,
    threads: usize,
    codes: Vec<AtomicU16>,
    /// Positions to look at again: some move may win, or all moves may lose.
    may_win: Vec<AtomicU64>,
    may_lose: Vec<AtomicU64>,
    longest: AtomicUsize,
    /// Why some position of another class had no value: it would count as a draw.
    failed: OnceLock<Unsolved>,
}

/// A castling that needs no right.
struct Unconditional {
    color: Color,
    king: (Square, Square),
    rook: (Square, Square),
    piece: Piece,
}

impl<'a, const N: usize, C: Children> Solver<'a, N, C> {
    pub(crate) fn new(
        variant: &Variant,
        rules: &'a Rules<N>,
        index: &'a Index,
        children: &'a C,
        threads: usize,
    ) -> Self {
        let origins = (index.pieces().iter())
            .map(|&piece| {
                let squares = || variant.shape().squares();
                let come = |to| squares().filter(|&from| rules.may_ever_reach(piece, from, to)).collect();
                squares().map(come).collect()
            })
            .collect();
        let castlings = (variant.castling_terms().into_iter().filter(|terms| !terms.unmoved))
            .map(|terms| Unconditional {
                color: terms.info.color,
                king: terms.info.king,
                rook: terms.info.rook,
                piece: terms.rook,
            })
            .collect();
        let words = index.len().div_ceil(64);
        Self {
            rules,
            index,
            children,
            stalemate: stalemate(variant),
            origins,
            castlings,
            threads: threads.max(1),
            codes: core::iter::repeat_with(|| AtomicU16::new(0)).take(index.len()).collect(),
            may_win: core::iter::repeat_with(|| AtomicU64::new(0)).take(words).collect(),
            may_lose: core::iter::repeat_with(|| AtomicU64::new(0)).take(words).collect(),
            longest: AtomicUsize::new(0),
            failed: OnceLock::new(),
        }
    }

    /// By number, the code of the position's value, or [`ABSENT`]. `progress` gets the half moves done and the longest distance
    /// seen; the work stops when it returns false.
    pub(crate) fn solve(mut self, progress: &mut dyn FnMut(u16) -> bool) -> Result<Vec<u16>, Unsolved> {
        self.each(|number| self.begin(number));
        self.check()?;
        // Without a decided position nothing follows: the class is drawn.
        let mut distance = 0;
        let any = self.codes.iter().any(|code| !matches!(code.load(Relaxed), 0 | ABSENT));
        while any && usize::from(distance) <= self.longest.load(Relaxed) {
            if !progress(distance) {
                return Err(Unsolved::Stopped);
            }
            if distance >= MAX_DISTANCE {
                return Err(Unsolved::TooLong);
            }
            self.each(|number| self.mark_origins(number, distance));
            self.each(|number| self.look_again(number, distance + 1));
            self.check()?;
            distance += 1;
        }
        let codes = core::mem::take(&mut self.codes);
        Ok(codes.into_iter().map(AtomicU16::into_inner).collect())
    }

    /// Fails if some position of another class had no value.
    fn check(&mut self) -> Result<(), Unsolved> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Calls `work` with every number, on all threads.
    fn each(&self, work: impl Fn(usize) + Sync) {
        each(self.threads, self.index.len(), work);
    }

    fn position(&self, placement: &Placement, turn: Color) -> Option<Position<N>> {
        Position::from_pieces(self.rules, &self.index.placed(placement), turn)
    }

    /// The value of a position by the moves that leave the class.
    fn begin(&self, number: usize) {
        let (placement, turn) = self.index.at(number);
        let position =
            self.position(&placement, turn).filter(|_| self.index.number(&placement, turn) == number);
        let Some(position) = position else {
            self.codes[number].store(ABSENT, Relaxed);
            return;
        };
        self.judge(number, &position, None);
    }

    /// Marks the positions from which a position of this distance can be reached.
    fn mark_origins(&self, number: usize, distance: u16) {
        let code = self.codes[number].load(Relaxed);
        if code == ABSENT || Value::of_code(code).distance() != Some(distance) {
            return;
        }
        let marks =
            if matches!(Value::of_code(code), Value::Win(_)) { &self.may_lose } else { &self.may_win };
        let mark = |placement: &Placement, turn: Color| {
            let origin = self.index.number(placement, turn);
            let known = self.codes[origin].load(Relaxed);
            if known == 0 || Value::of_code(known).distance().is_some_and(|known| known > distance) {
                marks[origin >> 6].fetch_or(1 << (origin & 63), Relaxed);
            }
        };
        let (placement, turn) = self.index.at(number);
        let mover = turn.opponent();
        let pieces = self.index.placed(&placement);
        let mut sides = ByColor::filled(SquareSet::<N>::EMPTY);
        for placed in &pieces {
            sides[placed.piece.color()].insert(placed.square);
        }
        let occupied = sides[turn] | sides[mover];
        for (which, placed) in pieces.iter().enumerate() {
            let arrived = placed.moved || !self.rules.initial_squares(placed.piece).contains(placed.square);
            if placed.piece.color() != mover || !arrived {
                continue;
            }
            let mut own = sides[mover];
            own.remove(placed.square);
            for &from in &self.origins[which][placed.square.index()] {
                let reaches = || self.rules.reach(placed.piece, from, own, sides[turn]);
                if occupied.contains(from) || !reaches().contains(placed.square) {
                    continue;
                }
                let mut origin = placement;
                for place in self.index.places_on(which, from) {
                    origin[which] = place;
                    mark(&origin, mover);
                }
            }
        }
        for castling in self.castlings.iter().filter(|castling| castling.color == mover) {
            let king = mover.index();
            if pieces[king].square != castling.king.1 {
                continue;
            }
            let rooks = (2..pieces.len()).filter(|&which| {
                pieces[which].piece == castling.piece && pieces[which].square == castling.rook.1
            });
            for rook in rooks {
                let mut origin = placement;
                for king_place in self.index.places_on(king, castling.king.0) {
                    for rook_place in self.index.places_on(rook, castling.rook.0) {
                        (origin[king], origin[rook]) = (king_place, rook_place);
                        mark(&origin, mover);
                    }
                }
            }
        }
    }

    /// Values a marked position, now that all distances below this one are decided.
    fn look_again(&self, number: usize, distance: u16) {
        let (word, bit) = (number >> 6, 1u64 << (number & 63));
        let wins = self.may_win[word].load(Relaxed) & bit != 0;
        let loses = self.may_lose[word].load(Relaxed) & bit != 0;
        if !wins && !loses {
            return;
        }
        self.may_win[word].fetch_and(!bit, Relaxed);
        self.may_lose[word].fetch_and(!bit, Relaxed);
        let known = self.codes[number].load(Relaxed);
        // A position with some way to win cannot be lost.
        if known == ABSENT || (!wins && known != 0) {
            return;
        }
        let (placement, turn) = self.index.at(number);
        let Some(position) = self.position(&placement, turn) else { return };
        self.judge(number, &position, Some(distance - 1));
    }

    /// Sets the value of a position if one of its legal moves wins or all lose. Those that stay in the class count where
    /// they lead to positions decided in at most `decided` half moves.
    fn judge(&self, number: usize, position: &Position<N>, decided: Option<u16>) {
        let value = judge(self.rules, position, self.stalemate, |played, after| {
            if leaves(position, played) {
                let value = self.children.value(after).map_err(Unsolved::Child);
                let value = value.and_then(|value| value.ok_or(Unsolved::Missing));
                return value.map_err(|fault| self.failed.get_or_init(|| fault)).ok();
            }
            let placement = decided.and_then(|_| self.index.placement(after.placed_pieces()))?;
            let code = self.codes[self.index.number(&placement, after.turn())].load(Relaxed);
            let value = Value::of_code(code);
            value.distance().filter(|distance| Some(*distance) <= decided).map(|_| value)
        });
        if value != Value::Draw {
            self.longest.fetch_max(usize::from(value.distance().unwrap_or(0)), Relaxed);
            self.codes[number].store(value.code(), Relaxed);
        }
    }
}

/// Calls `work` with every number below `len`, on `threads` threads.
pub(crate) fn each(threads: usize, len: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let take = || {
        loop {
            let start = next.fetch_add(CHUNK, Relaxed);
            if start >= len {
                return;
            }
            (start..len.min(start + CHUNK)).for_each(&work);
        }
    };
    if threads <= 1 {
        return take();
    }
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(take);
        }
    });
}

/// Whether a move leads to another class.
fn leaves<const N: usize>(position: &Position<N>, played: Move) -> bool {
    match played.kind {
        MoveKind::Plain => position.piece_at(played.to).is_some(),
        MoveKind::Castling(_) => false,
        MoveKind::Promotion(_) | MoveKind::EnPassant | MoveKind::Fuse | MoveKind::Split(_) => true,
    }
}

/// The value of stalemate for the side that cannot move.
pub(crate) fn stalemate(variant: &Variant) -> Value {
    match variant.draws().stalemate {
        Stalemate::Draw => Value::Draw,
        Stalemate::Loss => Value::Loss(0),
        Stalemate::Win => Value::Win(0),
    }
}

/// The value of a position by the values of the positions after its moves; moves without a value count as draws.
pub(crate) fn judge<const N: usize>(
    rules: &Rules<N>,
    position: &Position<N>,
    stalemate: Value,
    mut value: impl FnMut(Move, &Position<N>) -> Option<Value>,
) -> Value {
    if position.is_won_by_goal(rules) {
        return Value::Loss(0);
    }
    let moves = position.legal_moves(rules);
    if moves.is_empty() {
        return if position.is_check(rules) { Value::Loss(0) } else { stalemate };
    }
    let values = moves.into_iter().map(|played| {
        let after = position.play(rules, played);
        value(played, &after).map_or(Value::Draw, Value::before_move)
    });
    values.max_by_key(|value| value.rank()).unwrap_or(Value::Draw)
}
