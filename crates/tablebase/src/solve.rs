//! Solves a class: first every position by its moves that leave the class, then, one half move more at a time, the
//! positions before those just decided.
//!
//! The way back only finds the positions to examine again: a piece may have come from any square from which it can go where it
//! stands. Their values come from the legal moves, so pawns that move by zone, joined edges, castling and goals need no rules
//! of their own here. `verify` checks every position once more.
//!
//! It is fast because the first pass plays only captures and promotions, moves within the class are not played at all (the
//! placement gives the number after them), and the passes back visit marked numbers only, 64 at a time.

use crate::file::FileError;
use crate::index::{Index, Placement};
use crate::value::{ABSENT, MAX_DISTANCE, Value};
use core::ops::Range;
use core::sync::atomic::{AtomicU16, AtomicU64, AtomicUsize, Ordering::Relaxed};
use lozenge_rules::geometry::{Square, SquareSet};
use lozenge_rules::position::{
    ByColor, Color, Move, MoveKind, Piece, PlacedPiece, Position, Role, RoleSet, Sink,
};
use lozenge_rules::variant::{Rules, Stalemate, Variant};
use std::sync::OnceLock;

/// Numbers that a thread takes at a time.
const CHUNK: usize = 1 << 14;

/// Marks of 64 numbers.
const WORD: usize = 64;

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
    /// Decided positions whose origins are still to be marked.
    pending: Vec<AtomicU64>,
    /// Positions to look at again: some move may win, or all moves may lose.
    may_win: Vec<AtomicU64>,
    may_lose: Vec<AtomicU64>,
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
        let words = index.len().div_ceil(WORD);
        let marks = || core::iter::repeat_with(|| AtomicU64::new(0)).take(words).collect();
        Self {
            rules,
            index,
            children,
            stalemate: stalemate(variant),
            origins,
            castlings,
            threads: threads.max(1),
            codes: core::iter::repeat_with(|| AtomicU16::new(0)).take(index.len()).collect(),
            pending: marks(),
            may_win: marks(),
            may_lose: marks(),
            failed: OnceLock::new(),
        }
    }

    /// By number, the code of the position's value, or [`ABSENT`]. `progress` gets the half moves done; the work stops when it
    /// returns false.
    pub(crate) fn solve(mut self, progress: &mut dyn FnMut(u16) -> bool) -> Result<Vec<u16>, Unsolved> {
        each_chunk(self.threads, self.index.len(), CHUNK, |numbers| {
            self.index.walk(numbers, |number, placement, turn| self.begin(number, placement, turn));
        });
        self.check()?;
        let mut distance = 0;
        // Without a pending position nothing follows: the rest is drawn.
        while self.pending.iter().any(|marks| marks.load(Relaxed) != 0) {
            if !progress(distance) {
                return Err(Unsolved::Stopped);
            }
            if distance >= MAX_DISTANCE {
                return Err(Unsolved::TooLong);
            }
            self.each_word(|word| self.mark_origins_of_word(word, distance));
            self.each_word(|word| self.look_again_at_word(word, distance));
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

    /// Calls `work` with every word of marks, on all threads.
    fn each_word(&self, work: impl Fn(usize) + Sync) {
        each_chunk(self.threads, self.pending.len(), CHUNK / WORD, |words| words.for_each(&work));
    }

    /// Sets the value of a position, whose origins are marked when its distance comes.
    fn decide(&self, number: usize, value: Value) {
        self.codes[number].store(value.code(), Relaxed);
        self.pending[number / WORD].fetch_or(1 << (number % WORD), Relaxed);
    }

    /// The value of a position by the moves that leave the class; moves that stay count as draws.
    fn begin(&self, number: usize, placement: &Placement, turn: Color) {
        let is_least = self.index.is_least(number, placement, turn);
        let position = is_least.then(|| self.index.placed(placement));
        let position = position.and_then(|pieces| Position::from_pieces(self.rules, &pieces, turn));
        let Some(position) = position else {
            self.codes[number].store(ABSENT, Relaxed);
            return;
        };
        let value = self.value_by_leaving(&position);
        if value != Value::Draw {
            self.decide(number, value);
        }
    }

    fn value_by_leaving(&self, position: &Position<N>) -> Value {
        if position.is_won_by_goal(self.rules) {
            return Value::Loss(0);
        }
        let mut leaving: Vec<Move> = Vec::new();
        position.generate_noisy(self.rules, &mut leaving);
        if leaving.is_empty() {
            return match position.has_no_move(self.rules) {
                true if position.is_check(self.rules) => Value::Loss(0),
                true => self.stalemate,
                false => Value::Draw,
            };
        }
        let best = self.best_leaving(position, &leaving);
        let loses = matches!(best, Value::Loss(_));
        let may_stay = || position.count_moves(self.rules) > leaving.len() as u64;
        if loses && may_stay() { Value::Draw } else { best }
    }

    /// The value of the best of these moves, which leave the class.
    fn best_leaving(&self, position: &Position<N>, moves: &[Move]) -> Value {
        let values = moves.iter().map(|&played| {
            let value = self.children.value(&position.play(self.rules, played)).map_err(Unsolved::Child);
            let value = value.and_then(|value| value.ok_or(Unsolved::Missing));
            let value = value.map_err(|fault| self.failed.get_or_init(|| fault));
            value.map_or(Value::Draw, Value::before_move)
        });
        values.max_by_key(|value| value.rank()).unwrap_or(Value::Draw)
    }

    /// Marks the positions from which those of this distance can be reached.
    fn mark_origins_of_word(&self, word: usize, distance: u16) {
        let pending = self.pending[word].load(Relaxed);
        let value = |number: usize| Value::of_code(self.codes[number].load(Relaxed));
        let is_due = |&number: &usize| value(number).distance() == Some(distance);
        let mut done = 0;
        for number in marked(word, pending).filter(is_due) {
            done |= 1 << (number % WORD);
            self.mark_origins(number, value(number), distance);
        }
        self.pending[word].store(pending & !done, Relaxed);
    }

    fn mark_origins(&self, number: usize, value: Value, distance: u16) {
        let marks = if matches!(value, Value::Win(_)) { &self.may_lose } else { &self.may_win };
        let mark = |placement: &Placement, turn: Color| {
            let origin = self.index.number(placement, turn);
            let known = self.codes[origin].load(Relaxed);
            if known == 0 || Value::of_code(known).distance().is_some_and(|known| known > distance) {
                marks[origin / WORD].fetch_or(1 << (origin % WORD), Relaxed);
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

    /// Values the marked positions, now that all distances up to this one are decided.
    fn look_again_at_word(&self, word: usize, decided: u16) {
        let wins = self.may_win[word].swap(0, Relaxed);
        let loses = self.may_lose[word].swap(0, Relaxed);
        for number in marked(word, wins | loses) {
            let is_in = |marks: u64| marks >> (number % WORD) & 1 != 0;
            self.look_again(number, decided, is_in(wins), is_in(loses));
        }
    }

    fn look_again(&self, number: usize, decided: u16, may_win: bool, may_lose: bool) {
        let known = self.codes[number].load(Relaxed);
        // A position with some way to win cannot be lost.
        let may_lose = may_lose && known == 0;
        if known == ABSENT || !(may_win || may_lose) {
            return;
        }
        let (placement, turn) = self.index.at(number);
        let pieces = self.index.placed(&placement);
        let Some(position) = Position::from_pieces(self.rules, &pieces, turn) else { return };
        let mut moves = Judge {
            solver: self,
            position: &position,
            placement: &placement,
            pieces: &pieces,
            decided,
            wins: may_win.then_some(false),
            loss: may_lose.then_some(0),
            leaving: Vec::new(),
        };
        position.generate(self.rules, &mut moves);
        let Judge { wins, loss, leaving, .. } = moves;
        if wins == Some(true) {
            self.decide(number, Value::Win(decided + 1));
        } else if let Some(loss) = loss {
            let by_leaving = (!leaving.is_empty()).then(|| self.best_leaving(&position, &leaving));
            match by_leaving {
                None => self.decide(number, Value::Loss(loss)),
                Some(Value::Loss(slowest)) => self.decide(number, Value::Loss(loss.max(slowest))),
                Some(Value::Draw | Value::Win(_)) => {}
            }
        }
    }
}

/// Takes the legal moves of a position that is looked at again. Those that stay in the class count where they lead to positions
/// decided by now.
struct Judge<'a, const N: usize, C> {
    solver: &'a Solver<'a, N, C>,
    position: &'a Position<N>,
    placement: &'a Placement,
    pieces: &'a [PlacedPiece],
    decided: u16,
    /// Whether some move wins; `None` if that need not be known.
    wins: Option<bool>,
    /// The slowest loss of the moves that stay; `None` if one of them does not lose.
    loss: Option<u16>,
    /// Moves that leave the class, as far as they are needed.
    leaving: Vec<Move>,
}

impl<const N: usize, C: Children> Judge<'_, N, C> {
    /// Whether another move makes a difference.
    fn is_open(&self) -> bool {
        self.wins != Some(true) && (self.wins.is_some() || self.loss.is_some())
    }

    /// Takes a move that stays in the class.
    fn stay(&mut self, after: Option<&Placement>) {
        let turn = self.position.turn().opponent();
        let value = after.map_or(Value::Draw, |after| {
            Value::of_code(self.solver.codes[self.solver.index.number(after, turn)].load(Relaxed))
        });
        match value {
            Value::Loss(distance) if distance <= self.decided => {
                (self.wins, self.loss) = (self.wins.map(|_| true), None);
            }
            Value::Win(distance) if distance <= self.decided => {
                self.loss = self.loss.map(|loss| loss.max(distance + 1));
            }
            Value::Win(_) | Value::Loss(_) | Value::Draw => self.loss = None,
        }
    }

    fn leave(&mut self, played: Move) {
        if self.loss.is_some() {
            self.leaving.push(played);
        }
    }
}

impl<const N: usize, C: Children> Sink<N> for Judge<'_, N, C> {
    fn targets(&mut self, from: Square, targets: SquareSet<N>) {
        if !self.is_open() {
            return;
        }
        let enemy = self.position.pieces(self.position.turn().opponent());
        (targets & enemy).into_iter().for_each(|to| self.leave(Move::plain(from, to)));
        let Some(which) = self.pieces.iter().position(|placed| placed.square == from) else { return };
        let mut after = *self.placement;
        for to in targets.without(enemy) {
            let place = self.solver.index.arrival(which, to);
            after[which] = place.unwrap_or_default();
            self.stay(place.map(|_| &after));
            if !self.is_open() {
                return;
            }
        }
    }

    fn promotions(&mut self, from: Square, to: Square, choices: RoleSet) {
        let promotion = |role: Role| Move { from, to, kind: MoveKind::Promotion(role) };
        choices.iter().for_each(|role| self.leave(promotion(role)));
    }

    fn special(&mut self, special: Move) {
        if leaves(self.position, special) {
            self.leave(special);
        } else if self.is_open() {
            let after = self.position.play(self.solver.rules, special);
            self.stay(self.solver.index.placement(after.placed_pieces()).as_ref());
        }
    }
}

/// Calls `work` with every number below `len`, on `threads` threads.
pub(crate) fn each(threads: usize, len: usize, work: impl Fn(usize) + Sync) {
    each_chunk(threads, len, CHUNK, |numbers| numbers.for_each(&work));
}

/// Calls `work` with ranges of at most `chunk` numbers below `len`, on `threads` threads.
fn each_chunk(threads: usize, len: usize, chunk: usize, work: impl Fn(Range<usize>) + Sync) {
    let next = AtomicUsize::new(0);
    let take = || {
        loop {
            let start = next.fetch_add(chunk, Relaxed);
            if start >= len {
                return;
            }
            work(start..len.min(start + chunk));
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

/// The marked numbers of a word.
fn marked(word: usize, mut marks: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let bit = (marks != 0).then(|| marks.trailing_zeros() as usize)?;
        marks &= marks - 1;
        Some(word * WORD + bit)
    })
}

/// Whether a move leads to another class.
fn leaves<const N: usize>(position: &Position<N>, played: Move) -> bool {
    let changes_pieces = played.is_promotion() || played.is_fusion() || played.leaver().is_some();
    changes_pieces || position.is_capture(played)
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
