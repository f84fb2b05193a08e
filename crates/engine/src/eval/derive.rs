//! Derives the values of a game from the moves of its pieces on its board.

use super::advance::{self, MoveMaps};
use super::endings;
use super::features::{self, Layout, TIERS};
use super::material::{self, Reach};
use super::span;
use super::square_classes;
use super::taper::{GRAIN, Taper};
use super::values::{PieceValues, Slot, Values, pieces};
use lozenge_rules::geometry::{Square, SquareSet};
use lozenge_rules::position::{AnyPosition, ByColor, Color, Piece, Position, Role, WidthVisitor};
use lozenge_rules::variant::{Rules, Variant};
use std::sync::Arc;

/// Centipawns for reaching a goal.
const GOAL: i32 = 1_500;

/// Value of the King in an exchange: above all other pieces.
const KING: i32 = 20_000;

impl Values {
    /// The values that follow from the game's geometry alone.
    #[must_use]
    pub fn derived(variant: &Arc<Variant>) -> Self {
        AnyPosition::start(variant).visit(Derive { variant })
    }

    /// The same for a game without starting position, of which these are the pieces at the start.
    pub(crate) fn of_pieces<const N: usize>(variant: &Variant, rules: &Rules<N>, at_start: &[Piece]) -> Self {
        Derive { variant }.values(rules, at_start)
    }
}

/// Derives values on the fast form of the start position.
struct Derive<'v> {
    variant: &'v Variant,
}

impl WidthVisitor for Derive<'_> {
    type Output = Values;

    fn visit<const N: usize>(self, start: &Position<N>, rules: &Rules<N>) -> Values {
        let at_start = start.occupied().into_iter().filter_map(|square| start.piece_at(square));
        self.values(rules, &at_start.collect::<Vec<_>>())
    }
}

impl Derive<'_> {
    fn values<const N: usize>(self, rules: &Rules<N>, at_start: &[Piece]) -> Values {
        let variant = self.variant;
        let squares: Vec<Square> = variant.shape().squares().collect();
        let roles = variant.roles().len();
        let pieces: Vec<Piece> = pieces(roles).collect();
        let move_maps: Vec<MoveMaps> =
            pieces.iter().map(|&piece| move_maps(rules, piece, &squares)).collect();
        let mut piece_values = self.piece_values(rules, &pieces, &squares, &move_maps);
        let arrival_gains: Vec<Vec<i32>> =
            pieces.iter().map(|&piece| self.arrival_gain(piece, &piece_values, squares.len())).collect();
        for &piece in &pieces {
            piece_values[piece.index()].advancing =
                arrival_gains[piece.index()].iter().any(|&arrival_gain| arrival_gain > 0);
        }
        let game = square_classes::Geometry {
            variant,
            pieces: &pieces,
            move_maps: &move_maps,
            arrival_gains: &arrival_gains,
        };
        let (class, classes) = square_classes::classes(&game);
        let royal = variant.roles().royal().unwrap_or(Role::new(0));
        let king_ways = &move_maps[Piece::new(Color::White, royal).index()];
        let king_steps = advance::steps(&king_ways.quiet);
        let reached = king_steps.iter().filter(|&&steps| steps != u8::MAX);
        let farthest = reached.max().map_or(1, |&steps| i32::from(steps));
        let remoteness = remoteness(&king_steps, squares.len(), farthest);
        let reached = move_maps.iter().flat_map(|maps| maps.quiet.iter().zip(&maps.captures));
        let reached = reached
            .map(|(quiet, captures)| quiet.len() + captures.iter().filter(|to| !quiet.contains(to)).count());
        let reaches = reached.max().unwrap_or(0) + 1;
        let layout = Layout { roles, classes, reaches };
        let weights =
            weights(layout, &pieces, &piece_values, &move_maps, &arrival_gains, &class, &remoteness, royal);
        let total = |of: fn(&PieceValues) -> i32| -> i32 {
            at_start.iter().map(|piece| of(&piece_values[piece.index()])).sum()
        };
        let (full_force, branching) =
            (total(|value| value.force) / 2, total(|value| value.average_reach) / 32);
        let (pawn_captures, spans) = number_pawns(&pieces, &mut piece_values, &move_maps, &arrival_gains);
        let quiet_only_moves = number_quiet_only(rules, &pieces, &mut piece_values, &move_maps, &squares);
        let slots = (pieces.iter())
            .flat_map(|&piece| {
                let officer = piece_values[piece.index()].force > 0;
                let halves = span::halves(&move_maps[piece.index()]);
                halves
                    .into_iter()
                    .map(move |half| Slot { value: Taper::ZERO, half: if officer { half } else { 0 } })
            })
            .collect();
        let pawns_return = (pieces.iter())
            .any(|&piece| piece_values[piece.index()].pawn && advance::can_return(&move_maps[piece.index()]));
        let king_has_goal =
            ByColor::from_fn(|color| !piece_values[Piece::new(color, royal).index()].goals.is_empty());
        let mut values = Values {
            squares: squares.len(),
            letters: variant.roles().iter().map(|(_, info)| info.letter).collect(),
            piece_values,
            layout,
            derived: weights.clone(),
            weights,
            class,
            slots,
            spans,
            pawn_captures,
            quiet_only_moves,
            king_steps,
            remoteness,
            farthest,
            full_force: full_force.max(1),
            mating_lead: 0,
            pairs_mate: vec![true; roles * roles],
            king_has_goal,
            pawns_return,
            branching: branching.max(1) as u32,
        };
        let is_dead = |role: Role| {
            let [king, officer] = [royal, role].map(|role| Piece::new(Color::White, role));
            rules.is_dead([king, officer, Piece::new(Color::Black, royal)])
        };
        endings::find_mating_pieces(&mut values, rules, royal, is_dead);
        values.spread();
        values
    }

    /// The values of every piece by itself.
    fn piece_values<const N: usize>(
        &self,
        rules: &Rules<N>,
        pieces: &[Piece],
        squares: &[Square],
        move_maps: &[MoveMaps],
    ) -> Vec<PieceValues> {
        let reach = material::measure(rules, pieces, squares);
        let mut piece_values: Vec<PieceValues> =
            pieces.iter().map(|&piece| self.piece_value(piece, average(&reach, piece))).collect();
        for officer in pieces.iter().filter(|piece| piece.color() == Color::White) {
            if piece_values[officer.index()].force > 0 {
                let freedom = advance::freedom(&move_maps[officer.index()]);
                for color in Color::BOTH {
                    piece_values[Piece::new(color, officer.role()).index()].bind(freedom);
                }
            }
        }
        let tiers = tiers(&piece_values);
        for value in piece_values.iter_mut().filter(|value| value.force > 0) {
            value.tier = tiers.iter().filter(|&&least| value.force >= least).count().min(TIERS - 1) as u8;
        }
        piece_values
    }

    fn piece_value(&self, piece: Piece, reach: Reach) -> PieceValues {
        let info = self.variant.roles().info(piece.role());
        let material = if info.royal { 0 } else { material::value(reach).max(10) };
        let officer = !info.royal && !info.pawn;
        let goals = self.variant.goals().iter().filter(|(roles, _)| roles.contains(piece.role()));
        let mut goals: Vec<Square> =
            goals.flat_map(|(_, squares)| squares[piece.color()].iter().copied()).collect();
        goals.sort_unstable();
        PieceValues {
            material,
            exchange: if info.royal { KING } else { material },
            force: if officer { material } else { 0 },
            pawn: info.pawn,
            // Pieces of short reach gain more by each square.
            mobility: if officer { (16 * 16 * 30 / (reach.plain + 32)).max(1) as i32 } else { 0 },
            average_reach: reach.plain as i32,
            goals,
            ..PieceValues::default()
        }
    }

    /// By square: centipawns that the piece gains by arriving there.
    fn arrival_gain(&self, piece: Piece, piece_values: &[PieceValues], squares: usize) -> Vec<i32> {
        let color = piece.color();
        let mut arrival_gain = vec![0; squares];
        let own = piece_values[piece.index()].material;
        for (roles, places, choices) in self.variant.promotions() {
            if !roles.contains(piece.role()) {
                continue;
            }
            let best =
                choices.iter().map(|role| piece_values[Piece::new(color, role).index()].material).max();
            for square in &places[color] {
                let here = &mut arrival_gain[square.index()];
                *here = (*here).max(best.unwrap_or(0) - own).max(1);
            }
        }
        for square in &piece_values[piece.index()].goals {
            arrival_gain[square.index()] = GOAL;
        }
        arrival_gain
    }
}

impl PieceValues {
    /// A piece that only ever comes to a part of the board, in hundredths, is worth less: a tenth
    /// when it is bound to one color.
    fn bind(&mut self, freedom: i32) {
        self.material = self.material * (80 + freedom / 5) / 100;
        self.exchange = self.material;
        self.force = self.material;
    }
}

/// The least force of the second and third tier of officers: the two largest gaps between their sorted values
/// separate the tiers.
fn tiers(piece_values: &[PieceValues]) -> Vec<i32> {
    let mut sorted: Vec<i32> =
        piece_values.iter().map(|value| value.force).filter(|&force| force > 0).collect();
    sorted.sort_unstable();
    sorted.dedup();
    let mut leaps: Vec<(i32, i32)> =
        sorted.windows(2).map(|pair| (pair[1] * 100 / pair[0].max(1), pair[1])).collect();
    leaps.sort_unstable_by(|a, b| b.cmp(a));
    let mut least: Vec<i32> = leaps.iter().take(TIERS - 2).map(|&(_, value)| value).collect();
    // Every officer is above the pawns.
    least.push(0);
    least
}

/// Numbers the pawns, and lists their captures and spans by pawn and square.
fn number_pawns(
    pieces: &[Piece],
    piece_values: &mut [PieceValues],
    move_maps: &[MoveMaps],
    arrival_gains: &[Vec<i32>],
) -> (Vec<Vec<Square>>, Vec<span::Span>) {
    let pawns: Vec<Piece> = pieces.iter().copied().filter(|piece| piece_values[piece.index()].pawn).collect();
    let (mut captures, mut spans) = (Vec::new(), Vec::new());
    // Squares that pawns of each color could come to guard, all kinds together.
    let territories = ByColor::from_fn(|color| {
        let kinds = pawns.iter().filter(|pawn| pawn.color() == color);
        kinds.map(|pawn| span::territories(&move_maps[pawn.index()])).reduce(join).unwrap_or_default()
    });
    for (number, &pawn) in pawns.iter().enumerate() {
        piece_values[pawn.index()].pawn_number = Some(number as u16);
        captures.extend(move_maps[pawn.index()].captures.iter().cloned());
        let enemy = &territories[pawn.color().opponent()];
        spans.extend(span::spans(&move_maps[pawn.index()], &arrival_gains[pawn.index()], enemy));
    }
    (captures, spans)
}

/// Numbers the officers with quiet-only moves, and lists these moves.
fn number_quiet_only<const N: usize>(
    rules: &Rules<N>,
    pieces: &[Piece],
    piece_values: &mut [PieceValues],
    move_maps: &[MoveMaps],
    squares: &[Square],
) -> Vec<Vec<Square>> {
    let mut all = Vec::new();
    for &piece in pieces.iter().filter(|piece| piece_values[piece.index()].force > 0).collect::<Vec<_>>() {
        let captures = |from: Square, to: Square| {
            rules.reach(piece, from, SquareSet::EMPTY, SquareSet::of(to)).contains(to)
        };
        let quiet_only = |&from: &Square| -> Vec<Square> {
            let quiet = move_maps[piece.index()].quiet[from.index()].iter().copied();
            quiet.filter(|&to| !captures(from, to)).collect()
        };
        let moves: Vec<Vec<Square>> = squares.iter().map(quiet_only).collect();
        if moves.iter().any(|moves| !moves.is_empty()) {
            piece_values[piece.index()].quiet_only_number = Some((all.len() / squares.len()) as u16);
            all.extend(moves);
        }
    }
    all
}

fn join(mut all: Vec<Vec<bool>>, more: Vec<Vec<bool>>) -> Vec<Vec<bool>> {
    for (here, also) in all.iter_mut().flatten().zip(more.into_iter().flatten()) {
        *here |= also;
    }
    all
}

/// The weights of all features of an untuned game.
#[allow(clippy::too_many_arguments, reason = "one call; each is one fact about the game")]
fn weights(
    layout: Layout,
    pieces: &[Piece],
    piece_values: &[PieceValues],
    move_maps: &[MoveMaps],
    arrival_gains: &[Vec<i32>],
    class: &ByColor<Vec<u16>>,
    remoteness: &[i32],
    royal: Role,
) -> Vec<Taper> {
    let pawns = pieces.iter().filter(|piece| piece_values[piece.index()].pawn);
    let arrival_gain = pawns.flat_map(|piece| &arrival_gains[piece.index()]).copied().max().unwrap_or(0);
    let mut weights = features::default_weights(layout, arrival_gain);
    for &piece in pieces {
        let value = &piece_values[piece.index()];
        let role = piece.role().index();
        let bonus = if value.advancing {
            advance::bonus(&move_maps[piece.index()], &arrival_gains[piece.index()])
        } else {
            vec![0; remoteness.len()]
        };
        for (square, bonus) in bonus.into_iter().enumerate() {
            let place = if piece.role() == royal {
                // In the end the King belongs in the middle.
                Taper::centipawns(bonus / 2, bonus - 5 * remoteness[square])
            } else {
                Taper::centipawns(bonus, bonus)
            };
            let class = usize::from(class[piece.color()][square]);
            weights[layout.square(role, class)] = place;
        }
        weights[layout.material(role)] = Taper::centipawns(value.material, value.material);
        for squares in 0..layout.reaches as i32 {
            // Missing squares hurt more when there are few. Mobility is in 16ths of a centipawn already.
            let average = (value.average_reach + 8) / 16;
            let cramped = (average / 2 - squares).max(0);
            let squares_worth = value.mobility * (squares - average) - value.mobility / 2 * cramped;
            weights[layout.mobility(role, squares as usize)] =
                Taper::new(squares_worth, squares_worth) * (GRAIN / 16);
        }
    }
    weights
}

/// Both colors of a role have the same value, from their average reach.
fn average(reach: &[Reach], piece: Piece) -> Reach {
    let [white, black] = Color::BOTH.map(|color| reach[Piece::new(color, piece.role()).index()]);
    Reach { weighted: (white.weighted + black.weighted) / 2, plain: (white.plain + black.plain) / 2 }
}

/// The moves of a piece on an empty board, and among enemies.
fn move_maps<const N: usize>(rules: &Rules<N>, piece: Piece, squares: &[Square]) -> MoveMaps {
    let board: SquareSet<N> = squares.iter().copied().collect();
    let list = |set: SquareSet<N>| set.into_iter().collect::<Vec<_>>();
    let (quiet, captures) = squares
        .iter()
        .map(|&from| {
            let enemies = board.without(SquareSet::of(from));
            (
                list(rules.reach(piece, from, SquareSet::EMPTY, SquareSet::EMPTY)),
                list(rules.reach(piece, from, SquareSet::EMPTY, enemies)),
            )
        })
        .unzip();
    MoveMaps { quiet, captures }
}

/// How much farther from everywhere each square is than the most central one, in steps, doubled.
fn remoteness(king_steps: &[u8], squares: usize, farthest: i32) -> Vec<i32> {
    let sums: Vec<i32> = king_steps
        .chunks(squares.max(1))
        .map(|row| row.iter().map(|&steps| i32::from(steps).min(farthest)).sum())
        .collect();
    let least = sums.iter().copied().min().unwrap_or(0);
    sums.iter().map(|sum| (sum - least) * 2 / squares.max(1) as i32).collect()
}
