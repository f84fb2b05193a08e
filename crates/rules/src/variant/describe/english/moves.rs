//! How pieces move, in English.

use super::{area, list, number};
use crate::variant::betza::{Leap, Manner};
use crate::variant::describe::motion::{
    Aim, Angle, Directions, Gained, Hand, Moves, Stretch, Toward, Turn, Verb, Way,
};
use crate::variant::{Condition, Edge, Gain};

/// What crooked riders do.
const ZIGZAG: &str = " in a zigzag, turning by a right angle at every step, left and right by turns";

/// A sentence.
pub(super) fn moves(moves: &Moves) -> String {
    let said: Vec<String> = moves.terms.iter().map(|(verb, ways)| term(*verb, ways)).collect();
    let said = said.join("; ");
    let also = if moves.also || moves.initial { "also " } else { "" };
    let limit = moves.gain.map_or("", gained);
    match (place(moves), moves.initial) {
        (Some(place), false) => format!("{place} it {also}{said}{limit}."),
        (Some(place), true) => format!("{place} as its first move it {also}{said}{limit}."),
        (None, true) => format!("As its first move it {also}{said}{limit}."),
        (None, false) if moves.opening => format!("{}{limit}.", capital(&said)),
        (None, false) => format!("It {also}{said}{limit}."),
    }
}

/// From where, as the beginning of a sentence.
fn place(moves: &Moves) -> Option<String> {
    let from = moves.from.as_ref().map(|from| format!("From {}", area(from)));
    match (from, moves.edge) {
        (Some(from), Some(edge)) => Some(format!("{from}, {},", missing(edge))),
        (None, Some(edge)) => Some(format!("{},", capital(&missing(edge)))),
        (from, None) => from,
    }
}

fn missing(edge: Edge) -> String {
    let direction = match edge {
        Edge::Ahead => "straight ahead",
        Edge::Behind => "straight behind",
        Edge::Left => "to the left",
        Edge::Right => "to the right",
        Edge::AheadLeft => "ahead to the left",
        Edge::AheadRight => "ahead to the right",
        Edge::BehindLeft => "behind to the left",
        Edge::BehindRight => "behind to the right",
    };
    format!("where there is no square {direction}")
}

/// A condition beside the text of the file.
pub(super) fn condition(condition: &Condition) -> String {
    let from = if condition.center { "the center of the own camp" } else { "the own camp" };
    let on = condition.on.as_ref().map(|on| format!("from {}", on.text));
    let gain = condition.gain.map(|gain| match gain {
        Gain::Any => format!("only farther from {from}"),
        Gain::Most => format!("only to the square farthest from {from}, if that is farther"),
        Gain::Level => format!("only to a square as far from {from}"),
    });
    on.into_iter().chain(condition.edge.map(missing)).chain(gain).collect::<Vec<_>>().join(", ")
}

fn gained(gained: Gained) -> &'static str {
    match gained {
        Gained::Center => ", but only with steps that take it farther from the center of its own camp",
        Gained::Farther => ", but only to a square farther from its own camp",
        Gained::Farthest => {
            ", but only to the one of these squares that is farthest from its own camp, and only if that takes it \
             farther away"
        }
        Gained::Level => ", but only to a square just as far from its own camp",
    }
}

fn term(verb: Verb, ways: &[Way]) -> String {
    let verb = match verb {
        Verb::Either => "moves or captures",
        Verb::Move => "moves without capturing",
        Verb::Capture => "captures",
    };
    let ways: Vec<String> = ways.iter().map(way).collect();
    // A comma where the alternatives have alternatives themselves.
    let comma = ways.iter().any(|way| way.contains(" or "));
    format!("{verb} {}", if comma { ways.join(", or ") } else { list(&ways, "or") })
}

/// How far and where: `any number of squares diagonally`.
fn way(way: &Way) -> String {
    match way {
        Way::Step(to) => format!("one square {}", directions(to)),
        Way::Leap { squares, directions: to, manner } => {
            let over = match manner {
                Manner::Lame if *squares == 2 => "if the square between is empty",
                Manner::Lame => "if the squares between are empty",
                Manner::Jump => "by jumping over a piece of either color, which must be there",
                _ => "leaping over whatever is between",
            };
            format!("exactly {} squares {}, {over}", number((*squares).into()), directions(to))
        }
        Way::Slide { most, directions: to, manner, zigzag, round } => {
            let over = match manner {
                Manner::HopOne => ", hopping over exactly one piece on the way and going on behind it",
                Manner::HopBehind => ", hopping over the first piece in the way and ending right behind it",
                Manner::Jump => ", passing over whatever stands on the first of them",
                _ => "",
            };
            let zigzag = if *zigzag { ZIGZAG } else { "" };
            format!("{} squares {}{zigzag}{over}{}", far(*most), directions(to), across(*round))
        }
        Way::Leaps { most, squares, directions: to, zigzag, round } => format!(
            "{} leaps of {} squares {}{}, one after the other over empty squares{}",
            far(*most),
            number((*squares).into()),
            directions(to),
            if *zigzag { ZIGZAG } else { "" },
            across(*round),
        ),
        Way::Oblique { leap, aim: to, lame } => {
            let over = if *lame {
                ", if the square beside it on its way is empty"
            } else {
                ", over whatever is between"
            };
            format!("{}{}{over}", oblique(*leap), aim(to))
        }
        Way::Obliques { most, leap, aim: to } => format!(
            "by {} leaps in one direction, each {}{}, while the squares they touch are empty",
            far(*most),
            oblique(*leap),
            aim(to)
        ),
        Way::Path(stretches) => path(stretches),
    }
}

fn far(most: Option<u8>) -> String {
    most.map_or_else(|| "any number of".into(), |most| format!("up to {}", number(most.into())))
}

fn across(round: bool) -> &'static str {
    if round { ", also across the joined edges but never back to its own square" } else { "" }
}

fn oblique((long, short): Leap) -> String {
    let along = format!(
        "{} squares along a file or rank and {} to the side",
        number(long.into()),
        number(short.into())
    );
    match (long, short) {
        (2, 1) => format!("like the knight of chess ({along})"),
        (3, 1) => format!("by a long knight's leap ({along})"),
        _ => format!("by a leap of {along}"),
    }
}

/// Which of the eight oblique leaps, if not all.
fn aim(aim: &Aim) -> String {
    match aim {
        Aim::All => String::new(),
        Aim::Forward => ", only forward".into(),
        Aim::Backward => ", only backward".into(),
        Aim::FarForward => ", only its two farthest ways forward".into(),
        Aim::FarBackward => ", only its two farthest ways backward".into(),
        Aim::Only(steps) => {
            let steps: Vec<String> = steps.iter().map(|(dx, dy)| format!("({dx},{dy})")).collect();
            format!(", for White only by {} in files and ranks", list(&steps, "and"))
        }
    }
}

fn directions(directions: &Directions) -> String {
    let half = directions.turned;
    let word = |toward: &Toward| {
        let [plain, turned] = match toward {
            Toward::Any => ["in any direction"; 2],
            Toward::Lines => ["along files and ranks"; 2],
            Toward::Diagonals => ["diagonally"; 2],
            Toward::ForwardOrBackward => ["straight forward or backward"; 2],
            Toward::Sideways => ["sideways"; 2],
            Toward::ForwardLeftOrRight => ["diagonally forward", "half left or half right forward"],
            Toward::BackwardLeftOrRight => ["diagonally backward", "half left or half right backward"],
            Toward::Forward => ["straight forward"; 2],
            Toward::Backward => ["straight backward"; 2],
            Toward::Left => ["to the left", "sideways to the left"],
            Toward::Right => ["to the right", "sideways to the right"],
            Toward::ForwardLeft => ["diagonally forward to the left", "half left forward"],
            Toward::ForwardRight => ["diagonally forward to the right", "half right forward"],
            Toward::BackwardLeft => ["diagonally backward to the left", "half left backward"],
            Toward::BackwardRight => ["diagonally backward to the right", "half right backward"],
        };
        String::from(if half { turned } else { plain })
    };
    list(&directions.toward.iter().map(word).collect::<Vec<_>>(), "or")
}

/// `one square diagonally, where it may end, then …`
fn path(stretches: &[Stretch]) -> String {
    let mut words = String::new();
    for (number, stretch) in stretches.iter().enumerate() {
        if number > 0 {
            words += if stretch.may_end_before {
                ", where it may end, then "
            } else {
                " without ending there, then "
            };
        }
        words += &leg(stretch);
        if !stretch.turns.is_empty() {
            words.push(' ');
            words += &list(&stretch.turns.iter().map(turn).collect::<Vec<_>>(), "or");
        }
    }
    words
}

/// How far a leg goes, and along what.
fn leg(Stretch { leap: (long, short), most, toward, .. }: &Stretch) -> String {
    if *short != 0 && short != long {
        return oblique((*long, *short));
    }
    let along = match toward {
        Some(toward) => directions(toward),
        None if *short == 0 => "along a file or rank".into(),
        None => "diagonally".into(),
    };
    let squares = number((*long).into());
    let far = match (long, most) {
        (1, Some(1)) => "one square".to_owned(),
        (1, Some(most)) => format!("one to {} squares", number((*most).into())),
        (1, None) => "one or more squares".into(),
        (_, Some(1)) => format!("{squares} squares at once"),
        (_, Some(most)) => format!("one to {} leaps of {squares} squares", number((*most).into())),
        (_, None) => format!("one or more leaps of {squares} squares"),
    };
    format!("{far} {along}")
}

fn turn(turn: &Turn) -> String {
    let angle = match turn.angle {
        Angle::Straight => "straight on",
        Angle::Outward => "outward at 45 degrees",
        Angle::Right => "at a right angle",
        Angle::Inward => "back at 135 degrees",
        Angle::Back => "straight back",
    };
    let side = match turn.side {
        None => "",
        Some(Hand::Left) => " to the left",
        Some(Hand::Right) => " to the right",
    };
    format!("{angle}{side}")
}

/// The first letter as a capital.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
