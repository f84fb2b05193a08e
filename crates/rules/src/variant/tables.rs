//! Builds the tables of a game ([`Rules`]) from its validated [`Plan`]: leaps, trails, slider lines,
//! zones, castlings, keys. Regions, edges and gains of distance end here: they become rows.

use super::betza::{Atom, Manner};
use super::capture_paths::{CapturePaths, MAX_CAPTURE_PATHS};
use super::def::Gain;
use super::document::At;
use super::fusions::Fusions;
use super::plan::{CastlingPlan, Moves, Plan, Zone};
use super::rules::*;
use super::sliders::Sliders;
use super::trail_builder::{TrailBuilder, TrailContext};
use super::trails::Trails;
use crate::geometry::{BySquare, Shape, Square, SquareSet};
use crate::piece::{ByColor, Color, Piece, RoleSet};
use crate::setup;
use std::sync::Arc;

/// The tables for as many words as the board needs.
#[derive(Clone, Debug)]
pub(crate) enum AnyRules {
    /// At most 64 squares.
    N1(Arc<Rules<1>>),
    /// At most 128.
    N2(Arc<Rules<2>>),
    /// At most 192.
    N3(Arc<Rules<3>>),
    /// At most 256.
    N4(Arc<Rules<4>>),
}

/// Runs the same code for any width of board: with its tables, or with a position and its tables.
macro_rules! by_width {
    ($tables:expr, |$rules:ident| $body:expr) => {
        match $tables {
            AnyRules::N1($rules) => $body,
            AnyRules::N2($rules) => $body,
            AnyRules::N3($rules) => $body,
            AnyRules::N4($rules) => $body,
        }
    };
    ($position:expr, $tables:expr, |$at:ident, $rules:ident| $body:expr) => {
        match ($position, $tables) {
            (Width::N1($at), AnyRules::N1($rules)) => $body,
            (Width::N2($at), AnyRules::N2($rules)) => $body,
            (Width::N3($at), AnyRules::N3($rules)) => $body,
            (Width::N4($at), AnyRules::N4($rules)) => $body,
            _ => unreachable!("a position is made with the tables of its own game"),
        }
    };
}
pub(crate) use by_width;

type TableFault = (At, String, String);

/// Builds the tables, or names the moves that do not fit into them or have no meaning.
pub(crate) fn build(plan: &Plan) -> Result<AnyRules, TableFault> {
    Ok(match plan.shape.len() {
        0..=64 => AnyRules::N1(Arc::new(Builder::<1>::new(plan).build()?)),
        65..=128 => AnyRules::N2(Arc::new(Builder::<2>::new(plan).build()?)),
        129..=192 => AnyRules::N3(Arc::new(Builder::<3>::new(plan).build()?)),
        _ => AnyRules::N4(Arc::new(Builder::<4>::new(plan).build()?)),
    })
}

struct Builder<'p, const N: usize> {
    plan: &'p Plan,
    shape: &'p Shape,
    trails: Trails,
}

/// The form in which one atom is compiled.
pub(super) enum AtomTable {
    OrthogonalLines,
    DiagonalLines,
    Leap,
    Trail,
}

impl<'p, const N: usize> Builder<'p, N> {
    fn new(plan: &'p Plan) -> Self {
        Self { plan, shape: &plan.shape, trails: Trails::default() }
    }

    fn build(mut self) -> Result<Rules<N>, TableFault> {
        let plan = self.plan;
        let squares = self.shape.len();
        let pieces: Vec<Piece> = (plan.roles.iter())
            .flat_map(|(role, _)| Color::BOTH.map(|color| Piece::new(color, role)))
            .collect();
        let all: Vec<Square> = self.shape.squares().collect();
        let (keys, piece_keys) = ZobristKeys::new(pieces.len(), &all);
        let mut infos: Vec<PieceInfo<N>> =
            pieces.iter().zip(piece_keys).map(|(&piece, keys)| self.info(piece, keys)).collect();
        for (&piece, info) in pieces.iter().zip(&mut infos) {
            let starting = self.starting_squares(piece);
            for &square in &all {
                self.add_leaps_and_trails(info, piece, square, starting)?;
            }
        }
        let capture_paths = CapturePaths::new(&self.trails, &pieces, squares).ok_or_else(|| {
            let expected = format!(
                "moves with at most {MAX_CAPTURE_PATHS} ways to capture from square to square in all trails together"
            );
            (At { document: 0, byte: 0 }, expected, "more".to_owned())
        })?;
        let trail_captures = self.trails.trails.iter().any(|trail| trail.capture);
        let leap_attackers = ByColor::from_fn(|color| self.leap_attackers(&pieces, &infos, color));
        let double_steps = self.double_steps(&pieces, &infos)?;
        let goals = ByColor::from_fn(|color| {
            plan.goals.iter().flat_map(|zone| zone.squares[color].iter().copied()).collect()
        });
        for &piece in &pieces {
            for zone in plan.promotions.iter().filter(|zone| zone.roles.contains(piece.role())) {
                for square in &zone.squares[piece.color()] {
                    let info = &mut infos[piece.index()];
                    let choices = &mut info.choices[*square];
                    *choices = choices.iter().chain(zone.to.iter()).collect();
                    if choices.contains(piece.role()) {
                        info.declines.insert(*square);
                        *choices = choices.without(piece.role());
                    }
                }
            }
        }
        let castlings: Vec<Castling<N>> = plan.castlings.iter().map(castling).collect();
        let mut rights_kept = BySquare::filled(!0u16);
        let mut king_rights = ByColor::filled(0);
        for castling in &castlings {
            rights_kept[castling.rook_from] &= !castling.right.unwrap_or(0);
            king_rights[castling.color] |= castling.right.unwrap_or(0);
        }
        Ok(Rules {
            squares,
            sliders: Sliders::new(self.shape),
            pieces: infos.into(),
            leap_attackers,
            trails: self.trails,
            capture_paths,
            fusions: Fusions::new(&plan.fusions, plan.roles.len()),
            trail_captures,
            needs_trail_safety: trail_captures || !plan.fusions.is_empty(),
            goals,
            castlings,
            rights_kept,
            king_rights,
            shared_crossings: double_steps.each_ref().map(|steps| shared_crossings(steps)),
            double_steps,
            keys,
            royal: plan.royal,
            dead_pieces: plan.dead.iter().map(|material| material.len() as u32).max().unwrap_or(0),
            dead: plan.dead.clone(),
        })
    }

    fn info(&self, piece: Piece, keys: BySquare<u64, N>) -> PieceInfo<N> {
        let (role, color) = (piece.role(), piece.color());
        let zone = |zones: &[Zone]| -> SquareSet<N> {
            (zones.iter().filter(|zone| zone.roles.contains(role)))
                .flat_map(|zone| zone.squares[color].iter().copied())
                .collect()
        };
        let moves = &self.plan.moves[role.index()];
        let lines = |wanted: fn(&AtomTable) -> bool| {
            moves.iter().any(|moves| moves.group.atoms.iter().any(|atom| wanted(&table_of(moves, atom))))
        };
        let has_initial = moves.iter().any(|moves| moves.group.atoms.iter().any(|atom| atom.initial));
        PieceInfo {
            orthogonal: lines(|shape| matches!(shape, AtomTable::OrthogonalLines)),
            diagonal: lines(|shape| matches!(shape, AtomTable::DiagonalLines)),
            leaps_at_all: false,
            trail_squares: SquareSet::EMPTY,
            stride_or_trail_squares: SquareSet::EMPTY,
            pawn: self.plan.roles.info(role).pawn,
            en_passant: self.plan.en_passant.contains(role),
            promotes: zone(&self.plan.promotions),
            declines: SquareSet::EMPTY,
            goal: zone(&self.plan.goals),
            initial: if has_initial { self.starting_squares(piece) } else { SquareSet::EMPTY },
            leaps: BySquare::filled(Leaps { quiet: SquareSet::EMPTY, capture: SquareSet::EMPTY }),
            strides: BySquare::filled(Strides::default()),
            choices: BySquare::filled(RoleSet::EMPTY),
            keys,
        }
    }

    fn starting_squares(&self, piece: Piece) -> SquareSet<N> {
        (self.shape.squares())
            .filter(|&square| {
                let at = self.shape.coord(square);
                self.plan.starts.iter().any(|start| start.at(at) == Some(setup::Cell::Piece(piece)))
            })
            .collect()
    }

    /// Adds what the piece can do from a square to its tables and to the trails.
    fn add_leaps_and_trails(
        &mut self,
        info: &mut PieceInfo<N>,
        piece: Piece,
        square: Square,
        starting: SquareSet<N>,
    ) -> Result<(), TableFault> {
        let color = piece.color();
        let frame = self.plan.frames[color];
        let leaps = &mut info.leaps[square];
        let mut builder = TrailBuilder::default();
        let role = &self.plan.moves[piece.role().index()];
        for moves in role {
            if moves.from.as_ref().is_some_and(|from| !from[color].contains(&square)) {
                continue;
            }
            let wall = |to| moves.wall.as_ref().is_some_and(|wall| wall[color].contains(&to));
            let gains =
                |from, to| moves.group.condition.gain.is_none() || self.gain(moves, color, from, to) > 0;
            let open = |from, to| !wall(to) && gains(from, to);
            let context = TrailContext { shape: self.shape, frame, start: square, open: &open };
            let mut group = Vec::new();
            for atom in &moves.group.atoms {
                if atom.initial && !starting.contains(square) {
                    continue;
                }
                let steps = atom.steps(frame);
                match table_of(moves, atom) {
                    AtomTable::OrthogonalLines | AtomTable::DiagonalLines => {}
                    AtomTable::Leap => group.extend(
                        (steps.iter().filter_map(|&step| self.shape.step(square, step)))
                            .filter(|&to| !wall(to))
                            .map(|to| (atom, to)),
                    ),
                    AtomTable::Trail => steps.into_iter().for_each(|step| builder.add(context, atom, step)),
                }
            }
            let gain = |to| self.gain(moves, color, square, to);
            let farthest = group.iter().map(|&(_, to)| gain(to)).max().unwrap_or(0);
            for (atom, to) in group {
                let allowed = match moves.group.condition.gain {
                    None => true,
                    Some(Gain::Any) => gain(to) > 0,
                    Some(Gain::Most) => gain(to) > 0 && gain(to) == farthest,
                    Some(Gain::Level) => gain(to) == 0,
                };
                if allowed && atom.quiet {
                    leaps.quiet.insert(to);
                }
                if allowed && atom.capture {
                    leaps.capture.insert(to);
                }
            }
        }
        info.leaps_at_all |= !(leaps.quiet | leaps.capture).is_empty();
        info.strides[square] = Strides::new(builder.strides);
        if builder.strides[0].is_some() {
            info.stride_or_trail_squares.insert(square);
        }
        if !builder.close(&mut self.trails) {
            let at = role.first().map_or(At { document: 0, byte: 0 }, |moves| moves.at);
            let expected = format!("moves with at most {} squares on the ways from one square", u16::MAX);
            return Err((at, expected, "more".into()));
        }
        if !self.trails.of(piece.index() * self.shape.len() + square.index()).is_empty() {
            info.trail_squares.insert(square);
            info.stride_or_trail_squares.insert(square);
        }
        Ok(())
    }

    /// How much farther from its own camp a piece gets; 0 in a game without camps.
    fn gain(&self, moves: &Moves, color: Color, from: Square, to: Square) -> i32 {
        self.plan.distance.as_ref().map_or(0, |distance| {
            let counted =
                |square: Square| i32::from(distance[color][square.index()].saturating_sub(moves.free));
            counted(to) - counted(from)
        })
    }

    fn leap_attackers(
        &self,
        pieces: &[Piece],
        infos: &[PieceInfo<N>],
        color: Color,
    ) -> BySquare<SquareSet<N>, N> {
        let mut attackers = BySquare::filled(SquareSet::EMPTY);
        for piece in pieces.iter().filter(|piece| piece.color() == color) {
            for from in self.shape.squares() {
                for to in infos[piece.index()].leaps[from].capture {
                    attackers[to].insert(from);
                }
            }
        }
        attackers
    }

    /// The double steps of pieces that can be captured en passant.
    fn double_steps(
        &self,
        pieces: &[Piece],
        infos: &[PieceInfo<N>],
    ) -> Result<ByColor<Vec<DoubleStep>>, TableFault> {
        let mut all = ByColor::from_fn(|_| Vec::new());
        for &piece in pieces.iter().filter(|piece| self.plan.en_passant.contains(piece.role())) {
            let at = self.plan.moves[piece.role().index()]
                .first()
                .map_or(At { document: 0, byte: 0 }, |moves| moves.at);
            for from in self.starting_squares(piece) {
                let slot = piece.index() * self.shape.len() + from.index();
                if self.trails.of(slot).iter().any(|trail| trail.initial) {
                    let expected = "first moves of two squares without capture, such as `imfnD` or `imfnA`, at \
                                    most two from a square, for a piece with `en_passant`";
                    return Err((at, expected.into(), "another first move".into()));
                }
                for Stride { crossed, to } in infos[piece.index()].strides[from].iter() {
                    let step = DoubleStep { from, crossed, to };
                    let known: &mut Vec<DoubleStep> = &mut all[piece.color()];
                    // A capture there would have to be a promotion as well, which is no move of ours.
                    let promotes =
                        |other: &&PieceInfo<N>| other.en_passant && other.promotes.contains(crossed);
                    if infos
                        .iter()
                        .skip(usize::from(piece.color() == Color::White))
                        .step_by(2)
                        .any(|piece| promotes(&piece))
                    {
                        let expected =
                            "double steps that cross no square where a piece with `en_passant` is promoted";
                        return Err((at, expected.into(), self.shape.name(crossed)));
                    }
                    if !known.contains(&step) {
                        known.push(step);
                    }
                }
            }
        }
        Ok(all)
    }
}

/// The squares that more than one of these double steps crosses.
fn shared_crossings<const N: usize>(steps: &[DoubleStep]) -> SquareSet<N> {
    let crossings = |crossed| steps.iter().filter(|step| step.crossed == crossed).count();
    steps.iter().map(|step| step.crossed).filter(|&crossed| crossings(crossed) > 1).collect()
}

/// The form in which an atom is compiled: full lines, leaps, or trails.
pub(super) fn table_of(moves: &Moves, atom: &Atom) -> AtomTable {
    let unconditional =
        moves.from.is_none() && moves.group.condition.gain.is_none() && moves.wall.is_none() && !atom.initial;
    let straight = !atom.crooked && atom.then.is_empty();
    let plain = atom.manner == Manner::Free && atom.directions.is_empty() && atom.quiet && atom.capture;
    match (atom.range, atom.leap) {
        _ if !straight => AtomTable::Trail,
        (None, (1, 0)) if unconditional && plain => AtomTable::OrthogonalLines,
        (None, (1, 1)) if unconditional && plain => AtomTable::DiagonalLines,
        (Some(1), _) if atom.manner == Manner::Free && !atom.initial => AtomTable::Leap,
        _ => AtomTable::Trail,
    }
}

fn castling<const N: usize>(plan: &CastlingPlan) -> Castling<N> {
    Castling {
        color: plan.color,
        short: plan.short,
        king_from: plan.king.0,
        king_to: plan.king.1,
        rook_from: plan.rook.0,
        rook_to: plan.rook.1,
        rook: Piece::new(plan.color, plan.partner),
        right: plan.right,
        empty: plan.empty.iter().copied().collect(),
        safe: plan.safe.iter().copied().collect(),
        out_of_check: plan.out_of_check,
    }
}

impl AnyRules {
    /// The castlings, for notation.
    pub(crate) fn castlings(&self) -> Vec<CastlingInfo> {
        fn list<const N: usize>(rules: &Rules<N>) -> Vec<CastlingInfo> {
            let king_path = |castling: &Castling<N>| (castling.color, castling.king_from, castling.king_to);
            let info = |castling: &Castling<N>| CastlingInfo {
                color: castling.color,
                short: castling.short,
                king: (castling.king_from, castling.king_to),
                rook: (castling.rook_from, castling.rook_to),
                under_attack: castling.out_of_check || castling.safe.is_empty(),
                by_rook: castling.king_from == castling.king_to
                    || rules.may_ever_reach(
                        Piece::new(castling.color, rules.royal),
                        castling.king_from,
                        castling.king_to,
                    )
                    || rules.castlings.iter().filter(|other| king_path(other) == king_path(castling)).count()
                        > 1,
            };
            rules.castlings.iter().map(info).collect()
        }
        by_width!(self, |rules| list(rules))
    }
}
