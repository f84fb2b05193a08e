//! Definitions of games: from the text of a variant file to a [`Variant`], all but the judgment of its starting positions.

mod any;
mod area;
mod automorphisms;
pub mod betza;
pub(crate) mod builtin;
pub(crate) mod capture_paths;
pub(crate) mod compile;
mod def;
mod document;
mod error;
mod estimate;
mod fusions;
pub(crate) mod multi;
mod plan;
mod reach;
pub(crate) mod read;
mod reader;
mod roles;
mod rules;
mod seats;
pub(crate) mod sliders;
pub(crate) mod tables;
mod trail_builder;
pub(crate) mod trails;

pub use crate::geometry::layout::View;
pub use any::{AnyGame, NotForTwo};
pub use area::{Area, AreaItem};
pub use def::{Gain, Stalemate};
pub use document::{MAX_EXTENDS, MAX_FILE_BYTES, top_level_text};
pub use error::{Fault, FaultKind, FileLocation, VariantError, suggestion};
pub use fusions::Fusion;
pub use multi::{MultiRules, MultiVariant};
pub use reach::{CastlingTerms, Reach};
pub use roles::{Condition, Edge, MoveGroup, RoleInfo, Roles};
pub(crate) use rules::Castling;
pub use rules::{CastlingInfo, Draws, Limit, Rules};
pub(crate) use trails::Occupancy;

use crate::geometry::layout::Layout;
use crate::geometry::{Frame, Shape, Square, Symmetry};
use crate::piece::{ByColor, Color, RoleSet};
use crate::setup::fen;
use std::sync::Arc;
use tables::{AnyRules, by_width};

/// A position that a game can start from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// Its distinguishing name; empty when there is only one.
    pub name: String,
    /// Its FEN.
    pub fen: String,
}

/// A game: everything that is the same in all its positions. Immutable; shared by reference.
#[derive(Debug)]
pub struct Variant {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) author: String,
    pub(crate) year: Option<i64>,
    pub(crate) source: String,
    pub(crate) about: String,
    pub(crate) readings: Vec<String>,
    pub(crate) view: View,
    pub(crate) symmetry: Symmetry,
    pub(crate) starts: Vec<Start>,
    pub(crate) shuffled: Option<usize>,
    pub(crate) rights: Vec<char>,
    pub(crate) fen_rights: Vec<fen::CastlingRight>,
    pub(crate) texts: Vec<String>,
    pub(crate) shape: Shape,
    pub(crate) frames: ByColor<Frame>,
    pub(crate) roles: Roles,
    pub(crate) fusions: Vec<Fusion>,
    pub(crate) promotions: Vec<(RoleSet, ByColor<Vec<Square>>, RoleSet)>,
    pub(crate) goals: Vec<(RoleSet, ByColor<Vec<Square>>)>,
    pub(crate) dead: Vec<String>,
    pub(crate) draws: Draws,
    pub(crate) castlings: Vec<CastlingInfo>,
    pub(crate) distances: Option<ByColor<Vec<u16>>>,
    pub(crate) tables: Arc<AnyRules>,
}

impl Variant {
    /// Short name, for example `diamondring`.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let game = library::game("diamondring").unwrap();
    /// assert_eq!(game.id(), "diamondring");
    /// ```
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Full name, for example "Diamond Ring Chess".
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let game = library::game("diamondring").unwrap();
    /// assert_eq!(game.name(), "Diamond Ring Chess");
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Other names by which programs and files call the game.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let game = library::game("chess").unwrap();
    /// assert!(game.aliases().iter().all(|alias| game.is_called(alias)));
    /// ```
    #[must_use]
    pub fn aliases(&self) -> &[String] {
        &self.aliases
    }

    /// Whether this is the game's id, its name or an alias. Only letters and digits count, in any case.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let chess = library::game("chess").unwrap();
    /// assert!(chess.is_called("Standard") && chess.is_called("From Position"));
    /// assert!(!chess.is_called("Capablanca"));
    /// ```
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        let names = [&self.id, &self.name].into_iter().chain(&self.aliases);
        names.into_iter().any(|known| is_same_name(known, name))
    }

    /// Its inventor; may be empty.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// assert_eq!(library::game("diamond").unwrap().author(), "Bruce Mills");
    /// ```
    #[must_use]
    pub fn author(&self) -> &str {
        &self.author
    }

    /// When it was published.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let game = library::game("diamondring").unwrap();
    /// assert_eq!(game.year(), Some(2007));
    /// ```
    #[must_use]
    pub fn year(&self) -> Option<i64> {
        self.year
    }

    /// Where it was published; may be empty.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// A description in prose; may be empty.
    #[must_use]
    pub fn about(&self) -> &str {
        &self.about
    }

    /// How ambiguities of the published rules are read here.
    #[must_use]
    pub fn readings(&self) -> &[String] {
        &self.readings
    }

    /// How the board is held.
    ///
    /// ```
    /// use lozenge_rules::{library, variant::View};
    /// assert_eq!(library::game("diagonal").unwrap().view(), View::Diamond);
    /// assert_eq!(library::game("chess").unwrap().view(), View::Square);
    /// ```
    #[must_use]
    pub fn view(&self) -> View {
        self.view
    }

    /// The board as this viewer sees it: turned by 45 degrees or with level ranks, and from White's or Black's side.
    #[must_use]
    pub fn layout(&self, diamond: bool, flipped: bool) -> Layout {
        let view = match (diamond, self.view) {
            (false, _) => View::Square,
            (true, View::Hexagon) => View::Hexagon,
            (true, _) => View::Diamond,
        };
        Layout::new(&self.shape, view, self.frames[Color::White].forward, flipped)
    }

    /// How Black's side follows from White's.
    ///
    /// ```
    /// use lozenge_rules::{geometry::Symmetry, library};
    /// assert_eq!(library::game("chess").unwrap().symmetry(), Symmetry::MirrorRanks);
    /// ```
    #[must_use]
    pub fn symmetry(&self) -> Symmetry {
        self.symmetry
    }

    /// The number of the usual start, `startpos`: 0, but where a rule makes the starts.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// assert_eq!(library::game("chess960").unwrap().usual_start(), 518);
    /// assert_eq!(library::game("diamond").unwrap().usual_start(), 0);
    /// ```
    #[must_use]
    pub fn usual_start(&self) -> usize {
        self.shuffled.unwrap_or(0)
    }

    /// Whether a rule makes the starts, as in Chess960. They have numbers and no names.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// assert!(library::game("chess960").unwrap().is_shuffled());
    /// assert!(!library::game("chess").unwrap().is_shuffled());
    /// ```
    #[must_use]
    pub fn is_shuffled(&self) -> bool {
        self.shuffled.is_some()
    }

    /// The positions to start from, at least one.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// assert_eq!(library::game("chess960").unwrap().starts().len(), 960);
    /// ```
    #[must_use]
    pub fn starts(&self) -> &[Start] {
        &self.starts
    }

    /// The board.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let game = library::game("diamondring").unwrap();
    /// assert_eq!(game.shape().len(), 144);
    /// ```
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// How White and Black look at the board.
    ///
    /// ```
    /// use lozenge_rules::{geometry::Vector, library, piece::Color};
    /// let frames = library::game("diagonal").unwrap().frames();
    /// assert_eq!(frames[Color::White].forward, Vector::new(1, 1));
    /// assert_eq!(frames[Color::Black].forward, Vector::new(-1, -1));
    /// ```
    #[must_use]
    pub fn frames(&self) -> ByColor<Frame> {
        self.frames
    }

    /// The kinds of pieces.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let game = library::game("chess").unwrap();
    /// assert_eq!(game.roles().len(), 6);
    /// ```
    #[must_use]
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// Which pieces fuse into which; empty in most games.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// assert_eq!(library::game("diamondring-fusion").unwrap().fusions().len(), 17);
    /// assert!(library::game("diamondring").unwrap().fusions().is_empty());
    /// ```
    #[must_use]
    pub fn fusions(&self) -> &[Fusion] {
        &self.fusions
    }

    /// Promotions: the pieces, where (by color), and the roles they choose from.
    ///
    /// ```
    /// use lozenge_rules::{library, piece::Color};
    /// let game = library::game("chess").unwrap();
    /// let (_, squares, to) = &game.promotions()[0];
    /// assert_eq!((squares[Color::White].len(), to.len()), (8, 4));
    /// ```
    #[must_use]
    pub fn promotions(&self) -> &[(RoleSet, ByColor<Vec<Square>>, RoleSet)] {
        &self.promotions
    }

    /// Goals: the pieces that win, and where (by color).
    ///
    /// ```
    /// use lozenge_rules::{library, piece::Color};
    /// let game = library::game("brilliant").unwrap();
    /// let (pieces, squares) = &game.goals()[0];
    /// assert!(pieces.contains(game.roles().royal().unwrap()));
    /// assert_eq!(game.shape().name(squares[Color::White][0]), "d7");
    /// assert_eq!(game.shape().name(squares[Color::Black][0]), "d1");
    /// ```
    #[must_use]
    pub fn goals(&self) -> &[(RoleSet, ByColor<Vec<Square>>)] {
        &self.goals
    }

    /// Material with which neither side can win, as written in the file (`KN v K`).
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let game = library::game("diamond").unwrap();
    /// assert!(game.dead().iter().all(|material| material.contains(" v ")));
    /// ```
    #[must_use]
    pub fn dead(&self) -> &[String] {
        &self.dead
    }

    /// Draws by repetition and count, and the result of stalemate.
    ///
    /// ```
    /// use lozenge_rules::{library, variant::Stalemate};
    /// let draws = library::game("chess").unwrap().draws();
    /// assert_eq!((draws.repetition.claim, draws.repetition.end), (3, 5));
    /// assert_eq!((draws.moves.claim, draws.moves.end), (50, 75));
    /// assert_eq!(draws.stalemate, Stalemate::Draw);
    /// ```
    #[must_use]
    pub fn draws(&self) -> Draws {
        self.draws
    }

    /// The text of the game's file, followed by the texts of the files it extends.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let game = library::game("chess").unwrap();
    /// assert!(game.texts()[0].contains("id = \"chess\""));
    /// ```
    #[must_use]
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Letters of the castling rights, in the order of the bits of a setup's rights.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// assert_eq!(library::game("chess").unwrap().rights(), ['K', 'Q', 'k', 'q']);
    /// assert!(library::game("diamond").unwrap().rights().is_empty());
    /// ```
    #[must_use]
    pub fn rights(&self) -> &[char] {
        &self.rights
    }

    /// The castlings, in the order of the numbers in [`MoveKind::Castling`](crate::position::MoveKind).
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let game = library::game("chess").unwrap();
    /// assert_eq!(game.castlings().len(), 4);
    /// let (from, to) = game.castlings()[0].king;
    /// assert_eq!((game.shape().name(from), game.shape().name(to)), ("e1".into(), "g1".into()));
    /// ```
    #[must_use]
    pub fn castlings(&self) -> &[CastlingInfo] {
        &self.castlings
    }

    /// The castlings of the usual start: all, except in a game whose starts are shuffled. Its other starts have
    /// castlings to the same squares.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let game = library::game("chess960").unwrap();
    /// assert_eq!(game.usual_castlings().len(), 4);
    /// assert!(game.castlings().len() > 4, "those of all 960 starts");
    /// ```
    #[must_use]
    pub fn usual_castlings(&self) -> Vec<CastlingInfo> {
        let start = self.starts.get(self.usual_start()).filter(|_| self.is_shuffled());
        let Some(setup) = start.and_then(|start| fen::parse(self.fen_context(), &start.fen).ok()) else {
            return self.castlings.clone();
        };
        let at = |square| self.shape.coord(square);
        let has_right = |castling: &&CastlingInfo| {
            self.fen_rights.iter().any(|right| {
                (right.king.0, right.rook.0) == (at(castling.king.0), at(castling.rook.0))
                    && setup.rights >> right.bit & 1 != 0
                    && right.stands(usize::from(setup.width), &setup.cells)
            })
        };
        self.castlings.iter().filter(has_right).copied().collect()
    }

    /// By color and square, how far from its own camp a piece stands, in games where moves may have to
    /// gain distance; `None` elsewhere.
    ///
    /// ```
    /// use lozenge_rules::{library, piece::Color};
    /// let game = library::game("diamondring").unwrap();
    /// let distances = game.distances().unwrap();
    /// let farthest = distances[Color::White].iter().max();
    /// assert_eq!(farthest, distances[Color::Black].iter().max());
    /// assert!(library::game("chess").unwrap().distances().is_none());
    /// ```
    #[must_use]
    pub fn distances(&self) -> Option<&ByColor<Vec<u16>>> {
        self.distances.as_ref()
    }

    /// Memory of the compiled tables, in bytes.
    #[must_use]
    pub fn table_bytes(&self) -> usize {
        by_width!(&*self.tables, |rules| rules.bytes())
    }

    /// The properties of the game that FEN depends on.
    #[must_use]
    pub fn fen_context(&self) -> fen::Context<'_> {
        fen::Context {
            shape: &self.shape,
            letters: self.roles.letters(),
            rights: &self.rights,
            castlings: &self.fen_rights,
            by_file: self.shuffled.is_some(),
        }
    }
}

/// Whether two names are spelled with the same letters and digits, in any case.
fn is_same_name(one: &str, other: &str) -> bool {
    fn letters(name: &str) -> impl Iterator<Item = char> + '_ {
        name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
    }
    if letters(one).next().is_none() || other.contains(char::is_control) {
        return one == other;
    }
    letters(one).eq(letters(other))
}
