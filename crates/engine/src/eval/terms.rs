//! The terms of the evaluation: each counts features for one side. What is counted is said here, what
//! it is worth in `features` and in the tuned data.

use super::Evaluator;
use super::features::*;
use super::sink::{Count, Sink};
use super::survey::Survey;
use lozenge_rules::geometry::SquareSet;
use lozenge_rules::position::Color;

/// Below this phase the way of a King to its goal is looked at square by square.
const OPEN_RACE_PHASE: i32 = 96;

impl<const N: usize> Evaluator<'_, N> {
    /// Men bound to one half of the board that complete each other.
    pub(super) fn count_pair<S: Sink>(&self, count: &mut Count<'_, S>) {
        for color in Color::BOTH {
            let [one, other] = self.tally.halves[color.index()];
            if one > 0 && other > 0 {
                count.add(color, PAIR, 1);
            }
        }
    }

    /// In an ending that one side wins by material against hardly more than a King, that King is driven
    /// to where it has few squares, and the other King comes near.
    pub(super) fn count_mating<S: Sink>(&self, count: &mut Count<'_, S>) {
        let Self { position, values, tally, .. } = *self;
        let lead = tally.force[0] - tally.force[1];
        let strong = if lead > 0 { Color::White } else { Color::Black };
        let weak = (!strong).index();
        if lead == 0 || tally.hopes[weak] > 0 || tally.officers[weak] > 1 {
            return;
        }
        let (hunter, hunted) = (position.king(strong), position.king(!strong));
        count.add(strong, DRIVE, values.remoteness(hunted));
        count.add(strong, APPROACH, values.farthest() - values.king_steps(hunter, hunted));
    }

    /// Mobility of the officers, and their attacks on squares around the enemy King.
    pub(super) fn count_officers<S: Sink>(&self, survey: &Survey<N>, color: Color, count: &mut Count<'_, S>) {
        let Self { position, values, terrain, .. } = *self;
        let (side, enemy) = (color.index(), (!color).index());
        let king = position.king(!color);
        let zone = terrain.around(king) | SquareSet::of(king);
        // A square guarded by an enemy pawn is no place for an officer.
        let area = !(position.men(color) | survey.attacked[enemy][0]);
        let (mut hits, mut attackers) = (0, 0);
        for officer in &survey.officers[side] {
            let man = values.man(officer.piece);
            let role = officer.piece.role().index();
            let squares = (officer.reach & area).len() as i32;
            count.add(color, values.layout.mobility(role), squares - man.usual);
            let missing = man.usual / 2 - squares;
            if missing > 0 {
                count.add(color, values.layout.cramped(role), missing);
            }
            let near = (officer.reach & zone).len() as i32;
            hits += near;
            attackers += usize::from(near > 0);
        }
        if attackers > 0 {
            let attackers = attackers.min(ATTACKERS - 1);
            count.add(color, HITS + attackers, hits);
            let weak = (zone & survey.by_men[side]).without(survey.by_men[enemy]).len() as i32;
            count.add(color, WEAK + attackers, weak);
        }
    }

    /// Own men next to the King.
    pub(super) fn count_shelter<S: Sink>(&self, survey: &Survey<N>, color: Color, count: &mut Count<'_, S>) {
        let near = self.terrain.around(self.position.king(color));
        let pawns = survey.standing[color.index()][0];
        let officers = self.position.men(color).without(pawns);
        count.add(color, SHELTER, (near & pawns).len().min(5) as i32);
        count.add(color, SHELTER + 1, (near & officers).len().min(5) as i32);
    }

    /// Pawns: supported ones, and passed ones by their distance to promotion.
    pub(super) fn count_pawns<S: Sink>(&self, survey: &Survey<N>, color: Color, count: &mut Count<'_, S>) {
        let Self { position, values, terrain, tally, .. } = *self;
        let (side, enemy) = (color.index(), (!color).index());
        let supported = survey.standing[side][0] & survey.attacked[side][0];
        count.add(color, SUPPORTED, supported.len() as i32);
        let enemy_pawns = survey.standing[enemy][0];
        for &(square, number) in &survey.pawns[side] {
            let place = terrain.pawn(number, square);
            if place.steps == 0 || place.stoppers.meets(enemy_pawns) {
                continue;
            }
            let distance = usize::from(place.steps - 1).min(DISTANCES - 1);
            count.add(color, PASSED + distance, 1);
            let held = place.path.meets(position.occupied());
            if held {
                count.add(color, HELD + distance, 1);
            } else if !place.path.meets(survey.by_all[enemy]) {
                count.add(color, FREE + distance, 1);
            }
            let steps = |king| place.ends.iter().map(|&end| values.king_steps(king, end)).min().unwrap_or(0);
            let (own, other) = (steps(position.king(color)), steps(position.king(!color)));
            count.add(color, ESCORT, (other - own).clamp(-4, 4));
            let late = i32::from(position.turn() != color);
            if !held && tally.officers[enemy] == 0 && other > i32::from(place.steps) + late {
                count.add(color, RUNNER, 1);
            }
        }
    }

    /// Men attacked by pawns and by cheaper men, and men attacked and not defended.
    pub(super) fn count_threats<S: Sink>(&self, survey: &Survey<N>, color: Color, count: &mut Count<'_, S>) {
        let (side, enemy) = (color.index(), (!color).index());
        let (standing, attacked) = (&survey.standing[side], &survey.attacked[enemy]);
        let loose = survey.by_all[enemy].without(survey.by_all[side]);
        let mut cheaper = SquareSet::EMPTY;
        for tier in 0..TIERS {
            let men = standing[tier];
            let hanging = (men & loose).len() as i32;
            if hanging > 0 {
                count.add(color, HANGING + tier, hanging);
            }
            if tier > 0 {
                let by_pawn = men & attacked[0];
                if !by_pawn.is_empty() {
                    count.add(color, BY_PAWN + tier, by_pawn.len() as i32);
                }
                let by_cheaper = (men & cheaper).without(by_pawn);
                if !by_cheaper.is_empty() {
                    count.add(color, BY_CHEAPER + tier, by_cheaper.len() as i32);
                }
                cheaper |= attacked[tier];
            }
        }
    }

    /// The King's way to its goal: how far, and whether it is safe.
    pub(super) fn count_race<S: Sink>(&self, survey: &Survey<N>, color: Color, count: &mut Count<'_, S>) {
        let Self { position, values, terrain, tally, .. } = *self;
        let king = position.king(color);
        let Some(piece) = position.piece_at(king) else { return };
        let goals = &values.man(piece).goals;
        let steps = goals.iter().map(|&goal| values.king_steps(king, goal)).min().unwrap_or(0);
        let steps = (steps.max(0) as usize).min(RACE_STEPS - 1);
        count.add(color, RACE + steps, 1);
        if tally.phase(values) > OPEN_RACE_PHASE {
            return;
        }
        let goal: SquareSet<N> = goals.iter().copied().collect();
        let open = !(survey.by_all[(!color).index()] | position.men(color));
        let mut seen = SquareSet::of(king);
        let mut edge = seen;
        for steps in 1..RACE_STEPS {
            let mut next = SquareSet::EMPTY;
            edge.into_iter().for_each(|from| next |= terrain.around(from));
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
