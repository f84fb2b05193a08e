//! Builds the tables of a game ([`Rules`]) from its judged [`Plan`]: leaps, trails, slider lines,
//! zones, castlings, keys. Regions, edges and gains of distance end here: they become rows.

use super::betza::{Atom, Manner};
use super::compile::{Moves, Plan};
use super::def::Gain;
use super::document::At;
use super::rules::*;
use super::sliders::Sliders;
use super::trails::{Hop, Node, Pass, Trail, Trails};
use crate::geometry::{Shape, Square, SquareSet, Vector};
use crate::position::{Cell, Color, Piece, RoleSet};

/// The tables for as many words as the board needs.
#[derive(Debug)]
pub(crate) enum AnyRules {
    /// At most 64 squares.
    N1(Box<Rules<1>>),
    /// At most 128.
    N2(Box<Rules<2>>),
    /// At most 192.
    N3(Box<Rules<3>>),
    /// At most 256.
    N4(Box<Rules<4>>),
}

/// Most nodes of trails a game may have: about 20 MiB.
const MAX_NODES: usize = 4 << 20;

type TableFault = (At, String, String);

/// Builds the tables, or says which moves they have no room or no meaning for.
pub(crate) fn build(plan: &Plan) -> Result<AnyRules, TableFault> {
    Ok(match plan.shape.len() {
        0..=64 => AnyRules::N1(Box::new(Builder::<1>::new(plan).build()?)),
        65..=128 => AnyRules::N2(Box::new(Builder::<2>::new(plan).build()?)),
        129..=192 => AnyRules::N3(Box::new(Builder::<3>::new(plan).build()?)),
        _ => AnyRules::N4(Box::new(Builder::<4>::new(plan).build()?)),
    })
}

struct Builder<'p, const N: usize> {
    plan: &'p Plan,
    shape: &'p Shape,
    trails: Trails,
    /// By piece index and square.
    strides: Vec<Option<Stride>>,
}

/// What one atom becomes.
enum Becomes {
    OrthogonalLines,
    DiagonalLines,
    Leap,
    Trail,
}

impl<'p, const N: usize> Builder<'p, N> {
    fn new(plan: &'p Plan) -> Self {
        Self { plan, shape: &plan.shape, trails: Trails::default(), strides: Vec::new() }
    }

    fn build(mut self) -> Result<Rules<N>, TableFault> {
        let plan = self.plan;
        let squares = self.shape.len();
        let pieces: Vec<Piece> = (plan.men.iter())
            .flat_map(|(role, _)| Color::BOTH.map(|color| Piece::new(color, role)))
            .collect();
        let mut men: Vec<Man<N>> = pieces.iter().map(|&piece| self.man(piece)).collect();
        let mut leaps = Vec::with_capacity(pieces.len() * squares);
        for &piece in &pieces {
            for square in self.shape.squares() {
                leaps.push(self.leaps_and_trails(piece, square)?);
            }
        }
        let trail_of = |index: usize, square: Square| self.trails.of(index * squares + square.index());
        for (index, man) in men.iter_mut().enumerate() {
            let rows = &leaps[index * squares..][..squares];
            man.leaps = rows.iter().any(|row: &Leaps<N>| !(row.quiet | row.capture).is_empty());
            man.strides = (self.shape.squares())
                .filter(|square| self.strides[index * squares + square.index()].is_some())
                .collect();
            man.trails = self.shape.squares().filter(|&square| !trail_of(index, square).is_empty()).collect();
        }
        let trail_captures = self.trails.trails.iter().any(|trail| trail.capture);
        let leap_attackers = Color::BOTH.map(|color| self.leap_attackers(&pieces, &leaps, color));
        let double_steps = self.double_steps(&pieces)?;
        let goals = Color::BOTH.map(|color| {
            plan.goals.iter().flat_map(|zone| zone.squares[color.index()].iter().copied()).collect()
        });
        let mut choices = vec![RoleSet::EMPTY; pieces.len() * squares];
        for &piece in &pieces {
            for zone in plan.promotions.iter().filter(|zone| zone.men.contains(piece.role())) {
                for square in &zone.squares[piece.color().index()] {
                    let slot = &mut choices[piece.index() * squares + square.index()];
                    *slot = slot.iter().chain(zone.to.iter()).collect();
                }
            }
        }
        let castlings: Vec<Castling<N>> = plan.castlings.iter().map(castling).collect();
        let mut rights_kept = vec![!0u16; squares];
        for castling in &castlings {
            for square in [castling.king_from, castling.rook_from] {
                rights_kept[square.index()] &= !castling.right.unwrap_or(0);
            }
        }
        Ok(Rules {
            squares,
            sliders: Sliders::new(self.shape),
            men: men.into(),
            leaps: leaps.into(),
            leap_attackers,
            trails: self.trails,
            strides: self.strides.into(),
            trail_captures,
            goals,
            choices: choices.into(),
            castlings,
            rights_kept: rights_kept.into(),
            double_steps,
            keys: Keys::new(pieces.len(), squares),
            royal: plan.royal,
            dead_men: plan.dead.iter().map(|material| material.len() as u32).max().unwrap_or(0),
            dead: plan.dead.clone(),
        })
    }

    fn man(&self, piece: Piece) -> Man<N> {
        let (role, color) = (piece.role(), piece.color().index());
        let zone = |zones: &[super::compile::Zone]| -> SquareSet<N> {
            (zones.iter().filter(|zone| zone.men.contains(role)))
                .flat_map(|zone| zone.squares[color].iter().copied())
                .collect()
        };
        let moves = &self.plan.moves[role.index()];
        let lines = |wanted: fn(&Becomes) -> bool| {
            moves.iter().any(|moves| moves.atoms.iter().any(|atom| wanted(&shape_of(moves, atom))))
        };
        let has_initial = moves.iter().any(|moves| moves.atoms.iter().any(|atom| atom.initial));
        Man {
            orthogonal: lines(|shape| matches!(shape, Becomes::OrthogonalLines)),
            diagonal: lines(|shape| matches!(shape, Becomes::DiagonalLines)),
            leaps: false,
            trails: SquareSet::EMPTY,
            strides: SquareSet::EMPTY,
            pawn: self.plan.men.info(role).pawn,
            en_passant: self.plan.en_passant.contains(role),
            promotes: zone(&self.plan.promotions),
            goal: zone(&self.plan.goals),
            initial: if has_initial { self.starting_squares(piece) } else { SquareSet::EMPTY },
        }
    }

    fn starting_squares(&self, piece: Piece) -> SquareSet<N> {
        (self.shape.squares())
            .filter(|&square| {
                let at = self.shape.coord(square);
                self.plan.starts.iter().any(|start| start.at(at) == Some(Cell::Man(piece)))
            })
            .collect()
    }

    fn leaps_and_trails(&mut self, piece: Piece, square: Square) -> Result<Leaps<N>, TableFault> {
        let color = piece.color().index();
        let frame = self.plan.frames[color];
        let mut leaps = Leaps { quiet: SquareSet::EMPTY, capture: SquareSet::EMPTY };
        self.strides.push(None);
        for moves in &self.plan.moves[piece.role().index()] {
            if moves.from.as_ref().is_some_and(|from| !from[color].contains(&square)) {
                continue;
            }
            let mut group = Vec::new();
            for atom in &moves.atoms {
                if atom.initial && !self.starting_squares(piece).contains(square) {
                    continue;
                }
                let steps = atom.steps(frame);
                match shape_of(moves, atom) {
                    Becomes::OrthogonalLines | Becomes::DiagonalLines => {}
                    Becomes::Leap => {
                        group.extend(
                            steps.iter().filter_map(|&step| Some((atom, self.shape.step(square, step)?))),
                        );
                    }
                    Becomes::Trail => {
                        for step in steps {
                            self.lay(atom, moves.gain, color, square, step);
                        }
                    }
                }
            }
            let farthest = group.iter().map(|&(_, to)| self.gain(color, square, to)).max().unwrap_or(0);
            for (atom, to) in group {
                let gain = self.gain(color, square, to);
                let allowed = match moves.gain {
                    None => true,
                    Some(Gain::Any) => gain > 0,
                    Some(Gain::Most) => gain > 0 && gain == farthest,
                };
                if allowed && atom.quiet {
                    leaps.quiet.insert(to);
                }
                if allowed && atom.capture {
                    leaps.capture.insert(to);
                }
            }
            if self.trails.nodes.len() > MAX_NODES {
                let expected = format!("moves with at most {MAX_NODES} squares in all trails together");
                return Err((moves.at, expected, "more".into()));
            }
        }
        self.trails.close();
        Ok(leaps)
    }

    /// How much farther from its own camp a man gets; 0 in a game without camps.
    fn gain(&self, color: usize, from: Square, to: Square) -> i32 {
        self.plan.distance.as_ref().map_or(0, |distance| {
            i32::from(distance[color][to.index()]) - i32::from(distance[color][from.index()])
        })
    }

    /// Lays the trail of an atom in one direction.
    fn lay(&mut self, atom: &Atom, gain: Option<Gain>, color: usize, start: Square, step: Vector) {
        let mut squares = match atom.range {
            Some(1) if atom.manner == Manner::Free => self.shape.step(start, step).into_iter().collect(),
            Some(1) => on_the_way(self.shape, start, step),
            range => {
                let ray = crate::geometry::rays::ray(self.shape, start, step);
                ray.into_iter().take(range.map_or(usize::MAX, usize::from)).collect()
            }
        };
        if gain.is_some() {
            let path: Vec<Square> = core::iter::once(start).chain(squares.iter().copied()).collect();
            let gaining = path.windows(2).take_while(|pair| self.gain(color, pair[0], pair[1]) > 0).count();
            squares.truncate(gaining);
        }
        let last = squares.len().saturating_sub(1);
        if squares.is_empty() {
            return;
        }
        if let ([crossed, to], Some(stride @ None)) = (&squares[..], self.strides.last_mut())
            && atom.initial
            && !atom.capture
            && atom.manner == Manner::Lame
        {
            *stride = Some(Stride { crossed: *crossed, to: *to });
            return;
        }
        let first = self.trails.nodes.len();
        for (number, &square) in squares.iter().enumerate() {
            let skipped = atom.manner == Manner::Jump && number == 0;
            let on_way = if atom.range == Some(1) { number < last } else { skipped };
            let pass = match atom.manner {
                Manner::Jump if atom.range == Some(1) => Pass::Occupied,
                Manner::Jump if number == 0 => Pass::Any,
                _ => Pass::Empty,
            };
            self.trails.nodes.push(Node {
                square,
                stop: !on_way,
                pass,
                size: (squares.len() - number) as u16,
            });
        }
        let hop = match atom.manner {
            Manner::HopOne => Hop::One,
            Manner::HopBehind => Hop::Behind,
            Manner::Free | Manner::Lame | Manner::Jump => Hop::No,
        };
        self.trails.trails.push(Trail {
            start: first as u32,
            end: self.trails.nodes.len() as u32,
            quiet: atom.quiet,
            capture: atom.capture,
            initial: atom.initial,
            hop,
        });
    }

    fn leap_attackers(&self, pieces: &[Piece], leaps: &[Leaps<N>], color: Color) -> Box<[SquareSet<N>]> {
        let mut attackers = vec![SquareSet::EMPTY; self.shape.len()];
        for piece in pieces.iter().filter(|piece| piece.color() == color) {
            for from in self.shape.squares() {
                for to in leaps[piece.index() * self.shape.len() + from.index()].capture {
                    attackers[to.index()].insert(from);
                }
            }
        }
        attackers.into()
    }

    /// The double steps of men that can be captured en passant.
    fn double_steps(&self, pieces: &[Piece]) -> Result<[Vec<DoubleStep>; 2], TableFault> {
        let mut all = [Vec::new(), Vec::new()];
        for &piece in pieces.iter().filter(|piece| self.plan.en_passant.contains(piece.role())) {
            let at = self.plan.moves[piece.role().index()]
                .first()
                .map_or(At { document: 0, byte: 0 }, |moves| moves.at);
            for from in self.starting_squares(piece) {
                let slot = piece.index() * self.shape.len() + from.index();
                let other = self.trails.of(slot).iter().any(|trail| trail.initial && !trail.capture);
                if other {
                    let expected =
                        "one initial move of two squares, `imfnD` or the like, for a man with `en_passant`";
                    return Err((at, expected.into(), "another initial move".into()));
                }
                let Some(Stride { crossed, to }) = self.strides[slot] else { continue };
                let step = DoubleStep { from, crossed, to };
                let known: &mut Vec<DoubleStep> = &mut all[piece.color().index()];
                if known.iter().any(|other| other.crossed == step.crossed && *other != step) {
                    let expected = "squares that one double step alone crosses, for a man with `en_passant`";
                    return Err((
                        at,
                        expected.into(),
                        format!("{} crossed by two", self.shape.name(crossed)),
                    ));
                }
                if !known.contains(&step) {
                    known.push(step);
                }
            }
        }
        Ok(all)
    }
}

/// What becomes of an atom: full lines, leaps, or trails.
fn shape_of(moves: &Moves, atom: &Atom) -> Becomes {
    let unconditional = moves.from.is_none() && moves.gain.is_none() && !atom.initial;
    let plain = atom.manner == Manner::Free && atom.directions.is_empty() && atom.quiet && atom.capture;
    match (atom.range, atom.leap) {
        (None, (1, 0)) if unconditional && plain => Becomes::OrthogonalLines,
        (None, (1, 1)) if unconditional && plain => Becomes::DiagonalLines,
        (Some(1), _) if atom.manner == Manner::Free && !atom.initial => Becomes::Leap,
        _ => Becomes::Trail,
    }
}

/// The squares of a single leap that does not fly: those on its way, then where it ends. A leap
/// without squares between is its end alone. Empty when there is no such end.
fn on_the_way(shape: &Shape, start: Square, leap: Vector) -> Vec<Square> {
    let (m, n) = (leap.dx.abs().max(leap.dy.abs()), leap.dx.abs().min(leap.dy.abs()));
    let vectors: Vec<Vector> = if n == 0 || n == m {
        let step = Vector::new(leap.dx.signum(), leap.dy.signum());
        (1..=m).map(|times| step.times(times)).collect()
    } else {
        // The horse: one step along its longer side, then on.
        let first = if leap.dx.abs() > leap.dy.abs() {
            Vector::new(leap.dx.signum(), 0)
        } else {
            Vector::new(0, leap.dy.signum())
        };
        vec![first, leap]
    };
    vectors.into_iter().map(|vector| shape.step(start, vector)).collect::<Option<_>>().unwrap_or_default()
}

fn castling<const N: usize>(plan: &super::compile::CastlingPlan) -> Castling<N> {
    Castling {
        color: plan.color,
        short: plan.short,
        king_from: plan.king.0,
        king_to: plan.king.1,
        rook_from: plan.rook.0,
        rook_to: plan.rook.1,
        rook: Piece::new(plan.color, plan.man),
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
            let info = |castling: &Castling<N>| CastlingInfo {
                color: castling.color,
                short: castling.short,
                king: (castling.king_from, castling.king_to),
                rook: (castling.rook_from, castling.rook_to),
            };
            rules.castlings.iter().map(info).collect()
        }
        match self {
            Self::N1(rules) => list(rules),
            Self::N2(rules) => list(rules),
            Self::N3(rules) => list(rules),
            Self::N4(rules) => list(rules),
        }
    }
}
