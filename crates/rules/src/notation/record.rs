//! Games as PGN with their moves validated: a tree of texts becomes a game, and a game a tree.

use super::pgn::{self, Faults, PgnLine, PgnLocation, PgnNode, ResultTag};
use super::san::{self, SanError};
use super::turn;
use crate::one_line::OneLine;
use crate::piece::Color;
use crate::position::{
    AnyMultiPosition, AnyPosition, Game, GamePosition, GamePositionError, MultiGame, MultiResult, MultiTurn,
    Outcome, Played,
};
use crate::seat::Seat;
use crate::variant::{AnyGame, Variant};
use std::sync::Arc;

/// A game read from PGN: its main line played out, and the whole tree with every move in SAN.
#[derive(Clone, Debug)]
pub struct Record {
    /// The main line.
    pub game: Game,
    /// Tags, comments, variations and result, as read; the moves rewritten as this crate writes them.
    pub tree: pgn::PgnGame,
}

/// A game for any number of players read from PGN, as [`Record`].
#[derive(Clone, Debug)]
pub struct AnyRecord {
    /// The main line.
    pub game: Played,
    /// Tags, comments, variations and result, as read; the moves rewritten as this crate writes them.
    pub tree: pgn::PgnGame,
}

/// A fault that the rules find in a game in PGN, and its location.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    /// No game with the name or id in the tag `Variant` is known.
    #[error(
        "{location}: expected the name or id of a known game in the tag Variant, found `{}`",
        OneLine(found)
    )]
    UnknownVariant {
        /// Where the game begins.
        location: PgnLocation,
        /// The value of the tag.
        found: String,
    },
    /// The tag `FEN` is not a position of the game.
    #[error("{location}: in the tag FEN: {error}")]
    Fen {
        /// Where the game begins.
        location: PgnLocation,
        /// The fault in the FEN.
        error: GamePositionError,
    },
    /// The tag `Result` and the end of the movetext name different results.
    #[error(
        "{location}: expected the result of the tag Result, {tag}, at the end of the moves, found {found}"
    )]
    Result {
        /// Where the game begins.
        location: PgnLocation,
        /// The tag.
        tag: ResultTag,
        /// The end of the movetext.
        found: ResultTag,
    },
    /// A result that games with this number of players, or with these teams, do not have.
    #[error("{location}: expected a result such as `{such}` in this game, found {found}")]
    ResultKind {
        /// Where the game begins.
        location: PgnLocation,
        /// A result that it could have.
        such: &'static str,
        /// The result.
        found: ResultTag,
    },
    /// A move is not one.
    #[error("{location}: {error}")]
    Move {
        /// Where the move stands.
        location: PgnLocation,
        /// The fault in the move.
        error: SanError,
    },
}

/// The game of a PGN without a tag `Variant`.
const DEFAULT_VARIANT: &str = "chess";

/// Validates a game of PGN. `find` gives the game with a name or id.
///
/// # Errors
/// Everything that is not as the rules have it: of each line the first move, as those behind it cannot be validated.
///
/// ```
/// use lozenge_rules::{library, notation::{pgn, record}};
/// let resolve = |text: &str| {
///     let tree = pgn::Reader::new(text.as_bytes()).next().unwrap().unwrap();
///     record::resolve(tree, &library::named)
/// };
/// assert_eq!(resolve("1. e4 e5 2. Nf3 *").unwrap().game.moves().len(), 3);
/// assert_eq!(resolve("1. e4 e5 2. Ke3 *").unwrap_err().listed().len(), 1);
/// ```
pub fn resolve(
    tree: pgn::PgnGame,
    find: &dyn Fn(&str) -> Option<Arc<Variant>>,
) -> Result<Record, Faults<RecordError>> {
    let (location, name) = (tree.at, tree.tags.variant().unwrap_or(DEFAULT_VARIANT).to_owned());
    let AnyRecord { game, tree } = resolve_any(tree, &|name| find(name).map(AnyGame::Two))?;
    match game {
        Played::Two(game) => Ok(Record { game, tree }),
        Played::Four(_) => Err(RecordError::UnknownVariant { location, found: name }.into()),
    }
}

/// As [`resolve`], for games of any number of players. `R` and `T` are turns of players of four who resign or are out of time.
///
/// # Errors
/// As [`resolve`]; also turns after the end of a game of four.
///
/// ```
/// use lozenge_rules::{library, notation::{pgn, record}};
/// let text = "[Variant \"diamondring-four\"]\n\n1. b1 R (1... a2) T 3-4-2-1";
/// let tree = pgn::Reader::new(text.as_bytes()).next().unwrap().unwrap();
/// let read = record::resolve_any(tree, &library::any_named).unwrap();
/// assert_eq!(read.game.plies(), 3);
/// ```
pub fn resolve_any(
    mut tree: pgn::PgnGame,
    find: &dyn Fn(&str) -> Option<AnyGame>,
) -> Result<AnyRecord, Faults<RecordError>> {
    let location = tree.at;
    let name = tree.tags.variant().unwrap_or(DEFAULT_VARIANT).to_owned();
    let variant = find(&name).ok_or(RecordError::UnknownVariant { location, found: name })?;
    let start = match tree.tags.fen() {
        None => GamePosition::start(&variant),
        Some(fen) => {
            GamePosition::from_fen(&variant, fen).map_err(|error| RecordError::Fen { location, error })?
        }
    };
    let mut game = Played::from_position(start.clone());
    let mut faults = Faults::default();
    if let Err(fault) = agree(&mut tree).and_then(|()| check_kind(&variant, &tree)) {
        faults.push(fault);
    }
    let (mut before, mut here) = (None, start);
    for node in &mut tree.line.nodes {
        let Some(played) = resolve_node(node, before.as_ref(), &here, &mut faults) else { break };
        if game.play(played).is_err() {
            let error = SanError::Over(node.san.clone());
            faults.push(RecordError::Move { location: node.at, error });
            break;
        }
        before = Some(std::mem::replace(&mut here, game.position()));
    }
    if faults.is_empty() { Ok(AnyRecord { game, tree }) } else { Err(faults) }
}

/// The games of a text in PGN for any number of players, and the faults of those left out, in their order.
///
/// ```
/// use lozenge_rules::{library, notation::record};
/// let (games, faults) = record::read_games("1. e4 e5 *\n\n1. e5 *\n\n1. d4 *\n", &library::any_named);
/// assert_eq!((games.len(), faults.len()), (2, 1));
/// ```
pub fn read_games(text: &str, find: &dyn Fn(&str) -> Option<AnyGame>) -> (Vec<AnyRecord>, Vec<String>) {
    let (mut games, mut faults) = (Vec::new(), Vec::new());
    for game in pgn::Reader::new(text.as_bytes()) {
        let game = game.map_err(|error| error.to_string());
        match game.and_then(|tree| resolve_any(tree, find).map_err(|faults| faults.to_string())) {
            Ok(record) => games.push(record),
            Err(faulty) => faults.push(faulty),
        }
    }
    (games, faults)
}

/// Refuses places in a game of two or of teams, and any other result where everyone plays alone.
fn check_kind(variant: &AnyGame, tree: &pgn::PgnGame) -> Result<(), RecordError> {
    let such = match variant {
        AnyGame::Four(game) if !game.is_teams() && game.seats().len() == 3 => "1-3-2",
        AnyGame::Four(game) if !game.is_teams() => "1-4-2-3",
        _ => "1-0",
    };
    let fits = match tree.result {
        ResultTag::Unknown => true,
        ResultTag::Places([.., last]) => such == if last == 0 { "1-3-2" } else { "1-4-2-3" },
        ResultTag::WhiteWins | ResultTag::BlackWins | ResultTag::Draw => such == "1-0",
    };
    let (location, found) = (tree.at, tree.result);
    if fits { Ok(()) } else { Err(RecordError::ResultKind { location, such, found }) }
}

/// Writes the result into the tag `Result` and at the end of the movetext, where one of them lacks it.
fn agree(tree: &mut pgn::PgnGame) -> Result<(), RecordError> {
    let found = tree.result;
    match tree.tags.result() {
        Some(tag) if tag == found => {}
        Some(tag) if found == ResultTag::Unknown => tree.result = tag,
        Some(ResultTag::Unknown) => tree.set_result(found),
        Some(tag) => return Err(RecordError::Result { location: tree.at, tag, found }),
        None if tree.tags.get("Result").is_some() => tree.set_result(found),
        None => {}
    }
    Ok(())
}

/// Rewrites the node's move in SAN, validates its variations, and returns the move, if it is one. `before` is the position before
/// the last move. Variations are nested at most as deep as the reader allows.
fn resolve_node(
    node: &mut PgnNode,
    before: Option<&GamePosition>,
    here: &GamePosition,
    faults: &mut Faults<RecordError>,
) -> Option<MultiTurn> {
    let played = turn::parse_san(here, &node.san)
        .map_err(|error| faults.push(RecordError::Move { location: node.at, error }))
        .ok();
    if let Some(played) = played {
        node.san = turn::san(here, played);
        node.number = turn::number(before, here);
    }
    for variation in &mut node.variations {
        resolve_line(&mut variation.line, before.cloned(), here.clone(), faults);
    }
    played
}

fn resolve_line(
    line: &mut PgnLine,
    mut before: Option<GamePosition>,
    mut here: GamePosition,
    faults: &mut Faults<RecordError>,
) {
    for node in &mut line.nodes {
        let Some(played) = resolve_node(node, before.as_ref(), &here, faults) else { return };
        let after = here.play_unchecked(played);
        before = Some(std::mem::replace(&mut here, after));
    }
}

/// A game as PGN, [`updated`] if it was read from PGN, otherwise a new [`tree`].
#[must_use]
pub fn tree_of(read: Option<&pgn::PgnGame>, game: &Played) -> pgn::PgnGame {
    read.map_or_else(|| any_tree(game), |read| updated(read, game))
}

/// A game for any number of players as PGN: its [`tree`] or [`multi_tree`].
#[must_use]
pub fn any_tree(game: &Played) -> pgn::PgnGame {
    match game {
        Played::Two(game) => tree(game),
        Played::Four(game) => multi_tree(game),
    }
}

/// The tree of a game that was read, after moves were played or taken back: of the main line, the common moves keep their
/// comments and variations. The result stays if the moves do.
///
/// ```
/// use lozenge_rules::{library, notation::{pgn::Comment, record, san}, position::Game};
/// let mut game = Game::new(&library::game("chess").unwrap());
/// game.play(san::parse(game.position(), "e4").unwrap()).unwrap();
/// let mut read = record::tree(&game);
/// read.line.nodes[0].comments_after.push(Comment::new("best by test"));
/// game.play(san::parse(game.position(), "c5").unwrap()).unwrap();
///
/// let updated = record::updated(&read, &game.into());
/// assert_eq!(updated.line.nodes.len(), 2);
/// assert_eq!(updated.line.nodes[0].comments_after[0].text(), "best by test");
/// ```
#[must_use]
pub fn updated(read: &pgn::PgnGame, game: &Played) -> pgn::PgnGame {
    let (mut updated, fresh) = (read.clone(), any_tree(game));
    let (nodes, played) = (&mut updated.line.nodes, fresh.line.nodes);
    let common = nodes.iter().zip(&played).take_while(|(node, played)| node.san == played.san).count();
    if common < nodes.len().max(played.len()) {
        nodes.truncate(common);
        nodes.extend(played.into_iter().skip(common));
        updated.set_result(fresh.result);
    }
    updated
}

/// A game as PGN: moves in SAN, the tags `Variant`, `SetUp` and `FEN` as needed, the seven tag
/// roster, and the result if the game has ended on the board.
///
/// ```
/// use lozenge_rules::{library, notation::{record, san}, position::Game};
/// let mut game = Game::new(&library::game("chess").unwrap());
/// for text in ["f3", "e5", "g4", "Qh4"] {
///     game.play(san::parse(game.position(), text).unwrap()).unwrap();
/// }
/// let tree = record::tree(&game);
/// assert_eq!(tree.tags.variant(), Some("Chess"));
/// assert_eq!(tree.line.nodes[3].san, "Qh4#");
/// assert_eq!(tree.result.to_string(), "0-1");
/// ```
#[must_use]
pub fn tree(game: &Game) -> pgn::PgnGame {
    let mut tree = pgn::PgnGame::default();
    let variant = game.variant();
    let is_usual = *game.start() == AnyPosition::start(variant);
    start_tags(&mut tree, variant.name(), (!is_usual).then(|| game.start().fen()));
    tree.line.nodes = (game.positions().zip(game.moves()))
        .map(|(position, &played)| PgnNode::new(san::write(&position, played)))
        .collect();
    tree.set_result(match game.outcome() {
        None => ResultTag::Unknown,
        Some(Outcome::Draw(_)) => ResultTag::Draw,
        Some(Outcome::Win { winner: Color::White, .. }) => ResultTag::WhiteWins,
        Some(Outcome::Win { winner: Color::Black, .. }) => ResultTag::BlackWins,
    });
    tree.tags.fill_roster();
    tree
}

/// A game of four as PGN, as [`tree`]: with the players of the seats instead of White and Black, and comments where a player is mated
/// or passes.
///
/// ```
/// use lozenge_rules::{library, notation::{pgn, record}, position::MultiGame};
/// let mut game = MultiGame::new(&library::multi_game("diamondring-four").unwrap());
/// while game.resign() {}
/// let mut text = String::new();
/// pgn::write_game(&mut text, &record::multi_tree(&game), pgn::MoveNumber::default()).unwrap();
/// assert!(text.ends_with("\n1. R R R 4-3-2-1\n\n"), "{text}");
/// ```
#[must_use]
pub fn multi_tree(game: &MultiGame) -> pgn::PgnGame {
    let mut tree = pgn::PgnGame::default();
    let (variant, start) = (game.position().variant(), game.start());
    start_tags(&mut tree, variant.name(), (*start != AnyMultiPosition::start(variant)).then(|| start.fen()));
    let positions: Vec<GamePosition> = game.positions().map(GamePosition::Four).collect();
    let nodes = game.turns().iter().enumerate().map(|(index, &played)| {
        let (here, after) = (&positions[index], &positions[index + 1]);
        let before = index.checked_sub(1).map(|before| &positions[before]);
        PgnNode {
            number: turn::number(before, here),
            comments_after: turn::comments(here, played, after).into_iter().map(pgn::Comment::new).collect(),
            ..PgnNode::new(turn::san(here, played))
        }
    });
    tree.line.nodes = nodes.collect();
    tree.set_result(game.outcome().map_or(ResultTag::Unknown, |outcome| multi_result(outcome.result)));
    tree.tags.fill_roster_of_seats(variant.seats().len() as usize);
    tree
}

/// The result of a game of four in PGN.
#[must_use]
pub fn multi_result(result: MultiResult) -> ResultTag {
    match result {
        MultiResult::Places(places) => ResultTag::Places(Seat::ALL.map(|seat| places[seat])),
        MultiResult::Team(Seat::Red | Seat::Yellow) => ResultTag::WhiteWins,
        MultiResult::Team(Seat::Blue | Seat::Green) => ResultTag::BlackWins,
        MultiResult::Draw => ResultTag::Draw,
    }
}

/// Sets the tags that name the game, and the start if it is not the usual one.
fn start_tags(tree: &mut pgn::PgnGame, name: &str, fen: Option<String>) {
    // Names and values made here are always well formed.
    let _ = tree.tags.set("Variant", name);
    if let Some(fen) = fen {
        let _ = tree.tags.set("SetUp", "1");
        let _ = tree.tags.set("FEN", fen);
    }
}
