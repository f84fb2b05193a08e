//! A game in words, for whoever reads its page without script: who plays, how it stands or ended, its moves.

use super::Frame;
use lozenge_rules::notation::pgn::MoveNumber;
use lozenge_wire::{Color, Game, HistoryEntry, Player, PlayerKind, Reason, Status};
use std::iter;

impl Frame {
    /// The players, White first, with their ratings.
    pub(super) fn players(&self, game: &Game) -> Vec<(String, String)> {
        let one = |side: &str, player: &Option<Player>| (self.t(side), self.player(player.as_ref()));
        vec![one("white", &game.white), one("black", &game.black)]
    }

    fn player(&self, player: Option<&Player>) -> String {
        let Some(player) = player else { return self.t("open-place") };
        let name = match player.level {
            Some(level) if player.kind == PlayerKind::Engine => {
                self.texts.with("engine-level", "level", level)
            }
            _ => self.named(player),
        };
        player.rating.map_or(name.clone(), |rating| format!("{name} ({rating})"))
    }

    /// How the game ended, or who is to move.
    pub(super) fn standing(&self, game: &Game) -> String {
        let state = &game.state;
        match (state.status, state.turn) {
            (Status::Waiting, _) => self.t("game-waiting"),
            (Status::Started, Color::White) => self.t("white-to-move"),
            (Status::Started, Color::Black) => self.t("black-to-move"),
            (Status::Finished, _) => {
                let result = self.t(match state.result.as_str() {
                    "1-0" => "result-white",
                    "0-1" => "result-black",
                    "1/2-1/2" => "result-draw",
                    _ => "result-none",
                });
                match state.reason {
                    // German sets a comma before some of them.
                    Some(reason) => format!("{result} {}.", self.t(reason_key(reason))).replace(" ,", ","),
                    None => format!("{result}."),
                }
            }
        }
    }

    /// What is seen on the game's picture.
    pub(super) fn pictured(&self, game: &Game) -> String {
        let position = match numbers(game).zip(&game.history).last() {
            Some((number, entry)) => self.texts.with("game-after", "move", numbered(number, &entry.san)),
            None => self.t("start-position"),
        };
        format!("{}: {position}", game.variant_name)
    }

    /// The moves as a text: `1. e4 e5 2. Nf3`.
    pub(super) fn moves_of(&self, game: &Game) -> String {
        let told = |(index, (number, entry)): (usize, (MoveNumber, &HistoryEntry))| {
            let begins = index == 0 || !number.black;
            if begins { numbered(number, &entry.san) } else { entry.san.clone() }
        };
        numbers(game).zip(&game.history).enumerate().map(told).collect::<Vec<_>>().join(" ")
    }
}

/// The numbers of a game's half moves, by the position that it began with.
fn numbers(game: &Game) -> impl Iterator<Item = MoveNumber> {
    iter::successors(Some(MoveNumber::of_fen(&game.start_fen)), |number| Some(number.next()))
}

/// A half move with its number: `3. Nf3`, `3… Nf6`.
fn numbered(MoveNumber { number, black }: MoveNumber, san: &str) -> String {
    format!("{number}{} {san}", if black { "…" } else { "." })
}

const fn reason_key(reason: Reason) -> &'static str {
    match reason {
        Reason::Checkmate => "reason-checkmate",
        Reason::Goal => "reason-goal",
        Reason::Stalemate => "reason-stalemate",
        Reason::Dead => "reason-dead",
        Reason::Repetition => "reason-repetition",
        Reason::MoveCount => "reason-move-count",
        Reason::Resign => "reason-resign",
        Reason::Time => "reason-time",
        Reason::TimeDraw => "reason-time-draw",
        Reason::Agreement => "reason-agreement",
        Reason::Abandoned => "reason-abandoned",
        Reason::Aborted => "reason-aborted",
    }
}
