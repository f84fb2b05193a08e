//! A position of four players: its legal moves, what follows a move, who is mated or passes, its status, the places.

use std::collections::BTreeSet;

use super::armies::Castling;
use super::{Board, FourRules, Piece, Seat};
use crate::board::{Offset, Square};
use crate::movement::{DIAGONAL, ORTHOGONAL, oblique};

/// A resolved position: the mover has a legal move, or the game is over.
#[derive(Clone, Debug)]
pub struct FourWalker {
    pub(super) rules: FourRules,
    pub(super) board: Board,
    pub(super) mover: Seat,
    /// The castlings that are still allowed: players and letters.
    pub(super) rights: Vec<(Seat, char)>,
    /// The double steps that can still be answered en passant, at most one of each player.
    pub(super) offers: Vec<Offer>,
    /// Half moves since the last capture, pawn move or going out.
    pub(super) halfmove_clock: u32,
    /// Grows when the turn reaches or crosses Red's seat.
    pub(super) move_number: u32,
    /// The players who have gone out, in that order.
    pub(super) out: Vec<Seat>,
    /// Whether the mover has no legal move, is not in check, and cannot pass.
    pub(super) stalemate: bool,
}

/// A pawn that has made a double step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offer {
    pub(super) seat: Seat,
    pub(super) crossed: Square,
    pub(super) pawn: Square,
}

/// A move of a piece, and what it becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Move {
    from: Square,
    to: Square,
    promotion: Option<char>,
    /// From where to where a rook goes with the King.
    rook: Option<(Square, Square)>,
}

impl Move {
    fn text(self) -> String {
        let letter = self.promotion.map(|letter| letter.to_ascii_lowercase().to_string());
        format!("{}{}{}", self.from.name(), self.to.name(), letter.unwrap_or_default())
    }
}

impl FourWalker {
    /// The game.
    #[must_use]
    pub fn rules(&self) -> FourRules {
        self.rules
    }

    /// The legal moves in long algebraic form, sorted. There are none in a decided game or a stalemate.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.legal().into_iter().map(Move::text).collect();
        texts.sort();
        texts
    }

    /// The resolved position after a legal move in long algebraic form. `R` is the mover's resignation and `T` the
    /// mover's running out of time. Of a time-out against bare kings in teams the game knows; the position does not.
    #[must_use]
    pub fn play(&self, text: &str) -> Option<FourWalker> {
        if text == "R" || text == "T" {
            return self.without_mover();
        }
        self.legal().into_iter().find(|mv| mv.text() == text).map(|mv| self.after(mv))
    }

    /// How many sequences of `depth` legal moves there are.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.legal();
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.into_iter().map(|mv| self.after(mv).perft(depth - 1)).sum()
    }

    /// Whether the mover's king is attacked.
    #[must_use]
    pub fn in_check(&self) -> bool {
        !self.is_decided() && self.is_attacked(self.mover)
    }

    /// One of `decided`, `stalemate`, `dead`, `check`, `ongoing`: the first that holds, in this order.
    #[must_use]
    pub fn status(&self) -> &'static str {
        if self.is_decided() {
            "decided"
        } else if self.stalemate {
            "stalemate"
        } else if self.kings_are_bare(self.rules.seats()) {
            "dead"
        } else if self.in_check() {
            "check"
        } else {
            "ongoing"
        }
    }

    /// The places from Red to Green, 0 for an empty seat, if the game is finished by its position and everyone plays alone.
    #[must_use]
    pub fn places(&self) -> Option<[u32; 4]> {
        let is_finished = ["decided", "stalemate", "dead"].contains(&self.status());
        (is_finished && self.rules != FourRules::Teams).then(|| self.ranked())
    }

    /// The places that the players have if the game ends now: the living by what they have left on the board, equals
    /// sharing a place; then the others, the last who went out first.
    pub(super) fn ranked(&self) -> [u32; 4] {
        Seat::ALL.map(|seat| match self.out.iter().position(|other| *other == seat) {
            _ if !self.rules.seats().contains(&seat) => 0,
            Some(before) => (self.rules.seats().len() - before) as u32,
            None => {
                let own = self.material(seat);
                let ahead = self.living().into_iter().filter(|other| self.material(*other) > own);
                1 + ahead.count() as u32
            }
        })
    }

    /// The material of a player on the board: pawns 1, other pieces 3, the king nothing.
    fn material(&self, seat: Seat) -> u32 {
        let own = self.board.pieces().into_iter().filter(|(_, piece)| piece.owner == Some(seat));
        own.map(|(_, piece)| match piece.letter {
            'K' => 0,
            'P' => 1,
            _ => 3,
        })
        .sum()
    }

    /// The living players in the order of the seats.
    pub(super) fn living(&self) -> Vec<Seat> {
        self.rules.seats().iter().copied().filter(|seat| self.is_living(*seat)).collect()
    }

    pub(super) fn is_living(&self, seat: Seat) -> bool {
        self.rules.seats().contains(&seat) && !self.out.contains(&seat)
    }

    /// Whether one player or one team is left. In teams the first who goes out decides.
    pub(super) fn is_decided(&self) -> bool {
        match self.rules {
            FourRules::Teams => !self.out.is_empty(),
            _ => self.living().len() == 1,
        }
    }

    /// Whether these players have nothing but kings.
    pub(super) fn kings_are_bare(&self, seats: &[Seat]) -> bool {
        let mut own = self
            .board
            .pieces()
            .into_iter()
            .filter(|(_, piece)| piece.owner.is_some_and(|owner| seats.contains(&owner)));
        own.all(|(_, piece)| piece.letter == 'K')
    }

    fn legal(&self) -> BTreeSet<Move> {
        if self.is_decided() { BTreeSet::new() } else { self.legal_of(self.mover) }
    }

    /// The legal moves that a player would have on the turn. A move may not leave one's own king attacked; this is
    /// tested before any player goes out.
    fn legal_of(&self, seat: Seat) -> BTreeSet<Move> {
        let mut moves = BTreeSet::new();
        for (from, piece) in self.board.pieces() {
            if piece.owner != Some(seat) {
                continue;
            }
            for to in self.destinations(from, piece.letter, seat) {
                let promotes = piece.letter == 'P' && self.rules.promotes(seat, to);
                let letters: Vec<Option<char>> =
                    if promotes { self.rules.promotions().chars().map(Some).collect() } else { vec![None] };
                moves.extend(letters.into_iter().map(|promotion| Move { from, to, promotion, rook: None }));
            }
        }
        let castlings = self.rules.castlings().iter().filter(|castling| castling.seat == seat);
        moves.extend(castlings.filter_map(|castling| self.castle(castling)));
        moves.retain(|mv| {
            let mut next = self.clone();
            next.carry_out(*mv);
            !next.is_attacked(seat)
        });
        moves
    }

    /// Where a piece of a living player may go if its king did not matter: to empty squares, and onto dead pieces and
    /// hostile pieces other than kings.
    fn destinations(&self, from: Square, letter: char, seat: Seat) -> Vec<Square> {
        let is_empty = |to: &Square| self.board.get(*to).is_none();
        let is_victim = |to: &Square| {
            self.board.get(*to).is_some_and(|piece| match piece.owner {
                None => true,
                Some(owner) => self.rules.are_hostile(seat, owner) && piece.letter != 'K',
            })
        };
        if letter == 'P' {
            if self.rules.army().is_none() {
                let steps = self.rules.pawn_steps(seat, from).into_iter().filter(is_empty);
                let captures = self.rules.pawn_capture(seat, from).into_iter().filter(is_victim);
                return steps.chain(captures).collect();
            }
            let step = self.rules.orthodox_step(seat, from).filter(is_empty);
            let double = self.rules.double_step(seat, from);
            let double = double.filter(|(crossed, to)| is_empty(crossed) && is_empty(to));
            let takes =
                |to: &Square| is_victim(to) || (is_empty(to) && !self.pawns_offered(seat, *to).is_empty());
            let captures = self.rules.orthodox_captures(seat, from).into_iter().filter(takes);
            return step.into_iter().chain(double.map(|(_, to)| to)).chain(captures).collect();
        }
        let reached = self.reached(from, letter, seat).into_iter();
        reached.filter(|to| is_empty(to) || is_victim(to)).collect()
    }

    /// The squares on which a piece would capture, whatever stands there.
    fn reached(&self, from: Square, letter: char, seat: Seat) -> Vec<Square> {
        let shape = self.board.shape;
        let leaps = |steps: &[Offset]| steps.iter().filter_map(|step| shape.step(from, *step)).collect();
        let twice = |steps: [Offset; 4]| steps.map(|(dx, dy)| (2 * dx, 2 * dy));
        match letter {
            'K' => leaps(&[ORTHOGONAL, DIAGONAL].concat()),
            'W' => leaps(&ORTHOGONAL),
            'E' => leaps(&twice(DIAGONAL)),
            'D' => leaps(&twice(ORTHOGONAL)),
            'N' => leaps(&oblique(2, 1)),
            'R' => self.slides(from, &ORTHOGONAL),
            'B' => self.slides(from, &DIAGONAL),
            'Q' => self.slides(from, &[ORTHOGONAL, DIAGONAL].concat()),
            'P' if self.rules.army().is_some() => self.rules.orthodox_captures(seat, from),
            'P' => self.rules.pawn_capture(seat, from).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// The squares along lines up to the first piece, that piece's square included.
    fn slides(&self, from: Square, steps: &[Offset]) -> Vec<Square> {
        let mut squares = Vec::new();
        for step in steps {
            let mut at = from;
            while let Some(next) = self.board.shape.step(at, *step) {
                squares.push(next);
                if self.board.get(next).is_some() {
                    break;
                }
                at = next;
            }
        }
        squares
    }

    /// Whether a living hostile player attacks the king of this one.
    pub(super) fn is_attacked(&self, seat: Seat) -> bool {
        let kings = self.board.kings(seat);
        self.board.pieces().into_iter().any(|(from, piece)| {
            piece.owner.is_some_and(|owner| {
                self.rules.are_hostile(seat, owner)
                    && self.reached(from, piece.letter, owner).iter().any(|to| kings.contains(to))
            })
        })
    }

    /// The pawns of hostile players that this player's pawn captures en passant on a square.
    fn pawns_offered(&self, seat: Seat, crossed: Square) -> Vec<Square> {
        let offered = |offer: &&Offer| offer.crossed == crossed && self.rules.are_hostile(seat, offer.seat);
        self.offers.iter().filter(offered).map(|offer| offer.pawn).collect()
    }

    /// A castling, if its right is left, nothing stands between King and rook, and the King is not attacked where it stands nor on
    /// the squares it crosses. That it is not attacked at its end is tested as for every move.
    fn castle(&self, castling: &Castling) -> Option<Move> {
        let Castling { seat, letter, king, rook } = *castling;
        let between = |from: Square, to: Square| {
            let step = ((to.file - from.file).signum(), (to.rank - from.rank).signum());
            let mut squares = Vec::new();
            let mut at = from;
            while let Some(next) = self.board.shape.step(at, step).filter(|next| *next != to) {
                squares.push(next);
                at = next;
            }
            squares
        };
        let is_free = between(king.0, rook.0).into_iter().all(|square| self.board.get(square).is_none());
        let is_safe = |square: Square| {
            let mut there = self.clone();
            let piece = there.board.get(king.0);
            there.board.set(king.0, None);
            there.board.set(square, piece);
            !there.is_attacked(seat)
        };
        let is_allowed = self.rights.contains(&(seat, letter)) && is_free;
        let crosses = between(king.0, king.1);
        (is_allowed && is_safe(king.0) && crosses.into_iter().all(is_safe)).then_some(Move {
            from: king.0,
            to: king.1,
            promotion: None,
            rook: Some(rook),
        })
    }

    /// Moves the piece on the board. Returns whether the halfmove clock restarts.
    fn carry_out(&mut self, mv: Move) -> bool {
        let Some(piece) = self.board.get(mv.from) else { return false };
        let restarts = piece.letter == 'P' || self.board.get(mv.to).is_some();
        let Some(seat) = piece.owner else { return false };
        if piece.letter == 'P' && self.rules.orthodox_captures(seat, mv.from).contains(&mv.to) {
            for pawn in self.pawns_offered(seat, mv.to) {
                self.board.set(pawn, None);
            }
        }
        if let Some((from, to)) = mv.rook {
            let rook = self.board.get(from);
            self.board.set(from, None);
            self.board.set(to, rook);
        }
        for castling in self.rules.castlings() {
            let homes = [castling.king.0, castling.rook.0];
            if homes.contains(&mv.from) || homes.contains(&mv.to) {
                self.rights.retain(|right| *right != (castling.seat, castling.letter));
            }
        }
        self.board.set(mv.from, None);
        self.board.set(mv.to, Some(Piece { letter: mv.promotion.unwrap_or(piece.letter), ..piece }));
        restarts
    }

    fn after(&self, mv: Move) -> FourWalker {
        let mut next = self.clone();
        let restarts = next.carry_out(mv);
        let pawn = self.board.get(mv.from).filter(|piece| piece.letter == 'P');
        let double = pawn.and_then(|_| self.rules.double_step(self.mover, mv.from));
        if let Some((crossed, pawn)) = double.filter(|(_, to)| *to == mv.to) {
            next.offers.push(Offer { seat: self.mover, crossed, pawn });
        }
        next.halfmove_clock = if restarts { 0 } else { self.halfmove_clock.saturating_add(1) };
        next.turn_moves_on();
        next.resolve();
        next
    }

    /// The position after the mover resigns or runs out of time.
    fn without_mover(&self) -> Option<FourWalker> {
        if self.is_decided() || self.stalemate {
            return None;
        }
        let mut next = self.clone();
        next.mover_goes_out();
        next.resolve();
        Some(next)
    }

    /// The turn goes to the next living player.
    fn turn_moves_on(&mut self) {
        loop {
            self.mover = self.mover.next();
            if self.mover == Seat::Red {
                self.move_number = self.move_number.saturating_add(1);
            }
            if self.is_living(self.mover) {
                // A double step can be answered until its player's next turn.
                let mover = self.mover;
                self.offers.retain(|offer| offer.seat != mover);
                break;
            }
        }
    }

    /// The mover's king leaves the board, the other pieces are dead, the clock restarts, and the turn moves on.
    fn mover_goes_out(&mut self) {
        for (square, piece) in self.board.pieces() {
            if piece.owner == Some(self.mover) {
                let dead = Piece { owner: None, ..piece };
                self.board.set(square, if piece.letter == 'K' { None } else { Some(dead) });
            }
        }
        let mover = self.mover;
        self.rights.retain(|right| right.0 != mover);
        self.out.push(self.mover);
        self.halfmove_clock = 0;
        self.turn_moves_on();
    }

    /// Takes off who is mated and lets pass who must, until the mover has a legal move or the game is over.
    pub(super) fn resolve(&mut self) {
        self.pass_and_take_off();
        let kept = self.offers.iter().filter(|offer| self.is_answerable(offer)).copied().collect();
        self.offers = kept;
    }

    /// Whether the pawn still stands there, and a hostile player whose turn comes before its own player's has a pawn that captures
    /// where it crossed.
    fn is_answerable(&self, offer: &Offer) -> bool {
        let mut seat = self.mover;
        let mut found = false;
        while seat != offer.seat {
            found |= self.is_living(seat)
                && self.rules.are_hostile(seat, offer.seat)
                && self.board.pieces().into_iter().any(|(from, piece)| {
                    piece == Piece { owner: Some(seat), letter: 'P' }
                        && self.rules.orthodox_captures(seat, from).contains(&offer.crossed)
                });
            seat = seat.next();
        }
        found && self.board.get(offer.pawn) == Some(Piece { owner: Some(offer.seat), letter: 'P' })
    }

    fn pass_and_take_off(&mut self) {
        self.stalemate = false;
        // Who has passed since the last move or going out, with the move number of that moment.
        let mut passed: Vec<(Seat, u32)> = Vec::new();
        while !self.is_decided() && self.legal().is_empty() {
            if self.is_attacked(self.mover) {
                self.mover_goes_out();
                passed.clear();
                continue;
            }
            if !self.may_pass() {
                self.stalemate = true;
                return;
            }
            passed.push((self.mover, self.move_number));
            self.turn_moves_on();
            if passed.len() == self.living().len() {
                (self.mover, self.move_number) = passed[0];
                self.stalemate = true;
                return;
            }
        }
    }

    /// Whether the turn passes from a mover who has no legal move and is not in check.
    fn may_pass(&self) -> bool {
        match self.rules {
            FourRules::Free | FourRules::Chess | FourRules::Three => self.living().len() >= 3,
            FourRules::Teams => {
                let partner = self.mover.opposite();
                self.is_attacked(partner) || !self.legal_of(partner).is_empty()
            }
        }
    }
}
