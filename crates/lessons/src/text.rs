//! The text of a level: one or two sentences with a message of `locales/`, and the moves of a piece in the words of
//! its rules.

use lozenge_explain::text::{Name, Text};
use lozenge_explain::{Catalog, Language, piece_moves};
use lozenge_rules::library::AnyGame;
use lozenge_rules::position::Role;
use lozenge_rules::seat::Seat;
use std::sync::LazyLock;

/// A way out of check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// The King goes away.
    Move,
    /// The piece that gives check is captured.
    Capture,
    /// A piece goes between.
    Block,
}

/// The task of a level, not yet in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sentence {
    /// How a piece moves, and that there are stars to collect.
    Piece {
        /// The kind of piece.
        role: Role,
    },
    /// More stars for the same piece.
    MoreStars {
        /// The kind of piece.
        role: Role,
    },
    /// That edges are joined.
    Edges {
        /// The kind of piece that goes across.
        role: Role,
    },
    /// That squares are missing.
    Gap {
        /// The kind of piece that cannot go across.
        role: Role,
    },
    /// That the board stands on its corner.
    Corners {
        /// The kind of piece that visits the corners.
        role: Role,
    },
    /// Pieces to capture.
    Capture {
        /// The kind of piece that captures.
        role: Role,
    },
    /// A piece that must not be lost.
    Keep {
        /// The kind of piece.
        role: Role,
    },
    /// A move that only a piece that has not moved has.
    FirstMove {
        /// The kind of piece.
        role: Role,
    },
    /// A move that a piece has on some squares only.
    Place {
        /// The kind of piece.
        role: Role,
    },
    /// A capture that a piece has on some squares only.
    PlaceCapture {
        /// The kind of piece.
        role: Role,
    },
    /// A capture across another piece.
    Hop {
        /// The kind of piece.
        role: Role,
    },
    /// An area that an enemy may not enter.
    Wall {
        /// The kind of piece that may not.
        role: Role,
    },
    /// A capture en passant.
    EnPassant {
        /// The kind of piece.
        role: Role,
    },
    /// A promotion.
    Promotion {
        /// The kind of piece.
        role: Role,
    },
    /// A promotion where the choice depends on the square.
    PromotionBySquare {
        /// The kind of piece.
        role: Role,
        /// The piece that it may become on only one of two squares.
        into: Role,
    },
    /// A castling.
    Castling,
    /// Two pieces that become one.
    Fusion {
        /// The two.
        parts: [Role; 2],
        /// The one.
        into: Role,
    },
    /// A check to give.
    GiveCheck,
    /// A check to get out of.
    Escape {
        /// How.
        way: Way,
    },
    /// Mate in one.
    Mate,
    /// A goal in one.
    Reach,
    /// A goal of the enemy to be stopped.
    Stop,
    /// A short game.
    Game {
        /// Moves of the learner.
        moves: u32,
    },
    /// A short game of three or four.
    GameOfMore {
        /// Moves of the learner.
        moves: u32,
    },
    /// The order of the turns, and how a game of three or four ends.
    Turns {
        /// The players, in that order.
        seats: Vec<Seat>,
        /// Whether teams play.
        teams: bool,
    },
    /// Dead pieces to capture.
    Dead {
        /// The kind of piece that captures.
        role: Role,
    },
    /// A dead piece that gives no check.
    Harmless {
        /// The kind of dead piece.
        role: Role,
    },
    /// A piece of the partner, which gives no check.
    Partner {
        /// Its kind.
        role: Role,
    },
    /// A check by a player whose turn is not next.
    CheckFrom {
        /// The player.
        seat: Seat,
    },
    /// Mate in one of the next player, while others are living.
    MateOut {
        /// Whether that decides the game.
        teams: bool,
    },
    /// Mate in one of the last enemy.
    Places,
    /// A mate on the second move.
    Trap {
        /// The kind of piece that mates.
        role: Role,
    },
    /// The same trap, set for the learner.
    StopTrap {
        /// The player who has set it.
        seat: Seat,
    },
}

const SOURCES: [&[&str]; 2] =
    [&[include_str!("../locales/en/lessons.ftl")], &[include_str!("../locales/de/lessons.ftl")]];

static MESSAGES: LazyLock<Catalog> = LazyLock::new(|| Catalog::new(SOURCES));

pub(crate) fn message(language: Language, key: &str, texts: &[(&str, &str)]) -> String {
    MESSAGES.message(language, key, texts)
}

impl Sentence {
    /// The sentence in a language.
    #[must_use]
    pub fn text(&self, game: &AnyGame, language: Language) -> String {
        let name = |role: Role| {
            let name = Name(game.roles().info(role).name.clone());
            language.text(game.id(), &Text::Piece(name))
        };
        let of_piece = |key: &str, role: Role| message(language, key, &[("piece", &name(role))]);
        match *self {
            Self::Piece { role } => {
                let moves = moves_of(game, role, language);
                let stars = message(language, "collect", &[]);
                format!("{}: {moves} {stars}", name(role))
            }
            Self::MoreStars { role } => of_piece("more-stars", role),
            Self::Edges { role } => of_piece("edges", role),
            // The moves of its piece are not known yet.
            Self::Gap { role } => format!("{} {}", of_piece("gap", role), moves_of(game, role, language)),
            Self::Corners { role } => {
                format!("{} {}", of_piece("corners", role), moves_of(game, role, language))
            }
            Self::Capture { role } => of_piece("capture", role),
            Self::Keep { role } => of_piece("keep", role),
            Self::FirstMove { role } => of_piece("first-move", role),
            Self::Place { role } => {
                format!("{} {}", of_piece("place", role), moves_of(game, role, language))
            }
            Self::PlaceCapture { role } => {
                format!("{} {}", of_piece("place-capture", role), moves_of(game, role, language))
            }
            Self::Hop { role } => of_piece("hop", role),
            Self::Wall { role } => of_piece("wall", role),
            Self::EnPassant { role } => of_piece("en-passant", role),
            Self::Promotion { role } => of_piece("promotion", role),
            Self::PromotionBySquare { role, into } => {
                let texts = [("piece", &*name(role)), ("into", &*name(into))];
                message(language, "promotion-by-square", &texts)
            }
            Self::Castling => message(language, "castling", &[]),
            Self::Fusion { parts: [one, other], into } => {
                let texts = [("one", &*name(one)), ("other", &*name(other)), ("into", &*name(into))];
                message(language, "fusion", &texts)
            }
            Self::GiveCheck => message(language, "give-check", &[]),
            Self::Escape { way: Way::Move } => message(language, "escape-move", &[]),
            Self::Escape { way: Way::Capture } => message(language, "escape-capture", &[]),
            Self::Escape { way: Way::Block } => message(language, "escape-block", &[]),
            Self::Mate => message(language, "mate", &[]),
            Self::Reach => message(language, "reach", &[]),
            Self::Stop => message(language, "stop", &[]),
            Self::GameOfMore { moves } => {
                message(language, "last-game-more", &[("moves", &moves.to_string())])
            }
            Self::Turns { ref seats, teams } => {
                let order: Vec<String> = seats.iter().map(|&seat| seat_name(seat, language)).collect();
                let key = if teams { "turns-teams" } else { "turns" };
                message(language, key, &[("order", &order.join(", "))])
            }
            Self::Dead { role } => of_piece("dead", role),
            Self::Harmless { role } => of_piece("harmless", role),
            Self::Partner { role } => of_piece("partner", role),
            Self::CheckFrom { seat } => {
                message(language, "check-from", &[("seat", &seat_name(seat, language))])
            }
            Self::MateOut { teams: false } => message(language, "mate-out", &[]),
            Self::MateOut { teams: true } => message(language, "mate-teams", &[]),
            Self::Places => message(language, "places", &[]),
            Self::Trap { role } => of_piece("trap", role),
            Self::StopTrap { seat } => {
                message(language, "stop-trap", &[("seat", &seat_name(seat, language))])
            }
            Self::Game { moves } => message(language, "last-game", &[("moves", &moves.to_string())]),
        }
    }
}

fn seat_name(seat: Seat, language: Language) -> String {
    message(language, &format!("seat-{}", seat.id()), &[])
}

/// How the learner's piece moves, in the words of the rules.
fn moves_of(game: &AnyGame, role: Role, language: Language) -> String {
    let texts = piece_moves(game.first_pair(), role);
    texts.iter().map(|text| language.text(game.id(), text)).collect::<Vec<_>>().join(" ")
}
