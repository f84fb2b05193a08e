//! Trees of moves in the wire's words, and back.

use super::{check_square, last, text};
use lozenge_analysis::tree::{self, Brush, MOST_SHAPES, Tree};
use lozenge_rules::geometry::Square;
use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::AnyPosition;
use lozenge_wire::analysis as wire;
use std::collections::HashMap;
use std::time::Duration;

/// Longest text of a comment, in bytes.
const MOST_COMMENT: usize = 4_000;

/// A tree as it is sent. `digest` is that of its rules.
pub(crate) fn tree(tree: &Tree, digest: String, tags: Vec<wire::Tag>) -> wire::Tree {
    let start = &tree.node(0).position;
    let order = tree.depth_first();
    let places: HashMap<usize, u32> = order.iter().copied().zip(0..).collect();
    let nodes = order.iter().filter_map(|&id| {
        let node = tree.node(id);
        let (parent, played) = (node.parent?, node.played?);
        let before = &tree.node(parent).position;
        let step = wire::Step {
            uci: text(before, played),
            san: san::write(before, played),
            fen: node.position.fen(),
            last: last(played),
            check: check_square(&node.position),
        };
        Some(wire::TreeNode { parent: places.get(&parent).copied(), step, notes: notes(&node.notes) })
    });
    wire::Tree {
        variant: start.variant().id().into(),
        digest,
        fen: start.fen(),
        check: check_square(start),
        tags,
        notes: notes(&tree.node(0).notes),
        nodes: nodes.collect(),
    }
}

fn notes(notes: &tree::Notes) -> wire::Notes {
    let shape = |shape: &tree::Shape| wire::Shape {
        from: shape.from.index() as u16,
        to: shape.to.index() as u16,
        brush: match shape.brush {
            Brush::Green => wire::Brush::Green,
            Brush::Red => wire::Brush::Red,
            Brush::Blue => wire::Brush::Blue,
            Brush::Yellow => wire::Brush::Yellow,
        },
    };
    wire::Notes {
        before: notes.before.clone(),
        comments: notes.comments.clone(),
        nags: notes.nags.clone(),
        shapes: notes.shapes.iter().map(shape).collect(),
        clock_ms: notes.clock.map(|clock| u64::try_from(clock.as_millis()).unwrap_or(u64::MAX)),
    }
}

/// A tree that was sent, or what is wrong with it.
pub(crate) fn read_tree(start: AnyPosition, sent: &wire::WritePgn) -> Result<Tree, String> {
    let mut tree = Tree::new(start);
    *tree.notes_mut(0) = read_notes(&tree.node(0).position, &sent.notes)?;
    let mut ids = Vec::with_capacity(sent.nodes.len().min(tree::MOST_NODES));
    for (index, node) in sent.nodes.iter().enumerate() {
        let at = match node.parent {
            None => 0,
            Some(parent) => *ids
                .get(parent as usize)
                .ok_or_else(|| format!("move {index}: expected a parent before it, found {parent}"))?,
        };
        let here = &tree.node(at).position;
        let played = uci::parse(here, &node.uci).map_err(|error| format!("move {index}: {error}"))?;
        let id = tree.add(at, played).map_err(|error| error.to_string())?;
        *tree.notes_mut(id) = read_notes(&tree.node(0).position, &node.notes)?;
        ids.push(id);
    }
    Ok(tree)
}

fn read_notes(start: &AnyPosition, sent: &wire::Notes) -> Result<tree::Notes, String> {
    let wire::Notes { before, comments, nags, shapes, clock_ms } = sent;
    if let Some(long) = before.iter().chain(comments).find(|text| text.len() > MOST_COMMENT) {
        return Err(format!("expected comments of at most {MOST_COMMENT} bytes, found {}", long.len()));
    }
    if shapes.len() > MOST_SHAPES {
        return Err(format!("expected at most {MOST_SHAPES} arrows and circles, found {}", shapes.len()));
    }
    let squares: Vec<Square> = start.variant().shape().squares().collect();
    let square = |number: u16| {
        let square = squares.get(usize::from(number)).copied();
        square.ok_or_else(|| format!("expected a square of 0 to {}, found {number}", squares.len() - 1))
    };
    let shape = |shape: &wire::Shape| {
        let brush = match shape.brush {
            wire::Brush::Green => Brush::Green,
            wire::Brush::Red => Brush::Red,
            wire::Brush::Blue => Brush::Blue,
            wire::Brush::Yellow => Brush::Yellow,
        };
        Ok::<_, String>(tree::Shape { brush, from: square(shape.from)?, to: square(shape.to)? })
    };
    Ok(tree::Notes {
        before: before.clone(),
        comments: comments.clone(),
        nags: nags.clone(),
        shapes: shapes.iter().map(shape).collect::<Result<_, _>>()?,
        clock: clock_ms.map(Duration::from_millis),
    })
}
