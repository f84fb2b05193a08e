//! A game in words, for whoever reads its page without script: who plays, how it stands or ended, its moves.

use super::Frame;
use lozenge_wire::{Color, Game, Player, PlayerKind, Reason, Status};

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
        let position = match game.history.last() {
            Some(entry) => {
                self.texts.with("game-after", "move", numbered(game, game.history.len() - 1, &entry.san))
            }
            None => self.t("start-position"),
        };
        format!("{}: {position}", game.variant_name)
    }

    /// The moves as a text: `1. e4 e5 2. Nf3`.
    pub(super) fn moves_of(&self, game: &Game) -> String {
        let told = |(index, entry): (usize, &lozenge_wire::HistoryEntry)| {
            let begins = index == 0 || number(game, index).1 == Color::White;
            if begins { numbered(game, index, &entry.san) } else { entry.san.clone() }
        };
        game.history.iter().enumerate().map(told).collect::<Vec<_>>().join(" ")
    }
}

/// The number of a half move and whose it is, by the position that the game began with.
fn number(game: &Game, index: usize) -> (usize, Color) {
    let fields: Vec<&str> = game.start_fen.split(' ').collect();
    let first = fields.last().and_then(|number| number.parse().ok()).unwrap_or(1);
    let half = index + usize::from(fields.get(1) == Some(&"b"));
    (first + half / 2, if half.is_multiple_of(2) { Color::White } else { Color::Black })
}

/// A half move with its number: `3. Nf3`, `3… Nf6`.
fn numbered(game: &Game, index: usize, san: &str) -> String {
    match number(game, index) {
        (number, Color::White) => format!("{number}. {san}"),
        (number, Color::Black) => format!("{number}… {san}"),
    }
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
