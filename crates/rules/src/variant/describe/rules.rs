//! Everything beyond the moves of the men: aim, promotion, goals, castling, en passant, draws.

use super::words::{Page, article, capital, list, number, roles, squares, symmetry_shortly};
use crate::geometry::Square;
use crate::position::{Color, RoleSet};
use crate::variant::reach::CastlingTerms;
use crate::variant::{Limit, Stalemate, Variant};

/// All rules, one point each.
pub(super) fn rules(variant: &Variant, page: &mut Page) {
    page.item(
        "White moves first. A move may not leave one's own King attacked. Who is in check and has no legal \
         move is checkmated and has lost.",
    );
    for goal in goals(variant) {
        page.item(&goal);
    }
    promotions(variant, page);
    fusions(variant, page);
    en_passant(variant, page);
    castlings(variant, page);
    draws(variant, page);
}

/// The men of a set with a word before: `a white Pawn or King`.
fn one_of(variant: &Variant, men: RoleSet, color: &str) -> String {
    let names = roles(variant, men, "or");
    article(&format!("{color} {names}"))
}

fn goals(variant: &Variant) -> Vec<String> {
    let shape = variant.shape();
    (variant.goals().iter())
        .map(|(men, [white, black])| {
            format!(
                "{} that arrives on {} by a legal move wins at once, and so does {} on {}.",
                capital(&one_of(variant, *men, "white")),
                squares(shape, white, "or"),
                one_of(variant, *men, "black"),
                squares(shape, black, "or"),
            )
        })
        .collect()
}

fn promotions(variant: &Variant, page: &mut Page) {
    let shape = variant.shape();
    let mut groups: Vec<RoleSet> = Vec::new();
    for (men, ..) in variant.promotions() {
        if !groups.contains(men) {
            groups.push(*men);
        }
    }
    for group in groups {
        let zones: Vec<&(RoleSet, [Vec<Square>; 2], RoleSet)> =
            variant.promotions().iter().filter(|(men, ..)| *men == group).collect();
        let becomes: Vec<String> = zones
            .iter()
            .map(|(_, [white, _], to)| {
                format!("on {} {}", squares(shape, white, "or"), article(&roles(variant, *to, "or")))
            })
            .collect();
        let text = match &zones[..] {
            [(_, [white, black], to)] => format!(
                "{} that arrives on {}, or a black one on {}, must be promoted to {}.",
                capital(&one_of(variant, group, "white")),
                squares(shape, white, "or"),
                squares(shape, black, "or"),
                article(&roles(variant, *to, "or")),
            ),
            _ => format!(
                "{} must be promoted when it arrives on certain squares; what it becomes depends on the square: {}. For \
                 Black the same squares {} count.",
                capital(&one_of(variant, group, "white")),
                becomes.join("; "),
                symmetry_shortly(variant)
            ),
        };
        page.item(&text);
    }
    if variant.promotions().is_empty() {
        page.item("There is no promotion.");
    }
}

fn fusions(variant: &Variant, page: &mut Page) {
    if variant.fusions().is_empty() {
        return;
    }
    let name = |role| variant.men().info(role).name.as_str();
    let pairs: Vec<String> = (variant.fusions().iter())
        .map(|fusion| {
            let [one, other] = fusion.parts.map(name);
            format!("{one} and {other} make {}", article(name(fusion.into)))
        })
        .collect();
    page.item(&format!(
        "Fusing: a man may move onto a man of its own side, as if it captured it, and the two become one: {}. A compound \
         does not fuse any further. The move is written as any other, from square to square (e4e6), in game records \
         without the sign of a capture (Re6).",
        pairs.join("; ")
    ));
    page.item(
        "Splitting: one part of a compound may leave it, by its own move without capture to an empty square, and the \
         other part stays. The letter of the part that leaves is written behind the move (e4e6r, in game records Qe6R). \
         Neither fusing nor splitting is a capture, and neither restarts the count of moves.",
    );
}

fn en_passant(variant: &Variant, page: &mut Page) {
    let men = variant.en_passant_men();
    if men.is_empty() {
        return;
    }
    let names = roles(variant, men, "or");
    page.item(&format!(
        "En passant: directly after {} has made its first move of two squares, {} of the other side that could capture on the \
         square it crossed may do so, as if it had gone only one square.",
        article(&names),
        article(&names)
    ));
}

fn castlings(variant: &Variant, page: &mut Page) {
    let terms = variant.castling_terms();
    if terms.is_empty() {
        page.item("There is no castling.");
        return;
    }
    let shape = variant.shape();
    let king = variant.men().royal().map_or("King", |royal| &variant.men().info(royal).name);
    for color in Color::BOTH {
        let of_color: Vec<&CastlingTerms> = terms.iter().filter(|terms| terms.info.color == color).collect();
        let ways: Vec<String> = of_color
            .iter()
            .map(|terms| {
                let name = |square: Square| shape.name(square);
                let (kings, rooks) = (terms.info.king, terms.info.rook);
                let man = &variant.men().info(terms.rook.role()).name;
                let label = if terms.info.short { "short (O-O)" } else { "long (O-O-O)" };
                if kings.1 == rooks.0 && kings.0 == rooks.1 {
                    format!("{label}, {king} {} and {man} {} trade places", name(kings.0), name(rooks.0))
                } else {
                    let ([a, b], [c, d]) = ([kings.0, kings.1].map(name), [rooks.0, rooks.1].map(name));
                    format!("{label}, {king} {a} to {b} and {man} {c} to {d}")
                }
            })
            .collect();
        if !ways.is_empty() {
            page.item(&format!("Castling, {color}: {}.", ways.join("; ")));
        }
    }
    let of = |test: &dyn Fn(&CastlingTerms) -> bool| terms.iter().all(test);
    let history = if of(&|terms| terms.unmoved) {
        format!("{king} and rook must not have moved before")
    } else if of(&|terms| !terms.unmoved) {
        "history does not matter: it is enough that both stand on their squares".into()
    } else {
        "some castlings need a right that is lost when King or rook moves, see the starting position".into()
    };
    let check = if of(&|terms| terms.out_of_check && !terms.crosses_safely) {
        format!("the {king} may castle out of check and across attacked squares, but may not end in check")
    } else if of(&|terms| !terms.out_of_check) {
        format!("the {king} may not castle out of check, across an attacked square or into check")
    } else {
        format!("the {king} may not end in check")
    };
    page.item(&format!(
        "For castling {history}; all squares between the two and on their ways must be empty; {check}."
    ));
}

fn draws(variant: &Variant, page: &mut Page) {
    let draws = variant.draws();
    page.item(match draws.stalemate {
        Stalemate::Draw => "Who is not in check but has no legal move is stalemated, and the game is drawn.",
        Stalemate::Loss => "Who is not in check but has no legal move is stalemated and has lost.",
        Stalemate::Win => "Who is not in check but has no legal move is stalemated and has won.",
    });
    let times = |count: u32| match count {
        1 => "once".to_owned(),
        2 => "twice".into(),
        count => format!("{} times", number(count as usize)),
    };
    match draws.repetition {
        Limit { claim: 0, end: 0 } => page.item("Repetition of positions does not draw the game."),
        Limit { claim: 0, end } => page.item(&format!("A position that occurs {} ends the game as a draw.", times(end))),
        Limit { claim, end: 0 } => {
            page.item(&format!("A player may claim a draw when the position has occurred {}.", times(claim)));
        }
        Limit { claim, end } => page.item(&format!(
            "A player may claim a draw when the position has occurred {}; the {} occurrence ends the game as a draw.",
            times(claim),
            ordinal(end)
        )),
    }
    let men = men_that_count(variant);
    match draws.moves {
        Limit { claim: 0, end: 0 } => page.item("There is no limit to the number of moves."),
        Limit { claim: 0, end } => page.item(&format!(
            "{end} moves by each side without a capture {men} end the game as a draw."
        )),
        Limit { claim, end: 0 } => page.item(&format!(
            "After {claim} moves by each side without a capture {men} a player may claim a draw."
        )),
        Limit { claim, end } => page.item(&format!(
            "After {claim} moves by each side without a capture {men} a player may claim a draw; {end} such moves by \
             each side end the game as a draw."
        )),
    }
    dead(variant, page);
}

/// `or a Pawn's move`, if there are pawns.
fn men_that_count(variant: &Variant) -> String {
    let pawns: RoleSet = variant.men().iter().filter(|(_, info)| info.pawn).map(|(role, _)| role).collect();
    if pawns.is_empty() {
        String::new()
    } else {
        format!("or a move of {}", article(&roles(variant, pawns, "or")))
    }
}

fn ordinal(number: u32) -> String {
    match number {
        2 => "second".into(),
        3 => "third".into(),
        4 => "fourth".into(),
        5 => "fifth".into(),
        6 => "sixth".into(),
        number => format!("{number}th"),
    }
}

fn dead(variant: &Variant, page: &mut Page) {
    let side = |letters: &str| -> String {
        let names: Vec<String> = letters
            .chars()
            .map(|letter| {
                let role = variant.men().role(letter);
                role.map_or_else(|| letter.to_string(), |role| variant.men().info(role).name.clone())
            })
            .collect();
        list(&names, "and")
    };
    let material: Vec<String> = (variant.dead().iter())
        .filter_map(|text| text.split_once(" v "))
        .map(|(first, second)| format!("{} against {}", side(first), side(second)))
        .collect();
    match &material[..] {
        [] => page.item("No position counts as dead for its material: even a bare King plays on."),
        material => page.item(&format!(
            "The game is drawn at once when nobody can win any more with the men that are left: {}.",
            list(material, "or")
        )),
    }
}
