//! Evaluation: what a position is worth without searching, from the side to move. Everything in it
//! is derived from the game's own geometry; nothing here knows any game.
//!
//! Material and placement are summed move by move ([`Tally`]); mobility, attacks on the King,
//! shelter and the driving of a bare King are counted when asked for.

mod advance;
mod fingerprint;
mod material;
mod terrain;
mod values;

pub use fingerprint::fingerprint;
pub(crate) use terrain::Terrain;
pub use values::Values;

use crate::score::EVALUATION_LIMIT;
use crate::tunables::Tunables;
use lozenge_rules::geometry::Square;
use lozenge_rules::position::{Color, Observer, Piece, Position};
use lozenge_rules::variant::Rules;

/// Sums that follow from what stands where, by color, kept up to date move by move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Tally {
    /// Material and placement, in centipawns.
    pub(crate) placement: [i32; 2],
    /// Material other than pawns and Kings, in centipawns.
    pub(crate) force: [i32; 2],
    /// Men other than pawns and Kings.
    pub(crate) officers: [i32; 2],
    /// Pawns.
    pub(crate) pawns: [i32; 2],
}

impl Tally {
    /// The sums of a position.
    pub(crate) fn of<const N: usize>(position: &Position<N>, values: &Values) -> Self {
        let mut listener = Listener { tally: Self::default(), values };
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                listener.put(piece, square);
            }
        }
        listener.tally
    }
}

/// Hears what a move changes and adds it up.
pub(crate) struct Listener<'v> {
    /// The sums so far.
    pub(crate) tally: Tally,
    /// The values to sum.
    pub(crate) values: &'v Values,
}

impl Listener<'_> {
    #[inline]
    fn count(&mut self, piece: Piece, square: Square, sign: i32) {
        let color = piece.color().index();
        let man = self.values.man(piece);
        self.tally.placement[color] += sign * self.values.placement(piece, square);
        self.tally.force[color] += sign * man.force;
        self.tally.officers[color] += sign * i32::from(man.force > 0);
        self.tally.pawns[color] += sign * i32::from(man.pawn);
    }
}

impl Observer for Listener<'_> {
    #[inline]
    fn lift(&mut self, piece: Piece, square: Square) {
        self.count(piece, square, -1);
    }
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.count(piece, square, 1);
    }
}

/// The static evaluation, in centipawns from the side to move.
pub(crate) fn evaluate<const N: usize>(
    position: &Position<N>,
    rules: &Rules<N>,
    values: &Values,
    terrain: &Terrain<N>,
    tunables: &Tunables,
    tally: &Tally,
) -> i32 {
    let mut score = 0;
    for color in Color::BOTH {
        let activity = activity(position, rules, values, terrain, tunables, color);
        let shelter = shelter(position, values, terrain, tunables, tally, color);
        let own = tally.placement[color.index()] + activity + shelter;
        score += if color == position.turn() { own } else { -own };
    }
    score += drive(position, values, tunables, tally);
    if is_hard_to_win(position, values, tunables, tally, score) {
        score /= 8;
    }
    (score + tunables.tempo).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
}

/// Mobility of the officers, against what is usual for their kind, and their attacks on squares
/// next to the enemy King.
fn activity<const N: usize>(
    position: &Position<N>,
    rules: &Rules<N>,
    values: &Values,
    terrain: &Terrain<N>,
    tunables: &Tunables,
    color: Color,
) -> i32 {
    let (own, enemy) = (position.men(color), position.men(!color));
    let zone = terrain.around(position.king(!color));
    let (mut sixteenths, mut attacks, mut attackers) = (0, 0, 0);
    for from in own {
        let Some(piece) = position.piece_at(from) else { continue };
        let man = values.man(piece);
        if man.mobility == 0 {
            continue;
        }
        let reach = rules.reach(piece, from, own, enemy);
        sixteenths += man.mobility * (reach.len() as i32 * 16 - man.usual_reach) / 16;
        let hits = (reach & zone).len() as i32;
        attacks += hits;
        attackers += i32::from(hits > 0);
    }
    sixteenths / 16 + tunables.king_attack * attacks * (attackers - 1).clamp(0, 4)
}

/// Own men next to the King, worth more the more the enemy still has to attack with.
fn shelter<const N: usize>(
    position: &Position<N>,
    values: &Values,
    terrain: &Terrain<N>,
    tunables: &Tunables,
    tally: &Tally,
    color: Color,
) -> i32 {
    let near = (terrain.around(position.king(color)) & position.men(color)).len().min(5) as i32;
    let danger = tally.force[(!color).index()].min(values.full_force());
    tunables.shelter * near * danger / values.full_force().max(1)
}

/// Whether the side that is ahead, by `score` from the side to move, has no pawn and so small a lead
/// that it will hardly give mate (a rule of thumb of H. G. Muller's).
fn is_hard_to_win<const N: usize>(
    position: &Position<N>,
    values: &Values,
    tunables: &Tunables,
    tally: &Tally,
    score: i32,
) -> bool {
    let ahead = if score > 0 { position.turn() } else { !position.turn() };
    let lead = tally.force[ahead.index()] - tally.force[(!ahead).index()];
    tally.pawns[ahead.index()] == 0 && lead < tunables.mating_lead && !values.king_has_goal(ahead)
}

/// In an ending that one side wins by material against hardly more than a King, that King is driven
/// to where it has few squares, and the other King comes near. From the side to move.
fn drive<const N: usize>(position: &Position<N>, values: &Values, tunables: &Tunables, tally: &Tally) -> i32 {
    let lead = tally.force[0] - tally.force[1];
    let strong = if lead > 0 { Color::White } else { Color::Black };
    let weak = (!strong).index();
    if lead == 0 || tally.pawns[weak] > 0 || tally.officers[weak] > 1 {
        return 0;
    }
    let (hunter, hunted) = (position.king(strong), position.king(!strong));
    let bonus = tunables.drive * values.remoteness(hunted)
        + tunables.approach * (values.farthest() - values.king_steps(hunter, hunted));
    if strong == position.turn() { bonus } else { -bonus }
}
