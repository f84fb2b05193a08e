//! Games of three and four in the wire's words: the seats of colors, and where pieces reach. Not here: what is legal.

use lozenge_analysis::position::seat_color;
use lozenge_rules::position::AnyMultiPosition;
use lozenge_rules::seat::Seat;
use lozenge_rules::variant::MultiVariant;
use lozenge_wire::Color;

/// The colors of the players of a game, in the order of the turns.
#[must_use]
pub fn seat_colors(game: &MultiVariant) -> &'static [Color] {
    Color::of_players(game.seats().len() as usize)
}

/// The seat of a color; `None` for White and Black, who play games of two.
#[must_use]
pub fn seat_of(color: Color) -> Option<Seat> {
    Seat::ALL.into_iter().find(|&seat| seat_color(seat) == color)
}

/// By square, the destinations of the piece there if it were its owner's turn.
#[must_use]
pub fn multi_reach(position: &AnyMultiPosition) -> Vec<Vec<u16>> {
    let mut all = vec![Vec::new(); position.variant().shape().len()];
    for (from, to) in position.reach() {
        all[from.index()] = to.into_iter().map(|to| to.index() as u16).collect();
    }
    all
}
