//! The chapter of the men: each with its letter, name, moves in words, Betza text and diagrams.

use super::diagram::{BLOCKER, Diagram, VICTIM, blocked, diagrams};
use super::paths::turns_or_hops;
use super::words::{Page, mobility, wrap};
use super::{WIDTH, moves};
use crate::position::Role;
use crate::variant::{RoleInfo, Variant};

/// Columns between a diagram and what stands beside it.
const GUTTER: usize = 4;

/// All men: the King, the others in the order of their reach, pawns last.
pub(super) fn men(variant: &Variant, page: &mut Page) {
    let mut drawn = Vec::new();
    for (role, info) in variant.men().iter() {
        let order = (!info.royal, info.pawn, core::cmp::Reverse(mobility(variant, role)));
        let (mut pictures, many) = diagrams(variant, role, info);
        if info.moves.iter().any(|(betza, _)| turns_or_hops(betza)) {
            pictures.extend(blocked(variant, role));
        }
        drawn.push((order, role, info, (pictures, many)));
    }
    drawn.sort_by_key(|(order, ..)| *order);
    let used = |mark: char| {
        drawn.iter().any(|(_, _, info, (diagrams, _))| {
            let signs =
                diagrams.iter().flat_map(|diagram| diagram.lines.iter()).flat_map(|line| line.chars());
            signs.clone().any(|sign| sign == mark && sign != info.letter)
        })
    };
    let marks: Vec<&str> = [
        ('o', "o moves or captures there"),
        ('m', "m moves there without capturing"),
        ('x', "x only captures there"),
        ('i', "i moves there as its first move"),
        ('h', "h goes there across one man on the way"),
        (BLOCKER, "# is a man in the way"),
        (VICTIM, "X one that it captures, if it is an enemy"),
    ]
    .into_iter()
    .filter(|&(mark, _)| used(mark))
    .map(|(_, words)| words)
    .collect();
    page.paragraph(&format!(
        "Each is drawn as White's, alone on the board: {}. Betza is the notation of the moves in the game's file.",
        marks.join("; ")
    ));
    for (_, role, info, (diagrams, many)) in &drawn {
        man(variant, (*role, info), diagrams, *many, page);
    }
}

fn man(
    variant: &Variant,
    (role, info): (Role, &RoleInfo),
    diagrams: &[Diagram],
    many: bool,
    page: &mut Page,
) {
    page.gap();
    page.verbatim(&[format!("{}  {}", info.letter, info.name)]);
    page.gap();
    let mut words = vec![moves::moves(variant, role, info)];
    words.push(betza(info));
    match diagrams {
        [diagram] => {
            let wide = width(diagram);
            let text: Vec<String> = words
                .iter()
                .enumerate()
                .flat_map(|(number, words)| {
                    let gap = (number > 0).then(String::new);
                    gap.into_iter().chain(wrap(words, WIDTH - 4 - wide - GUTTER))
                })
                .collect();
            page.verbatim(&beside(&[(diagram.lines.clone(), wide), (text, 0)], 4));
        }
        _ => {
            for words in &words {
                for line in wrap(words, WIDTH - 4) {
                    page.verbatim(&[format!("    {line}")]);
                }
            }
            page.gap();
            rows(diagrams, many, page);
        }
    }
}

/// Diagrams side by side with their captions below, as many in a row as there is room for.
fn rows(diagrams: &[Diagram], many: bool, page: &mut Page) {
    let mut left = diagrams;
    while !left.is_empty() {
        let mut used = 4;
        let fits = left.iter().take_while(|diagram| {
            used += width(diagram) + GUTTER;
            used <= WIDTH + GUTTER
        });
        let (row, rest) = left.split_at(fits.count().max(1));
        let tallest = row.iter().map(|diagram| diagram.lines.len()).max().unwrap_or(0);
        let columns: Vec<(Vec<String>, usize)> = row
            .iter()
            .map(|diagram| {
                let mut lines = diagram.lines.clone();
                lines.resize(tallest, String::new());
                lines.push(diagram.caption.clone());
                (lines, width(diagram))
            })
            .collect();
        page.verbatim(&beside(&columns, 4));
        page.gap();
        left = rest;
    }
    if many {
        page.verbatim(&["    Elsewhere accordingly.".to_owned()]);
    }
}

fn width(diagram: &Diagram) -> usize {
    let lines = diagram.lines.iter().chain([&diagram.caption]);
    lines.map(|line| line.chars().count()).max().unwrap_or(0)
}

/// Blocks of lines side by side, each with its width, after `indent` spaces.
fn beside(blocks: &[(Vec<String>, usize)], indent: usize) -> Vec<String> {
    let height = blocks.iter().map(|(lines, _)| lines.len()).max().unwrap_or(0);
    (0..height)
        .map(|row| {
            let mut line = " ".repeat(indent);
            for (lines, wide) in blocks {
                let text = lines.get(row).map_or("", String::as_str);
                line += text;
                line += &" ".repeat((wide + GUTTER).saturating_sub(text.chars().count()));
            }
            line.trim_end().to_owned()
        })
        .collect()
}

/// The Betza text, with the conditions of its parts.
fn betza(info: &RoleInfo) -> String {
    let parts: Vec<String> = info
        .moves
        .iter()
        .map(
            |(betza, condition)| {
                if condition.is_empty() { betza.clone() } else { format!("{betza} ({condition})") }
            },
        )
        .collect();
    format!("Betza: {}", parts.join("; "))
}
