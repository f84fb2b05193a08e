//! Everything beyond the moves of the pieces: aim, promotion, goals, castling, en passant, draws.

use crate::motion::Spot;
use crate::names::{name, names, spots};
use crate::text::{Attacks, CastlingWay, History, Name, Text};
use lozenge_rules::geometry::{Square, Symmetry};
use lozenge_rules::position::{ByColor, Color, RoleSet};
use lozenge_rules::variant::CastlingTerms;
use lozenge_rules::variant::Variant;

/// All rules, one point each.
pub(super) fn rules(variant: &Variant) -> Vec<Text> {
    let mut points = vec![Text::Aim];
    points.extend(variant.goals().iter().map(|(pieces, on)| {
        let pieces = names(variant, *pieces);
        match only_side(on) {
            Some(color) => Text::GoalOf { color, pieces, on: spots(variant.shape(), &on[color]) },
            None => Text::Goal { pieces, on: by_color(variant, on) },
        }
    }));
    promotions(variant, &mut points);
    fusions(variant, &mut points);
    if !variant.en_passant_roles().is_empty() {
        points.push(Text::EnPassant(names(variant, variant.en_passant_roles())));
    }
    castlings(variant, &mut points);
    draws(variant, &mut points);
    points
}

/// The side that alone has some squares, if there is one.
fn only_side(on: &ByColor<Vec<Square>>) -> Option<Color> {
    match on.each_ref().map(Vec::is_empty).into_array() {
        [false, true] => Some(Color::White),
        [true, false] => Some(Color::Black),
        _ => None,
    }
}

fn by_color(variant: &Variant, on: &ByColor<Vec<Square>>) -> ByColor<Vec<Spot>> {
    on.each_ref().map(|squares| spots(variant.shape(), squares))
}

/// A point for each promotion of one side, and for each group of pieces that are promoted alike.
fn promotions(variant: &Variant, points: &mut Vec<Text>) {
    let mut groups: Vec<RoleSet> = Vec::new();
    for (pieces, on, to) in variant.promotions() {
        if let Some(color) = only_side(on) {
            points.push(Text::PromotionOf {
                color,
                pieces: names(variant, *pieces),
                on: spots(variant.shape(), &on[color]),
                to: names(variant, *to),
            });
        } else if !groups.contains(pieces) {
            groups.push(*pieces);
        }
    }
    for group in groups {
        let zones: Vec<&(RoleSet, ByColor<Vec<Square>>, RoleSet)> = (variant.promotions().iter())
            .filter(|(pieces, on, _)| *pieces == group && only_side(on).is_none())
            .collect();
        let pieces = names(variant, group);
        points.push(match &zones[..] {
            [(_, on, to)] => Text::Promotion { pieces, on: by_color(variant, on), to: names(variant, *to) },
            _ => Text::Promotions {
                pieces,
                to: (zones.iter())
                    .map(|(_, on, to)| (spots(variant.shape(), &on[Color::White]), names(variant, *to)))
                    .collect(),
                turned: variant.symmetry() == Symmetry::Turn,
            },
        });
    }
    if variant.promotions().is_empty() {
        points.push(Text::NoPromotion);
    }
}

fn fusions(variant: &Variant, points: &mut Vec<Text>) {
    let make = |fusion: &lozenge_rules::variant::Fusion| {
        (fusion.parts.map(|part| name(variant, part)), name(variant, fusion.into))
    };
    if !variant.fusions().is_empty() {
        points.push(Text::Fusing(variant.fusions().iter().map(make).collect()));
        points.push(Text::Splitting);
    }
}

fn castlings(variant: &Variant, points: &mut Vec<Text>) {
    // The other starts of a shuffle have the same targets.
    let usual = variant.usual_castlings();
    let terms: Vec<CastlingTerms> =
        variant.castling_terms().into_iter().filter(|terms| usual.contains(&terms.info)).collect();
    for color in Color::BOTH {
        let ways = castling_ways(variant, &terms, color);
        if !ways.is_empty() {
            points.push(Text::Castling(color, ways));
        }
    }
    points.push(castling_terms(variant, &terms));
}

fn king(variant: &Variant) -> Name {
    variant.roles().royal().map_or_else(|| Name("King".into()), |royal| name(variant, royal))
}

/// The castlings of a side.
pub(crate) fn castling_ways(variant: &Variant, terms: &[CastlingTerms], color: Color) -> Vec<CastlingWay> {
    let shape = variant.shape();
    let squares = |(from, to): (Square, Square)| [shape.name(from), shape.name(to)];
    let way = |terms: &CastlingTerms| CastlingWay {
        short: terms.info.short,
        king: (king(variant), squares(terms.info.king)),
        rook: (name(variant, terms.rook.role()), squares(terms.info.rook)),
    };
    terms.iter().filter(|terms| terms.info.color == color).map(way).collect()
}

/// The conditions of these castlings.
pub(crate) fn castling_terms(variant: &Variant, terms: &[CastlingTerms]) -> Text {
    if terms.is_empty() {
        return Text::NoCastling;
    }
    let of = |test: &dyn Fn(&CastlingTerms) -> bool| terms.iter().all(test);
    let history = if of(&|terms| terms.unmoved) {
        History::Unmoved
    } else if of(&|terms| !terms.unmoved) {
        History::Forgotten
    } else {
        History::Mixed
    };
    let attacks = if of(&|terms| terms.out_of_check && !terms.crosses_safely) {
        Attacks::Free
    } else if of(&|terms| !terms.out_of_check) {
        Attacks::Strict
    } else {
        Attacks::Ends
    };
    Text::CastlingTerms { king: king(variant), history, attacks }
}

fn draws(variant: &Variant, points: &mut Vec<Text>) {
    let draws = variant.draws();
    let pawns: RoleSet = variant.roles().iter().filter(|(_, info)| info.pawn).map(|(role, _)| role).collect();
    points.push(Text::Stalemate(draws.stalemate));
    points.push(Text::Repetition(draws.repetition));
    points.push(Text::MoveCount { limit: draws.moves, pawns: names(variant, pawns) });
    let side = |letters: &str| -> Vec<Name> {
        letters
            .chars()
            .map(|letter| {
                let role = variant.roles().role(letter);
                role.map_or_else(|| Name(letter.to_string()), |role| name(variant, role))
            })
            .collect()
    };
    let material = (variant.dead().iter()).filter_map(|text| text.split_once(" v "));
    points.push(Text::Dead(material.map(|(first, second)| [side(first), side(second)]).collect()));
}
