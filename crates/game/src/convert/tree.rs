//! Trees of moves in the wire's words, and back.

use super::check_square;
use lozenge_analysis::position::step;
use lozenge_analysis::tree::{self, MAX_COMMENT, NodeId, NotesFault, Tree};
use lozenge_rules::notation::turn;
use lozenge_rules::position::GamePosition;
use lozenge_wire::analysis as wire;
use std::collections::HashMap;

/// A tree as it is sent. `digest` is that of its rules.
pub fn tree(tree: &Tree, digest: String, tags: Vec<wire::Tag>) -> wire::Tree {
    let start = &tree.node(0).position;
    let order = tree.depth_first();
    let places: HashMap<usize, u32> = order.iter().copied().zip(0..).collect();
    let nodes = order.iter().filter_map(|&id| {
        let node = tree.node(id);
        let (parent, played) = (node.parent?, node.played?);
        let before = &tree.node(parent).position;
        let step = step(before, played, &node.position);
        Some(wire::TreeNode { parent: places.get(&parent).copied(), step, notes: node.notes.to_wire() })
    });
    wire::Tree {
        variant: start.variant().id().into(),
        digest,
        fen: start.fen(),
        check: check_square(start),
        tags,
        notes: tree.node(0).notes.to_wire(),
        nodes: nodes.collect(),
    }
}

/// Nodes of a tree as moves that are sent.
pub fn steps(tree: &Tree, ids: &[NodeId]) -> Vec<wire::Step> {
    let step = |&id: &NodeId| {
        let node = tree.node(id);
        Some(step(&tree.node(node.parent?).position, node.played?, &node.position))
    };
    ids.iter().filter_map(step).collect()
}

/// A tree that was sent, or what is wrong with it.
pub fn read_tree(start: GamePosition, sent: &wire::WritePgn) -> Result<Tree, String> {
    let mut tree = Tree::new(start);
    *tree.notes_mut(0) = read_notes(&tree.node(0).position, &sent.notes)?;
    let mut ids = Vec::with_capacity(sent.nodes.len().min(tree::MAX_NODES));
    for (index, node) in sent.nodes.iter().enumerate() {
        let at = match node.parent {
            None => 0,
            Some(parent) => *ids
                .get(parent as usize)
                .ok_or_else(|| format!("move {index}: expected a parent before it, found {parent}"))?,
        };
        let here = &tree.node(at).position;
        let played = turn::parse_uci(here, &node.uci).map_err(|error| format!("move {index}: {error}"))?;
        let id = tree.add(at, played).map_err(|error| error.to_string())?;
        *tree.notes_mut(id) = read_notes(&tree.node(0).position, &node.notes)?;
        ids.push(id);
    }
    Ok(tree)
}

fn read_notes(start: &GamePosition, sent: &wire::Notes) -> Result<tree::Notes, String> {
    if let Some(long) = sent.before.iter().chain(&sent.comments).find(|text| text.len() > MAX_COMMENT) {
        return Err(NotesFault::LongComment(long.len()).to_string());
    }
    tree::Notes::of_wire(start.variant().shape(), sent).map_err(|fault| fault.to_string())
}
