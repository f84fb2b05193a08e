//! Positions with their moves, and games of PGN.

use crate::fault;
use crate::host::{Options, describe_value};
use crate::variant::{AnyVariant, Variant};
use js_sys::{Error, Function, Object};
use lozenge_picture::{BoardView, Theme, any_scene, svg};
use lozenge_protocol::games;
use lozenge_rules::notation::pgn::{MoveNumber, PgnGame, write_game};
use lozenge_rules::notation::record::AnyRecord;
use lozenge_rules::notation::{record, turn};
use lozenge_rules::position::{GamePosition, MultiTurn, Played};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

/// A position, and the moves that led to it.
#[wasm_bindgen]
pub struct Position {
    pub(crate) game: Played,
    /// The game as read from PGN, with its tags, comments and variations.
    read: Option<Box<PgnGame>>,
}

impl From<Played> for Position {
    fn from(game: Played) -> Self {
        Self { game, read: None }
    }
}

impl From<AnyRecord> for Position {
    fn from(AnyRecord { game, tree }: AnyRecord) -> Self {
        Self { game, read: Some(Box::new(tree)) }
    }
}

impl Position {
    fn read(&self, position: &GamePosition, text: &str) -> Result<MultiTurn, Error> {
        turn::parse_uci(position, text)
            .or_else(|error| turn::parse_san(position, text).map_err(|_| fault(error)))
    }
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** How a position stands by itself; `decided` with four players alone. */
export type Status = "ongoing" | "check" | "checkmate" | "goal" | "stalemate" | "dead" | "decided";

/** A player: with two players white or black, otherwise the color of a seat. */
export type Color = "white" | "black" | "red" | "blue" | "yellow" | "green";

/** How a position is drawn. */
export interface SvgOptions {
  theme?: "light" | "dark" | "clear";
  /** Turned by 180 degrees. */
  flipped?: boolean;
  /** Whether files and ranks are named; they are unless this is false. */
  coordinates?: boolean;
}
"#;

#[wasm_bindgen]
impl Position {
    /// A position of the game: its first start, or that of a FEN.
    #[wasm_bindgen(constructor)]
    pub fn new(variant: &AnyVariant, fen: Option<String>) -> Result<Position, Error> {
        let rules = variant.rules()?;
        let start = match fen {
            None => GamePosition::start(&rules),
            Some(fen) => GamePosition::from_fen(&rules, &fen).map_err(fault)?,
        };
        Ok(Played::from_position(start).into())
    }

    /// The game.
    #[wasm_bindgen(getter)]
    pub fn variant(&self) -> Variant {
        Variant { rules: self.game.position().variant() }
    }

    /// The player to move.
    #[wasm_bindgen(getter, unchecked_return_type = "Color")]
    pub fn turn(&self) -> String {
        self.game.position().turn().into()
    }

    /// The position as FEN.
    pub fn fen(&self) -> String {
        self.game.position().fen()
    }

    /// The legal moves in long algebraic form, sorted.
    #[wasm_bindgen(js_name = legalMoves)]
    pub fn legal_moves(&self) -> Vec<String> {
        let legal = self.game.legal_moves();
        let mut moves: Vec<String> = legal.into_iter().map(|played| self.game.write(played)).collect();
        moves.sort();
        moves
    }

    /// Plays a move, in long algebraic form or SAN, and returns it as SAN. With four players `R` resigns and `T` is a time-out.
    pub fn play(&mut self, text: &str) -> Result<String, Error> {
        let position = self.game.position();
        let played = self.read(&position, text)?;
        self.game.play(played).map_err(fault)?;
        Ok(turn::san(&position, played))
    }

    /// Takes the last move back and returns it in long algebraic form.
    pub fn undo(&mut self) -> Result<String, Error> {
        let last = self.game.undo().ok_or_else(|| fault("expected a move to take back, found none"))?;
        Ok(turn::uci(&self.game.position(), last))
    }

    /// The moves so far in long algebraic form.
    pub fn moves(&self) -> Vec<String> {
        let position = self.game.position();
        self.game.turns_from(0).into_iter().map(|played| turn::uci(&position, played)).collect()
    }

    /// The SAN of a move in long algebraic form.
    pub fn san(&self, text: &str) -> Result<String, Error> {
        let position = self.game.position();
        let played = turn::parse_uci(&position, text).map_err(fault)?;
        Ok(turn::san(&position, played))
    }

    /// The long algebraic form of a move in SAN.
    pub fn uci(&self, text: &str) -> Result<String, Error> {
        let position = self.game.position();
        let played = turn::parse_san(&position, text).map_err(fault)?;
        Ok(turn::uci(&position, played))
    }

    /// The state of the game as far as the position alone determines it.
    #[wasm_bindgen(unchecked_return_type = "Status")]
    pub fn status(&self) -> String {
        self.game.position().status_text()
    }

    /// The outcome of the game, or `undefined` before its end; with `claim` also a draw that could be claimed.
    pub fn outcome(&self, claim: Option<bool>) -> Option<String> {
        self.game.outcome_text(claim.unwrap_or(false))
    }

    /// Whether the side to move is in check.
    #[wasm_bindgen(js_name = isCheck)]
    pub fn is_check(&self) -> bool {
        self.game.position().checked_king().is_some()
    }

    /// The letter of the piece on a square: capitals are White's. With four players after the letter of its owner, as in FEN.
    #[wasm_bindgen(js_name = pieceAt)]
    pub fn piece_at(&self, square: &str) -> Result<Option<String>, Error> {
        let position = self.game.position();
        let rules = position.variant();
        let expected = || fault(format_args!("expected a square of {}, found `{square}`", rules.name()));
        let square = rules.shape().named(square).ok_or_else(expected)?;
        Ok(position.piece_text(square))
    }

    /// The number of sequences of `depth` legal moves.
    pub fn perft(&self, depth: u32) -> f64 {
        self.game.position().perft_until(depth, &|| false).unwrap_or_default() as f64
    }

    /// A picture of the position.
    pub fn svg(
        &self,
        #[wasm_bindgen(unchecked_param_type = "SvgOptions | undefined | null")] options: JsValue,
    ) -> Result<String, Error> {
        let options = Options::new(options, &["theme", "flipped", "coordinates"])?;
        let theme = match options.text("theme")?.as_deref() {
            None | Some("light") => Theme::Light,
            Some("dark") => Theme::Dark,
            Some("clear") => Theme::Clear,
            Some(other) => {
                return Err(fault(format_args!("expected `light`, `dark` or `clear`, found `{other}`")));
            }
        };
        let (flipped, coordinates) = (options.flag("flipped")?, options.flag("coordinates")?);
        let position = self.game.position();
        let view = BoardView {
            theme,
            flipped: flipped.unwrap_or(false),
            coordinates: coordinates.unwrap_or(true),
            last_move: self.game.last_squares(),
            ..BoardView::of_game(&position.variant())
        };
        Ok(svg(&any_scene(&position, &view)))
    }

    /// The game so far as PGN, with tags.
    pub fn pgn(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Record<string, string> | undefined | null")] tags: JsValue,
    ) -> Result<String, Error> {
        let game = &self.game;
        let mut tree = record::tree_of(self.read.as_deref(), game);
        if let Some(tags) = tags.dyn_ref::<Object>() {
            for entry in Object::entries(tags).iter() {
                let entry: js_sys::Array = entry.unchecked_into();
                let (name, value) = (entry.get(0).as_string().unwrap_or_default(), entry.get(1));
                let expected =
                    || fault(format_args!("expected `{name}` as text, found {}", describe_value(&value)));
                let value = value.as_string().ok_or_else(expected)?;
                tree.tags.set(&name, value).map_err(fault)?;
            }
        }
        let mut text = String::new();
        let first = MoveNumber::of_fen(&game.start().fen());
        write_game(&mut text, &tree, first).map_err(fault)?;
        Ok(text)
    }

    /// The same position with the other side to move: that side's best move is the threat.
    pub fn threat(&self) -> Result<Position, Error> {
        let game = self.game.for_two().map_err(fault)?;
        lozenge_analysis::running::threat(game).map(|turned| Played::from(turned).into()).map_err(fault)
    }

    /// The position as JSON, in the form of the site's `POST /api/positions`: with its legal moves, and the moves that led to
    /// it after the first `known`.
    pub fn json(&self, known: u32) -> Result<String, Error> {
        serde_json::to_string(&lozenge_analysis::position::position(&self.game, known as usize))
            .map_err(fault)
    }

    /// The same position and moves again.
    pub fn copy(&self) -> Position {
        Self { game: self.game.clone(), read: self.read.clone() }
    }

    /// Whether both are the same position.
    pub fn equals(&self, other: &Position) -> bool {
        self.game.position() == other.game.position()
    }

    /// The position as FEN.
    #[wasm_bindgen(js_name = toString)]
    pub fn text_of(&self) -> String {
        self.fen()
    }
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn warn(text: &str);
}

/// The games of a PGN at their last positions. `variants` are games besides the built-in ones. A faulty game is left out.
/// `onFault` is called with its faults; without it they are a warning on the console, or an error if no game is left.
#[wasm_bindgen(js_name = readPgn)]
pub fn read_pgn(
    text: &str,
    #[wasm_bindgen(unchecked_param_type = "Variant[] | undefined")] variants: Option<Vec<AnyVariant>>,
    #[wasm_bindgen(js_name = onFault, unchecked_param_type = "((fault: string) => void) | undefined")]
    on_fault: Option<Function>,
) -> Result<Vec<Position>, Error> {
    let variants = variants.unwrap_or_default();
    let known = variants.iter().map(AnyVariant::rules);
    let known: Vec<_> = known.collect::<Result<_, _>>()?;
    let find = |name: &str| games::any_named(name, &known);
    let (found, faults) = record::read_games(text, &find);
    match on_fault {
        Some(report) => {
            for text in faults {
                report.call1(&JsValue::NULL, &text.into()).map_err(JsCast::unchecked_into::<Error>)?;
            }
        }
        None if found.is_empty() && !faults.is_empty() => return Err(fault(faults.join("\n"))),
        None => faults.iter().for_each(|text| warn(text)),
    }
    Ok(found.into_iter().map(Position::from).collect())
}
