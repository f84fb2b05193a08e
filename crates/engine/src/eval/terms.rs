//! The terms of the evaluation: each counts features for one side. Their weights are in `features` and in the
//! tuned data.

use super::Evaluator;
use super::features::*;
use super::survey::Survey;
use super::trace::{Count, Recorder};
use lozenge_rules::geometry::SquareSet;
use lozenge_rules::position::{Color, Piece};

/// Below this phase the way of a King to its goal is looked at square by square.
const OPEN_RACE_PHASE: i32 = 96;

/// How much more the hunt counts against a King alone: nothing else matters there, and limited levels misjudge by less.
const BARE_KING: i32 = 4;

/// One side's officers before the enemy King.
#[derive(Clone, Copy)]
pub(super) struct KingAttack<const N: usize> {
    /// The King's square and those around it.
    pub(super) zone: SquareSet<N>,
    /// Officers that reach some of it.
    pub(super) attackers: usize,
    /// Squares of it that they reach, added up.
    pub(super) hits: i32,
}

impl<const N: usize> KingAttack<N> {
    /// No attackers yet.
    pub(super) fn new(zone: SquareSet<N>) -> Self {
        Self { zone, attackers: 0, hits: 0 }
    }

    /// Adds an officer that attacks the squares of `reach`.
    #[inline]
    pub(super) fn join(&mut self, reach: SquareSet<N>) {
        let near = (reach & self.zone).len() as i32;
        self.hits += near;
        self.attackers += usize::from(near > 0);
    }
}

impl<const N: usize> Evaluator<'_, N> {
    /// Pieces bound to one half of the board that complete each other.
    pub(super) fn count_pair<S: Recorder>(&self, count: &mut Count<'_, S>) {
        for color in Color::BOTH {
            let [one, other] = self.tally.halves[color];
            if one > 0 && other > 0 {
                count.add(color, PAIR, 1);
            }
        }
    }

    /// An ending that one side wins by material against hardly more than a King: that King is driven to
    /// where it has few squares, and the other King comes near.
    pub(super) fn count_mating<S: Recorder>(&self, count: &mut Count<'_, S>) {
        let Self { position, values, tally, .. } = *self;
        let lead = tally.force[Color::White] - tally.force[Color::Black];
        let strong = if lead > 0 { Color::White } else { Color::Black };
        let weak = strong.opponent();
        if lead == 0 || tally.advancing[weak] > 0 || tally.officers[weak] > 1 {
            return;
        }
        let is_bare = tally.officers[weak] + tally.pawns[weak] == 0;
        let urgency = if is_bare { BARE_KING } else { 1 };
        let (strong_king, weak_king) = (position.king(strong), position.king(weak));
        let nearness = values.farthest() - values.king_steps(strong_king, weak_king);
        count.add(strong, DRIVE, urgency * values.remoteness(weak_king));
        count.add(strong, APPROACH, urgency * nearness);
    }

    /// Mobility of one officer.
    #[inline]
    pub(super) fn count_mobility<S: Recorder>(
        &self,
        color: Color,
        piece: Piece,
        squares: u32,
        count: &mut Count<'_, S>,
    ) {
        count.add(color, self.values.mobility_feature(piece, squares), 1);
    }

    /// Attacks of the officers on the squares around the enemy King.
    pub(super) fn count_king_attack<S: Recorder>(
        &self,
        survey: &Survey<N>,
        color: Color,
        king_attack: KingAttack<N>,
        count: &mut Count<'_, S>,
    ) {
        if king_attack.attackers > 0 {
            let enemy = color.opponent();
            let attackers = king_attack.attackers.min(ATTACKERS - 1);
            count.add(color, HITS + attackers, king_attack.hits);
            let weak = (king_attack.zone & survey.without_king[color])
                .without(survey.without_king[enemy])
                .len() as i32;
            count.add(color, WEAK + attackers, weak);
            self.count_checks(survey, color, count);
        }
    }

    /// Squares from which an officer could check the enemy King in one move and nothing could capture it, seen from that
    /// King: exact for pieces that move alike in opposite directions.
    fn count_checks<S: Recorder>(&self, survey: &Survey<N>, color: Color, count: &mut Count<'_, S>) {
        let Self { position, rules, values, .. } = *self;
        let enemy = color.opponent();
        let king = position.king(enemy);
        let safe = !(survey.by_all[enemy] | position.pieces(color));
        let mut seen = [SquareSet::EMPTY; TIERS];
        for role in survey.roles[color].iter() {
            let checker = Piece::new(enemy, role);
            let tier = usize::from(values.piece(checker).tier) % TIERS;
            seen[tier] |= rules.reach_of_any(checker, king, position.occupied());
        }
        for (tier, &seen) in seen.iter().enumerate().skip(1) {
            let checks = (seen & survey.attacked[color][tier] & safe).len().min(3) as i32;
            count.add(color, CHECKS + tier, checks);
        }
    }

    /// Squares that only this side attacks, and those where it restricts the other.
    pub(super) fn count_control<S: Recorder>(
        &self,
        survey: &Survey<N>,
        color: Color,
        count: &mut Count<'_, S>,
    ) {
        let (own, enemy) = (survey.by_all[color], survey.by_all[color.opponent()]);
        let guarded = survey.attacked[color.opponent()][0];
        count.add(color, CONTROL, own.without(enemy).len() as i32);
        count.add(color, RESTRICTED, (own & enemy).without(guarded).len() as i32);
    }

    /// Pieces near the King.
    pub(super) fn count_shelter<S: Recorder>(
        &self,
        survey: &Survey<N>,
        color: Color,
        count: &mut Count<'_, S>,
    ) {
        let king = self.position.king(color);
        let near = self.board_sets.around(king);
        let next = self.board_sets.two_steps(king).without(near);
        let pawns = survey.standing[color][0];
        let officers = self.position.pieces(color).without(pawns);
        count.add(color, SHELTER, (near & pawns).len().min(5) as i32);
        count.add(color, SHELTER + 1, (near & officers).len().min(5) as i32);
        count.add(color, SHELTER + 2, (next & pawns).len() as i32);
        count.add(color, SHELTER + 3, (next & survey.standing[color.opponent()][0]).len() as i32);
    }

    /// Pawns among pawns, and passed ones by their distance to promotion.
    pub(super) fn count_pawns<S: Recorder>(
        &self,
        survey: &Survey<N>,
        color: Color,
        count: &mut Count<'_, S>,
    ) {
        let Self { position, values, board_sets, tally, pawns, .. } = *self;
        let enemy = color.opponent();
        for (at, &pawns) in pawns.traits[color].iter().enumerate() {
            count.add(color, PAWN + at, i32::from(pawns));
        }
        for square in pawns.passed[color] {
            let Some(pawn) = board_sets.pawn_at(position, values, square) else { continue };
            let distance = usize::from(pawn.steps - 1).min(DISTANCES - 1);
            count.add(color, PASSED + distance, 1);
            let is_blocked = pawn.path.meets(position.occupied());
            if is_blocked {
                count.add(color, BLOCKED + distance, 1);
            } else if !pawn.path.meets(survey.by_all[enemy]) {
                count.add(color, FREE + distance, 1);
            } else if !(pawn.path & survey.by_all[enemy]).meets(!survey.by_all[color]) {
                count.add(color, GUARDED + distance, 1);
            }
            let steps = |king| pawn.ends.iter().map(|&end| values.king_steps(king, end)).min().unwrap_or(0);
            let (own, other) = (steps(position.king(color)), steps(position.king(color.opponent())));
            count.add(color, ESCORT, (other - own).clamp(-4, 4));
            let late = i32::from(position.turn() != color);
            if !is_blocked && tally.officers[enemy] == 0 && other > i32::from(pawn.steps) + late {
                count.add(color, RUNNER, 1);
            }
        }
    }

    /// Officers defended by pawns, pieces attacked by pawns and by cheaper pieces, and pieces attacked and not
    /// defended. The side to move can still answer a threat.
    pub(super) fn count_threats<S: Recorder>(
        &self,
        survey: &Survey<N>,
        color: Color,
        count: &mut Count<'_, S>,
    ) {
        let enemy = color.opponent();
        let (standing, attacked) = (&survey.standing[color], &survey.attacked[enemy]);
        let loose = survey.by_all[enemy].without(survey.by_all[color]);
        let late = if self.position.turn() == color { 0 } else { TIERS };
        let mut cheaper = SquareSet::EMPTY;
        for tier in 0..TIERS {
            let pieces = standing[tier];
            let mut add = |feature, squares: SquareSet<N>| {
                if !squares.is_empty() {
                    count.add(color, feature + tier, squares.len() as i32);
                }
            };
            add(HANGING + late, pieces & loose);
            if tier > 0 {
                let by_pawn = pieces & attacked[0];
                add(BY_PAWN + late, by_pawn);
                add(BY_CHEAPER + late, (pieces & cheaper).without(by_pawn));
                add(DEFENDED, pieces & survey.attacked[color][0]);
                cheaper |= attacked[tier];
            }
        }
    }

    /// The King's way to its goal: how far, and whether it is safe.
    pub(super) fn count_race<S: Recorder>(&self, survey: &Survey<N>, color: Color, count: &mut Count<'_, S>) {
        let Self { position, values, board_sets, tally, .. } = *self;
        let king = position.king(color);
        let Some(piece) = position.piece_at(king) else { return };
        let goals = &values.piece(piece).goals;
        let steps = goals.iter().map(|&goal| values.king_steps(king, goal)).min().unwrap_or(0);
        let steps = (steps.max(0) as usize).min(RACE_STEPS - 1);
        count.add(color, RACE + steps, 1);
        if tally.phase(values) > OPEN_RACE_PHASE {
            return;
        }
        let goal: SquareSet<N> = goals.iter().copied().collect();
        let open = !(survey.by_all[color.opponent()] | position.pieces(color));
        let mut seen = SquareSet::of(king);
        let mut edge = seen;
        for steps in 1..RACE_STEPS {
            let mut next = SquareSet::EMPTY;
            edge.into_iter().for_each(|from| next |= board_sets.around(from));
            edge = (next & open).without(seen);
            if edge.meets(goal) {
                count.add(color, OPEN_RACE + steps, 1);
                return;
            }
            if edge.is_empty() {
                return;
            }
            seen |= edge;
        }
    }
}
