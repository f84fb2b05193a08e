//! The state of a game before events, to roll back to if they cannot be written down.

use super::clock::ClockState;
use super::event::GameEvent;
use super::intentions::{Intentions, Requests};
use super::machine::{GameMachine, PlayedPly};
use lozenge_rules::position::MultiTurn;
use lozenge_wire::{ByPlayer, GameResult, Offers, Player, Reason};

/// The state before events, to roll back to.
#[derive(Debug)]
pub struct Snapshot {
    /// Those of before, if the events change them: a move does not.
    seats: Option<Vec<Option<Player>>>,
    clock: Option<ClockState>,
    offers: Offers,
    requests: ByPlayer<Requests, 2>,
    intentions: Intentions,
    ended: Option<(GameResult, Reason)>,
    next: Option<String>,
    seq: u64,
    updated_at: i64,
    plies: usize,
    /// Half moves that are going to be taken back.
    undone: Vec<(MultiTurn, PlayedPly)>,
}

impl Snapshot {
    /// Events before these.
    pub fn seq(&self) -> u64 {
        self.seq
    }
}

impl GameMachine {
    /// How everything is now, to go back to if these events cannot be written down.
    pub fn snapshot(&self, events: &[GameEvent]) -> Snapshot {
        let taken_back = |event: &GameEvent| {
            if let GameEvent::TakenBack { plies, .. } = event { *plies as usize } else { 0 }
        };
        let kept = self.played.len().saturating_sub(events.iter().map(taken_back).sum());
        let undone = self.record.0.turns_from(kept).into_iter().zip(self.played[kept..].iter().cloned());
        Snapshot {
            seats: events.iter().any(GameEvent::changes_seats).then(|| self.seats.clone()),
            clock: self.clock,
            offers: self.offers,
            requests: self.requests,
            intentions: self.intentions,
            ended: self.ended,
            next: self.next.clone(),
            seq: self.seq,
            updated_at: self.updated_at,
            plies: kept,
            undone: undone.collect(),
        }
    }

    /// Goes back: nothing of the events since has happened.
    pub fn rollback(&mut self, snapshot: Snapshot) {
        while self.played.len() > snapshot.plies && self.record.undo().is_some() {
            self.played.pop();
        }
        for (turn, as_played) in snapshot.undone {
            self.record.0.play_unchecked(turn);
            self.played.push(as_played);
        }
        self.refresh_legal_moves();
        let Snapshot { seats, clock, offers, requests, intentions, ended, next, seq, updated_at, .. } =
            snapshot;
        if let Some(seats) = seats {
            self.seats = seats;
        }
        (self.clock, self.offers, self.ended) = (clock, offers, ended);
        (self.requests, self.intentions) = (requests, intentions);
        (self.next, self.seq, self.updated_at) = (next, seq, updated_at);
    }
}
