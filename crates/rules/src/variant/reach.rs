//! Questions to the compiled tables of a game, for people who explain it: where a piece could go by
//! itself, and on what terms the King castles. Nothing here is used in play.

use super::Variant;
use super::rules::{Castling, CastlingInfo, Rules};
use super::sliders::LineKind;
use super::tables::{AnyRules, by_width};
use super::trail_builder::longest_path;
use super::trails::{Hop, Occupancy, Pass};
use crate::geometry::{Square, SquareSet};
use crate::piece::{Piece, RoleSet};

/// Where one piece could go if it stood alone, each list in the order of the squares.
///
/// ```text
/// White's pawn of orthodox chess on e2: quiet e3, first e4, capture d3 f3
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    /// Empty squares it may go to at any time.
    pub quiet: Vec<Square>,
    /// Squares where it may capture a piece, if that is the only other one on the board.
    pub capture: Vec<Square>,
    /// Further empty squares it may go to as its first move.
    pub first: Vec<Square>,
    /// Further squares that it reaches, with or without capture, across one piece on the way.
    pub over: Vec<Square>,
}

/// The terms of a castling that go beyond its squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CastlingTerms {
    /// Its squares.
    pub info: CastlingInfo,
    /// Whether King and rook must not have moved.
    pub unmoved: bool,
    /// Whether squares that the King crosses may not be attacked.
    pub crosses_safely: bool,
    /// Whether the King may be in check.
    pub out_of_check: bool,
    /// The piece the King castles with.
    pub rook: Piece,
}

impl Variant {
    /// Where this piece could go from a square of the board if it stood there alone.
    ///
    /// ```
    /// use lozenge_rules::{position::{Color, Piece}, library};
    /// let game = library::game("diagonal").unwrap();
    /// let pawn = Piece::new(Color::White, game.roles().role('P').unwrap());
    /// let reach = game.reach(pawn, game.shape().named("d4").unwrap());
    /// let names = |squares: &[_]| squares.iter().map(|&s| game.shape().name(s)).collect::<Vec<_>>();
    /// assert_eq!(names(&reach.quiet), ["e5"]);
    /// assert_eq!(names(&reach.capture), ["e4", "d5"]);
    /// ```
    #[must_use]
    pub fn reach(&self, piece: Piece, from: Square) -> Reach {
        by_width!(&*self.tables, |rules| reach(rules, piece, from))
    }

    /// Where this piece could go among other pieces: empty squares it moves to, and those of the pieces that
    /// it could capture if they were enemies. First moves are left out.
    ///
    /// ```
    /// use lozenge_rules::{library, piece::Color, position::Piece};
    /// let game = library::game("chess").unwrap();
    /// let rook = Piece::new(Color::White, game.roles().role('R').unwrap());
    /// let [a1, a3] = ["a1", "a3"].map(|name| game.shape().named(name).unwrap());
    /// let (quiet, captures) = game.reach_among(rook, a1, &[a3]);
    /// assert_eq!((quiet.len(), captures), (8, vec![a3]), "seven squares along the rank, and a2");
    /// ```
    #[must_use]
    pub fn reach_among(&self, piece: Piece, from: Square, pieces: &[Square]) -> (Vec<Square>, Vec<Square>) {
        fn among<const N: usize>(
            rules: &Rules<N>,
            piece: Piece,
            from: Square,
            pieces: &[Square],
        ) -> (Vec<Square>, Vec<Square>) {
            let pieces: SquareSet<N> = pieces.iter().copied().collect();
            let none = SquareSet::EMPTY;
            let moved = SquareSet::FULL;
            let quiet = rules.targets(piece, from, pieces, none, moved);
            let captures = rules.targets(piece, from, none, pieces, moved) & pieces;
            (quiet.into_iter().collect(), captures.into_iter().collect())
        }
        by_width!(&*self.tables, |rules| among(rules, piece, from, pieces))
    }

    /// The pieces that capture en passant and are captured so; none where no piece has a double step.
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let chess = library::game("chess").unwrap();
    /// assert!(chess.en_passant_roles().iter().eq(chess.roles().role('P')));
    /// assert!(library::game("losalamos").unwrap().en_passant_roles().is_empty());
    /// ```
    #[must_use]
    pub fn en_passant_roles(&self) -> RoleSet {
        if by_width!(&*self.tables, |rules| rules.double_steps.iter().all(Vec::is_empty)) {
            return RoleSet::EMPTY;
        }
        let of = |piece: Piece| by_width!(&*self.tables, |rules| rules.info(piece).en_passant);
        let white = |role| Piece::new(crate::piece::Color::White, role);
        self.roles.iter().map(|(role, _)| role).filter(|&role| of(white(role))).collect()
    }

    /// Most steps of a move that turns, on boards where it could go round for ever.
    #[must_use]
    pub fn longest_path(&self) -> Option<usize> {
        longest_path(&self.shape)
    }

    /// On what terms the King castles, in the order of [`Variant::castlings`].
    ///
    /// ```
    /// use lozenge_rules::library;
    /// let terms = library::game("chess").unwrap().castling_terms();
    /// assert!(terms.iter().all(|terms| terms.unmoved && terms.crosses_safely && !terms.out_of_check));
    /// ```
    #[must_use]
    pub fn castling_terms(&self) -> Vec<CastlingTerms> {
        fn list<const N: usize>(rules: &Rules<N>, infos: &[CastlingInfo]) -> Vec<CastlingTerms> {
            let terms = |(castling, info): (&Castling<N>, &CastlingInfo)| CastlingTerms {
                info: *info,
                unmoved: castling.right.is_some(),
                crosses_safely: !castling.safe.is_empty(),
                out_of_check: castling.out_of_check,
                rook: castling.rook,
            };
            rules.castlings.iter().zip(infos).map(terms).collect()
        }
        by_width!(&*self.tables, |rules| list(rules, &self.castlings))
    }
}

fn reach<const N: usize>(rules: &Rules<N>, piece: Piece, from: Square) -> Reach {
    let none = SquareSet::EMPTY;
    let info = rules.info(piece);
    let leaps = rules.leaps(piece, from);
    let [mut quiet, mut capture, mut first, mut over] = [leaps.quiet, leaps.capture, none, none];
    for (slides, lines) in [(info.orthogonal, LineKind::Orthogonal), (info.diagonal, LineKind::Diagonal)] {
        if slides {
            let seen = rules.sliders.attacks(from, lines, none);
            quiet |= seen;
            capture |= seen;
        }
    }
    for trail in rules.trails.of(rules.slot(piece, from)) {
        let nodes = rules.trails.nodes(trail);
        let walk = |occupied: SquareSet<N>, enemy: SquareSet<N>| {
            rules.trails.targets(trail, Occupancy { occupied, enemy })
        };
        *(if trail.initial { &mut first } else { &mut quiet }) |= walk(none, none);
        for node in nodes {
            let there = SquareSet::of(node.square);
            if walk(there, there).contains(node.square) {
                capture.insert(node.square);
            }
            if trail.hop == Hop::No && nodes.iter().all(|node| node.pass != Pass::OCCUPIED) {
                continue;
            }
            // One piece in the way, of no color that can be captured, and perhaps an enemy behind it.
            over |= walk(there, none);
            for behind in nodes.iter().filter(|behind| behind.square != node.square) {
                let enemy = SquareSet::of(behind.square);
                over |= walk(there | enemy, enemy);
            }
        }
    }
    for stride in rules.info(piece).strides[from].iter() {
        first.insert(stride.to);
    }
    let first = first.without(quiet);
    let over = over.without(quiet | capture | first);
    let list = |set: SquareSet<N>| set.into_iter().collect();
    Reach { quiet: list(quiet), capture: list(capture), first: list(first), over: list(over) }
}
