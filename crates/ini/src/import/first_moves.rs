//! First moves, captures en passant, and which moves begin the count of moves anew.

use super::Import;
use crate::region::Cells;
use crate::rules::PieceKind;
use crate::vectors::{self, Offset};
use crate::write::{Piece, with_i};
use lozenge_rules::piece::{ByColor, Color};
use std::collections::BTreeSet;

/// When a piece may make its first moves.
#[derive(Clone, PartialEq, Eq, Debug)]
enum First {
    /// Never.
    Never,
    /// From where it starts, unmoved.
    Unmoved,
    /// Whenever it stands in the region.
    Anytime,
}

impl Import<'_> {
    /// First moves, captures en passant, and the count of moves.
    pub(super) fn first_moves(&mut self) {
        let mut pieces = std::mem::take(&mut self.pieces);
        let first: Vec<First> = pieces.iter_mut().map(|piece| self.first_moves_of(piece)).collect();
        self.en_passant(&mut pieces, &first);
        self.count(&mut pieces);
        self.pieces = pieces;
    }

    /// Sorts the first moves of a piece: Fairy-Stockfish allows them wherever it stands in the region.
    fn first_moves_of(&mut self, piece: &mut Piece) -> First {
        if piece.moves.initial.is_empty() {
            return First::Never;
        }
        // White's view of both sides.
        let seen =
            |color: Color, cells: Cells| if color == Color::White { cells } else { self.image(&cells) };
        let starts = ByColor::from_fn(|color| seen(color, self.starts(piece.kind, color)));
        let regions =
            ByColor::from_fn(|color| seen(color, self.on_board(&self.rules.double_step_region[color])));
        let arises = self.rules.promoted_to.iter().any(|kinds| kinds.contains(&piece.kind));
        let forward = vectors::only_forward(&piece.moves.always);
        // Whether a piece that has moved can come to stand in the region: from behind, or from anywhere if it does not only go
        // forward.
        let comes_back = |starts: &Cells, region: &Cells| {
            let lowest = starts.iter().map(|cell| cell.1).min();
            arises || lowest.is_some_and(|lowest| region.iter().any(|cell| !forward || cell.1 > lowest))
        };
        let is_there = |color: Color| arises || !starts[color].is_empty();
        let late = Color::BOTH
            .into_iter()
            .any(|color| !regions[color].is_empty() && comes_back(&starts[color], &regions[color]));
        let of_region: ByColor<Cells> =
            ByColor::from_fn(|color| regions[color].intersection(&starts[color]).copied().collect());
        let wanted = if late { &regions } else { &of_region };
        let sides: Vec<Color> = Color::BOTH.into_iter().filter(|&color| is_there(color)).collect();
        // One area for both sides, that each sees from its own.
        let on: Cells = sides.iter().flat_map(|&color| wanted[color].iter().copied()).collect();
        let agrees = |color: Color| {
            let seen: Cells =
                if late { on.clone() } else { on.intersection(&starts[color]).copied().collect() };
            seen == wanted[color]
        };
        if !sides.iter().all(|&color| agrees(color)) {
            self.cannot_by_color("doubleStepRegion", "Black's squares must be the image of White's");
        }
        if on.is_empty() {
            piece.moves.initial.clear();
            return First::Never;
        }
        if late {
            piece.initial_on = Some(self.area(&on));
            return First::Anytime;
        }
        let whole = sides.iter().all(|&color| on.is_superset(&starts[color]));
        piece.initial_on = (!whole).then(|| self.area(&on));
        piece.moves.initial = with_i(&piece.moves.initial);
        First::Unmoved
    }

    /// Whether captures en passant are possible at all, and by which pieces.
    fn en_passant(&mut self, pieces: &mut [Piece], first: &[First]) {
        let mut possible = ByColor::filled(false);
        let mut partly = false;
        let mut crossings: Vec<Vec<ByColor<Crossing>>> = Vec::new();
        for (piece, first) in pieces.iter().zip(first) {
            crossings.push(self.crossings(piece, first));
        }
        // A pawn captures en passant whichever the kinds are.
        let captures = |piece: &Piece, color: Color| {
            piece.kind == PieceKind::PAWN || self.rules.en_passant[color].contains(&piece.kind)
        };
        let capturing = |piece: &Piece, color: Color| captures(piece, color) && !special(piece).is_empty();
        for color in Color::BOTH {
            let crossed: Cells = crossings
                .iter()
                .flatten()
                .flat_map(|both| both[color.opponent()].crossed.iter().copied())
                .collect();
            let allowed = &self.rules.en_passant_region[color];
            if !crossed.is_empty() && pieces.iter().any(|piece| capturing(piece, color)) {
                possible[color] = !crossed.is_disjoint(allowed);
                partly |= possible[color] && !crossed.is_subset(allowed);
            }
        }
        if possible == ByColor::filled(false) {
            return;
        }
        let mut flags: Vec<bool> = Vec::new();
        let mut faults: Vec<(PieceKind, &str)> = Vec::new();
        for ((piece, first), strides) in pieces.iter().zip(first).zip(&crossings) {
            let moves = strides.iter().flatten().any(|crossing| !crossing.crossed.is_empty());
            let (white, black) = (capturing(piece, Color::White), capturing(piece, Color::Black));
            let plain = vectors::captures(&piece.moves.always);
            if moves && *first == First::Anytime {
                faults.push((
                    piece.kind,
                    "it may make first moves more than once, so it is not captured en passant",
                ));
                flags.push(false);
                continue;
            }
            if moves
                && !strides.iter().flatten().all(|crossing| crossing.is_single || crossing.crossed.is_empty())
            {
                faults.push((piece.kind, "only first moves over exactly one square are captured en passant"));
                flags.push(false);
                continue;
            }
            if white != black {
                faults.push((piece.kind, "pieces of both sides capture en passant, or of none"));
            }
            let flag = moves || white || black;
            // With the flag it captures en passant wherever it captures by a leap or single step.
            if flag && plain != if white || black { special(piece) } else { BTreeSet::new() } {
                faults.push((
                    piece.kind,
                    "a piece captures en passant with all its leaps and single steps, or with none",
                ));
            }
            flags.push(flag);
        }
        for (kind, why) in faults {
            self.cannot(&kind.key(), why);
        }
        if partly || possible != ByColor::filled(true) {
            self.cannot_by_color(
                "enPassantRegion",
                "a piece captures en passant wherever a first move has gone over a square",
            );
        }
        for (piece, flag) in pieces.iter_mut().zip(flags) {
            piece.en_passant = flag;
        }
        self.no_capture_with_promotion(pieces, &crossings);
    }

    /// The squares that first moves cross, one entry for each step of such a move, with White's and Black's.
    fn crossings(&self, piece: &Piece, first: &First) -> Vec<ByColor<Crossing>> {
        if *first == First::Never {
            return Vec::new();
        }
        let steps: BTreeSet<Offset> = vectors::quiet(&piece.moves.initial);
        let always = vectors::quiet(&piece.moves.always);
        steps
            .difference(&always)
            .map(|step| ByColor::from_fn(|color| self.crossing(piece, first, *step, color)))
            .collect()
    }

    fn crossing(&self, piece: &Piece, first: &First, (files, ranks): Offset, color: Color) -> Crossing {
        let region = &self.rules.double_step_region[color];
        let from = match first {
            First::Anytime => self.on_board(region),
            _ => self.starts(piece.kind, color).intersection(region).copied().collect(),
        };
        // Black's moves are White's turned by 180 degrees.
        let sign: i16 = if color == Color::White { 1 } else { -1 };
        let (files, ranks) = (sign * i16::from(files), sign * i16::from(ranks));
        let length = files.abs().max(ranks.abs());
        let straight = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        let squares = self.squares();
        let mut crossed = Cells::new();
        for (file, rank) in from {
            for step in 1..length {
                let at = (i16::from(file) + step * files / length, i16::from(rank) + step * ranks / length);
                if let (Ok(file), Ok(rank)) = (u8::try_from(at.0), u8::try_from(at.1)) {
                    crossed.extend(squares.get(&(file, rank)).filter(|_| straight));
                }
            }
        }
        Crossing { is_single: straight && length == 2, crossed }
    }

    /// A capture en passant that arrives on a promotion square is no promotion there and would be one here.
    fn no_capture_with_promotion(&mut self, pieces: &mut [Piece], crossings: &[Vec<ByColor<Crossing>>]) {
        let mut clash: BTreeSet<PieceKind> = BTreeSet::new();
        for (piece, strides) in pieces.iter().zip(crossings) {
            for (color, region) in Color::BOTH.into_iter().zip(&self.rules.promotion_region) {
                let promotes = pieces
                    .iter()
                    .any(|piece| piece.en_passant && self.rules.promoting[color].contains(&piece.kind));
                let crossed = |both: &ByColor<Crossing>| !both[color.opponent()].crossed.is_disjoint(region);
                if promotes && piece.en_passant && strides.iter().any(crossed) {
                    clash.insert(piece.kind);
                }
            }
        }
        for kind in clash {
            self.cannot(
                &kind.key(),
                "a first move crosses a promotion square, so it is not captured en passant",
            );
            pieces.iter_mut().filter(|piece| piece.kind == kind).for_each(|piece| piece.en_passant = false);
        }
    }

    /// Which pieces begin the count of moves anew: there only by moves that they cannot take back.
    fn count(&mut self, pieces: &mut [Piece]) {
        let [white, black] = self.rules.counted.clone().into_array();
        let mut faults = Vec::new();
        for piece in pieces.iter_mut() {
            piece.counted = white.contains(&piece.kind);
            if self.rules.moves == 0 {
                continue;
            }
            if piece.counted != black.contains(&piece.kind) {
                faults.push("moves of the same pieces of both sides begin the count anew; White's are taken");
            }
            let steps = vectors::quiet(&piece.moves.always);
            if piece.counted && steps.iter().any(|(files, ranks)| steps.contains(&(-files, -ranks))) {
                faults.push("all moves of a pawn begin the count anew, also those that it can take back");
            }
        }
        for why in faults {
            self.cannot_by_color("nMoveRuleTypes", why);
        }
    }
}

/// Steps that capture and do nothing else: with those a piece captures en passant there.
fn special(piece: &Piece) -> BTreeSet<Offset> {
    vectors::captures(&piece.moves.always).difference(&vectors::quiet(&piece.moves.always)).copied().collect()
}

/// The squares that a kind of first move crosses.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Crossing {
    /// Whether it goes over exactly one square.
    is_single: bool,
    crossed: Cells,
}
