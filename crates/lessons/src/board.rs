//! Levels on the board: corners, where squares are missing, and edges that are joined.

use crate::learner::own;
use crate::level::{Goal, Level};
use crate::sandbox::Sandbox;
use crate::solver::{only_way, shortest};
use crate::text::Sentence;
use lozenge_rules::geometry::layout::View;
use lozenge_rules::geometry::{Coord, Square};
use lozenge_rules::position::{GamePosition, Role};

/// A change to a variant file that separates the joined edges.
const NOT_JOINED: &str = "[board]\nwrap = \"none\"\n";

/// Stars across an edge that are tried for each square of a piece.
const MOST_STARS: usize = 6;

/// Most moves of a level with corners.
const MOST_MOVES: u32 = 6;

/// Most moves around squares that are missing.
const MOST_AROUND: u32 = 3;

/// Free squares before those that are missing: a piece that goes over both slides.
const RUN: usize = 2;

pub(crate) fn levels(sandbox: &Sandbox) -> Vec<Level> {
    let wrap = sandbox.tables().shape().wrap();
    if wrap.files || wrap.ranks {
        return joined_edges(sandbox);
    }
    // The pieces that reach farthest come first.
    let first = |level: fn(&Sandbox, Role) -> Option<Level>| {
        sandbox.officers.iter().find_map(|&role| level(sandbox, role))
    };
    first(gap).or_else(|| first(corners)).into_iter().collect()
}

/// A star that is near only across an edge.
fn joined_edges(sandbox: &Sandbox) -> Vec<Level> {
    let Some(flat) = sandbox.changed(NOT_JOINED) else { return Vec::new() };
    let roles: Vec<Role> = sandbox.king().into_iter().chain(sandbox.officers.first().copied()).collect();
    let level = |&role: &Role| {
        sandbox.squares.iter().find_map(|&hero| {
            let stars = sandbox.reach(own(role), hero).quiet.iter().copied();
            let far = stars.filter(|&star| is_across(sandbox, hero, star)).take(MOST_STARS);
            far.into_iter().find_map(|star| {
                let position = sandbox.scene((hero, role), &[])?;
                let way = only_way(sandbox, &position, hero, &[star], 1)?;
                let flat = GamePosition::from_fen(&flat, &position.fen()).ok()?;
                let is_needed = shortest(sandbox, &flat, hero, &[star], 1, |_| true).is_none();
                is_needed.then(|| Level::new(&position, Sentence::Edges { role }, Goal::Stars, &[star], &way))
            })
        })
    };
    roles.iter().filter_map(level).collect()
}

/// Whether the short way between two squares is across an edge.
fn is_across(sandbox: &Sandbox, from: Square, to: Square) -> bool {
    let shape = sandbox.tables().shape();
    let (from, to) = (shape.coord(from), shape.coord(to));
    shape.wrap().files && from.file.abs_diff(to.file) > shape.width() / 2
        || shape.wrap().ranks && from.rank.abs_diff(to.rank) > shape.height() / 2
}

/// A star on the line of a sliding piece, behind squares that are missing.
fn gap(sandbox: &Sandbox, role: Role) -> Option<Level> {
    let directions =
        (-1..=1).flat_map(|file| (-1..=1).map(move |rank| (file, rank))).filter(|&step| step != (0, 0));
    sandbox.squares.iter().find_map(|&hero| {
        directions.clone().find_map(|step| {
            let star = behind_gap(sandbox, role, hero, step)?;
            let position = sandbox.scene((hero, role), &[])?;
            let way = only_way(sandbox, &position, hero, &[star], MOST_AROUND)?;
            (way.len() > 1).then(|| Level::new(&position, Sentence::Gap { role }, Goal::Stars, &[star], &way))
        })
    })
}

/// The first square behind missing ones in a direction, if the piece slides to them and the board is not joined around.
fn behind_gap(sandbox: &Sandbox, role: Role, hero: Square, (file, rank): (i8, i8)) -> Option<Square> {
    let shape = sandbox.tables().shape();
    let reach = &sandbox.reach(own(role), hero).quiet;
    let mut at = shape.coord(hero);
    let mut run = 0;
    let mut is_gap = false;
    loop {
        at = Coord { file: at.file.checked_add_signed(file)?, rank: at.rank.checked_add_signed(rank)? };
        if at.file >= shape.width() || at.rank >= shape.height() {
            return None;
        }
        match shape.at(at) {
            None => is_gap = true,
            Some(star) if is_gap => return (run >= RUN && !reach.contains(&star)).then_some(star),
            Some(square) => run += usize::from(reach.contains(&square)),
        }
    }
}

/// On a board that stands on its corner: from the player's own corner to the others.
fn corners(sandbox: &Sandbox, role: Role) -> Option<Level> {
    if sandbox.tables().view() != View::Diamond {
        return None;
    }
    let shape = sandbox.tables().shape();
    let place = |square: &Square| {
        let at = shape.coord(*square);
        (i32::from(at.file) + i32::from(at.rank), i32::from(at.file) - i32::from(at.rank))
    };
    let squares = || sandbox.squares.iter().copied();
    let own_corner = squares().min_by_key(|square| place(square).0)?;
    let left = squares().min_by_key(|square| place(square).1)?;
    let far = squares().max_by_key(|square| place(square).0)?;
    let right = squares().max_by_key(|square| place(square).1)?;
    let stars: Vec<Square> = [left, far, right].into_iter().filter(|&star| star != own_corner).collect();
    let position = sandbox.scene((own_corner, role), &[])?;
    let tour = |count| {
        let way = only_way(sandbox, &position, own_corner, &stars[..count], MOST_MOVES)?;
        Some(Level::new(&position, Sentence::Corners { role }, Goal::Stars, &stars[..count], &way))
    };
    (1..=stars.len()).rev().find_map(tour)
}
