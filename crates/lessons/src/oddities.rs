//! Levels on what is odd in a game. A level stays only if it needs the oddity: within the same number of moves it cannot be
//! solved without.

use crate::learner::{LEARNER, Learned as _, NEXT, color, next, own};
use crate::level::{Goal, Level};
use crate::sandbox::{Sandbox, four};
use crate::solver::{only_way, shortest};
use crate::text::Sentence;
use lozenge_rules::geometry::{Coord, Square};
use lozenge_rules::library::AnyGame;
use lozenge_rules::position::{AnyPosition, Cell, GamePosition, Move, Piece, Role};
use lozenge_rules::setup::multi;
use lozenge_rules::variant::Reach;
use lozenge_rules::variant::betza::Manner;
use std::collections::{BTreeMap, BTreeSet};
use std::iter;

/// Most levels with moves that depend on where a piece stands.
const MOST_PLACES: usize = 3;

/// Most levels with captures across a piece.
const MOST_HOPS: usize = 2;

pub(crate) fn levels(sandbox: &Sandbox, kinds: &[Role]) -> Vec<Level> {
    let places = kinds.iter().filter_map(|&role| by_place(sandbox, role)).take(MOST_PLACES);
    let captures = kinds.iter().filter_map(|&role| capture_by_place(sandbox, role)).take(MOST_PLACES);
    let hops = kinds.iter().filter_map(|&role| hop(sandbox, role)).take(MOST_HOPS);
    let first = kinds.iter().filter_map(|&role| first_move(sandbox, role)).take(1);
    first
        .chain(places)
        .chain(captures)
        .chain(hops)
        .chain(en_passant(sandbox))
        .chain(promotion(sandbox, kinds))
        .chain(promotion_by_square(sandbox, kinds))
        .chain(castling(sandbox))
        .chain(fusion(sandbox))
        .collect()
}

/// A level with one star that a piece reaches in one move, but not without the odd one.
fn star_level(
    sandbox: &Sandbox,
    hero: (Square, Role),
    star: Square,
    sentence: Sentence,
    usual: impl Fn(Move) -> bool,
) -> Option<Level> {
    let position = sandbox.scene(hero, &[])?;
    let way = only_way(sandbox, &position, hero.0, &[star], 1)?;
    if shortest(sandbox, &position, hero.0, &[star], 1, usual).is_some() {
        return None;
    }
    Some(Level::new(&position, sentence, Goal::Stars, &[star], &way))
}

/// A first move that a piece cannot make later.
fn first_move(sandbox: &Sandbox, role: Role) -> Option<Level> {
    sandbox.start_squares(own(role)).into_iter().find_map(|hero| {
        let reach = sandbox.reach(own(role), hero);
        let star = *reach.first.last()?;
        star_level(sandbox, (hero, role), star, Sentence::FirstMove { role }, |played| {
            !reach.first.contains(&played.to)
        })
    })
}

/// A move that a piece has on few squares only.
fn by_place(sandbox: &Sandbox, role: Role) -> Option<Level> {
    let places = Places::of(sandbox, role, |reach| &reach.quiet);
    let odd = |played: (Square, Square)| places.is_rare(sandbox, played);
    sandbox.squares.iter().find_map(|&hero| {
        let reach = sandbox.reach(own(role), hero);
        let star = *reach.quiet.iter().find(|&&to| odd((hero, to)))?;
        let usual = |played: Move| !odd((played.from, played.to));
        star_level(sandbox, (hero, role), star, Sentence::Place { role }, usual)
    })
}

/// A capture that a piece has on few squares only, where it may not move without capturing.
fn capture_by_place(sandbox: &Sandbox, role: Role) -> Option<Level> {
    let victim = sandbox.officers.last().copied()?;
    let places = Places::of(sandbox, role, |reach| &reach.capture);
    sandbox.squares.iter().find_map(|&hero| {
        let reach = sandbox.reach(own(role), hero);
        let is_odd = |star: &&Square| !reach.quiet.contains(star) && places.is_rare(sandbox, (hero, **star));
        let star = *reach.capture.iter().find(is_odd)?;
        let position = sandbox.scene((hero, role), &[(star, next(victim))])?;
        let way = only_way(sandbox, &position, hero, &[star], 1)?;
        Some(Level::new(&position, Sentence::PlaceCapture { role }, Goal::Capture, &[star], &way))
    })
}

/// From how many squares a piece has each step.
struct Places {
    /// By step in files and ranks: the squares with that move, and those where there is a square for it.
    counts: BTreeMap<(i32, i32), (usize, usize)>,
}

impl Places {
    fn of(sandbox: &Sandbox, role: Role, targets: impl Fn(&Reach) -> &Vec<Square>) -> Self {
        let mut counts: BTreeMap<(i32, i32), (usize, usize)> = BTreeMap::new();
        let shape = sandbox.tables().shape();
        for &from in &sandbox.squares {
            for &to in targets(sandbox.reach(own(role), from)) {
                counts.entry(step(shape.coord(from), shape.coord(to))).or_default().0 += 1;
            }
        }
        for (&(files, ranks), count) in &mut counts {
            let there = |&&from: &&Square| {
                let at = shape.coord(from);
                let file = u8::try_from(i32::from(at.file) + files);
                let rank = u8::try_from(i32::from(at.rank) + ranks);
                file.is_ok_and(|file| rank.is_ok_and(|rank| shape.at(Coord { file, rank }).is_some()))
            };
            count.1 = sandbox.squares.iter().filter(there).count();
        }
        Self { counts }
    }

    /// Whether a piece has a step on fewer than half of the squares from which there is room for it, and the step is short.
    /// A hole often blocks a long slide.
    fn is_rare(&self, sandbox: &Sandbox, (from, to): (Square, Square)) -> bool {
        let shape = sandbox.tables().shape();
        let step = step(shape.coord(from), shape.coord(to));
        let (with, room) = self.counts.get(&step).copied().unwrap_or_default();
        step.0.abs().max(step.1.abs()) <= 2 && 2 * with < room
    }
}

fn step(from: Coord, to: Coord) -> (i32, i32) {
    (i32::from(to.file) - i32::from(from.file), i32::from(to.rank) - i32::from(from.rank))
}

/// A capture across a piece, which is impossible without it.
fn hop(sandbox: &Sandbox, role: Role) -> Option<Level> {
    let atoms = sandbox.tables().roles().info(role).moves.iter().flat_map(|group| &group.atoms);
    let is_hop = |manner| matches!(manner, Manner::Jump | Manner::HopOne | Manner::HopBehind);
    if !atoms.into_iter().any(|atom| atom.capture && is_hop(atom.manner)) {
        return None;
    }
    let victim = sandbox.officers.last().copied()?;
    sandbox.squares.iter().find_map(|&hero| {
        let reach = sandbox.reach(own(role), hero);
        let near = || reach.quiet.iter().chain(&reach.over).copied();
        let captures =
            |star: Square, pieces: &[Square]| sandbox.reach_among(role, hero, pieces).1.contains(&star);
        near().find_map(|star| {
            let is_screen = |&screen: &Square| screen != star && captures(star, &[screen, star]);
            let screen = near().find(is_screen).filter(|_| !captures(star, &[star]))?;
            let others = [(screen, own(victim)), (star, next(victim))];
            let position = sandbox.scene((hero, role), &others)?;
            // A King may be hopped over, too.
            let stays = |&at: &Square| at != screen && at != hero && position.piece(at).is_some();
            let others: Vec<Square> = sandbox.squares.iter().copied().filter(stays).collect();
            let way = only_way(sandbox, &position, hero, &[star], 1).filter(|_| !captures(star, &others))?;
            Some(Level::new(&position, Sentence::Hop { role }, Goal::Capture, &[star], &way))
        })
    })
}

/// A pawn of Black has just gone two squares: it can be captured in passing.
fn en_passant(sandbox: &Sandbox) -> Option<Level> {
    let king = sandbox.king()?;
    let roles = sandbox.tables().en_passant_roles();
    let kings =
        [own(king), next(king)].map(|piece| sandbox.start_squares(piece).first().map(|&at| (at, piece)));
    let [Some(king), Some(enemy)] = kings else { return None };
    roles.iter().find_map(|role| {
        sandbox.start_squares(next(role)).into_iter().find_map(|from| {
            let captors = |&&at: &&Square| at != from && at != king.0 && at != enemy.0;
            sandbox.squares.iter().filter(captors).find_map(|&at| {
                let pieces = [king, enemy, (at, own(role)), (from, next(role))];
                let before = sandbox.position(&pieces, NEXT).filter(|position| !position.is_check())?;
                let steps = before.legal_moves().into_iter().filter(|played| played.from == from);
                steps.map(|played| before.after(played)).find_map(|position| {
                    special(&position, Sentence::EnPassant { role }, Goal::EnPassant, Move::is_en_passant)
                })
            })
        })
    })
}

/// A piece stands one move before its promotion.
fn promotion(sandbox: &Sandbox, kinds: &[Role]) -> Option<Level> {
    let promoted = sandbox.tables().promotions().iter().flat_map(|(roles, _, _)| roles.iter());
    promoted.filter(|role| kinds.contains(role)).find_map(|role| {
        sandbox.squares.iter().find_map(|&hero| {
            let position = sandbox.scene((hero, role), &[])?;
            special(&position, Sentence::Promotion { role }, Goal::Promote, Move::is_promotion)
        })
    })
}

/// Two promotion squares in reach, of which only the one with the star has the best choice.
fn promotion_by_square(sandbox: &Sandbox, kinds: &[Role]) -> Option<Level> {
    let victim = sandbox.officers.last().copied()?;
    let promotions = sandbox.tables().promotions();
    kinds.iter().find_map(|&role| {
        let choices = |square: Square| {
            let of_role = promotions.iter().filter(|(roles, ..)| roles.contains(role));
            let there = of_role.filter(|(_, squares, _)| squares[color(LEARNER)].contains(&square));
            there.flat_map(|(_, _, into)| into.iter()).collect::<BTreeSet<Role>>()
        };
        sandbox.squares.iter().find_map(|&hero| {
            let reach = sandbox.reach(own(role), hero);
            let star = *reach.quiet.iter().find(|&&star| !choices(star).is_empty())?;
            let fewer = |&&square: &&Square| {
                let [few, many] = [choices(square), choices(star)];
                !few.is_empty() && few.len() < many.len() && few.is_subset(&many)
            };
            let other = *reach.capture.iter().find(fewer)?;
            let into = choices(star)
                .difference(&choices(other))
                .copied()
                .max_by_key(|&role| sandbox.mobility(role))?;
            let position = sandbox.scene((hero, role), &[(other, next(victim))])?;
            let way = only_way(sandbox, &position, hero, &[star], 1)?;
            let played = position
                .legal_moves()
                .into_iter()
                .find(|played| played.to == star && played.promotion() == Some(into));
            let way = played.map_or(way, |played| vec![played]);
            Some(Level::new(
                &position,
                Sentence::PromotionBySquare { role, into },
                Goal::Stars,
                &[star],
                &way,
            ))
        })
    })
}

/// The starting position without the pieces in the way of castling.
fn castling(sandbox: &Sandbox) -> Option<Level> {
    let castlings = match &sandbox.game {
        AnyGame::Two(game) => game.castlings(),
        AnyGame::Four(game) => game.castlings(),
    };
    // In a game of more players the other seats are Black's in the tables.
    let own = castlings.iter().filter(|castling| castling.color == color(LEARNER));
    own.into_iter().find_map(|castling| {
        let stays = [castling.king.0, castling.rook.0].map(|square| sandbox.tables().shape().coord(square));
        // First without rights, because some castlings need none.
        iter::once(0).chain((0..16).map(|bit| 1 << bit)).find_map(|right| {
            let position = cleared(sandbox, &stays, right)?;
            special(&position, Sentence::Castling, Goal::Castle, Move::is_castling)
        })
    })
}

/// The starting position with pawns, Kings and the pieces that stay, and one of its castling rights or none: the others have lost their rooks.
fn cleared(sandbox: &Sandbox, stays: &[Coord], right: u16) -> Option<GamePosition> {
    let roles = sandbox.tables().roles();
    let is_kept = |role: Role, at: Coord, is_own: bool| {
        roles.info(role).pawn || stays.contains(&at) || !is_own && Some(role) == sandbox.king()
    };
    match sandbox.start() {
        GamePosition::Two(start) => {
            let mut setup = start.setup();
            let pieces: Vec<(Coord, Piece)> = setup.pieces().collect();
            for (at, piece) in pieces {
                if !is_kept(piece.role(), at, piece.color() == color(LEARNER)) {
                    setup.set(at, Cell::Empty);
                }
            }
            setup.rights &= right;
            (setup.rights == right)
                .then(|| AnyPosition::from_setup(start.variant(), &setup).ok())?
                .map(GamePosition::Two)
        }
        GamePosition::Four(start) => {
            let game = start.variant();
            let mut setup = multi::parse(game.fen_context(), &start.fen()).ok()?;
            let width = usize::from(game.shape().width()).max(1);
            for (number, cell) in setup.cells.iter_mut().enumerate() {
                let at = Coord { file: (number % width) as u8, rank: (number / width) as u8 };
                if let Cell::Piece(piece) = *cell
                    && !is_kept(piece.role, at, piece.owner == Some(LEARNER))
                {
                    *cell = Cell::Empty;
                }
            }
            setup.rights &= right;
            (setup.rights == right).then(|| four(game, &setup))?.map(GamePosition::Four)
        }
    }
}

/// Two pieces that can become one.
fn fusion(sandbox: &Sandbox) -> Option<Level> {
    sandbox.tables().fusions().iter().find_map(|fusion| {
        let [one, other] = fusion.parts;
        sandbox.squares.iter().find_map(|&hero| {
            let reach = &sandbox.reach(own(one), hero).quiet;
            reach.iter().find_map(|&at| {
                let position = sandbox.scene((hero, one), &[(at, own(other))])?;
                let sentence = Sentence::Fusion { parts: fusion.parts, into: fusion.into };
                special(&position, sentence, Goal::Fuse, Move::is_fusion)
            })
        })
    })
}

/// A level in which one move of a special kind is the goal, if there is a legal one.
fn special(
    position: &GamePosition,
    sentence: Sentence,
    goal: Goal,
    is_special: impl Fn(Move) -> bool,
) -> Option<Level> {
    if position.mover() != LEARNER || position.is_lost() {
        return None;
    }
    let played = position.legal_moves().into_iter().find(|&played| is_special(played))?;
    Some(Level::new(position, sentence, goal, &[], &[played]))
}
