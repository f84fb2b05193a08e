//! The stored form of a tree between edits: moves, notes, and who touched each move last.

use super::edit::EditMarks;
use super::{EditedTree, MAX_NODES, NodeId, Notes, NotesFault, Touch, Tree, TreeError};
use lozenge_rules::notation::turn;
use lozenge_rules::notation::uci::UciError;
use lozenge_rules::position::GamePosition;
use lozenge_wire::analysis::{Notes as WireNotes, Tag};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The stored form of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<Tag>,
    #[serde(default, skip_serializing_if = "is_empty")]
    notes: WireNotes,
    /// Each after the one before it.
    nodes: Vec<SnapshotNode>,
}

/// The stored form of a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SnapshotNode {
    /// Index of the move before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<u32>,
    uci: String,
    #[serde(default, skip_serializing_if = "is_empty")]
    notes: WireNotes,
    /// Number and client of the last touch, and number of the last by another client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    touched: Option<[u64; 3]>,
}

fn is_empty(notes: &WireNotes) -> bool {
    *notes == WireNotes::default()
}

/// Why a snapshot is not a tree of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// A move is not legal.
    #[error("move {index}: {error}")]
    Move {
        /// Its index.
        index: usize,
        /// Why not.
        error: UciError,
    },
    /// A move stands before the one it follows.
    #[error("move {0}: expected the move before it, found none")]
    Parent(usize),
    /// A note is too long, or does not fit the board.
    #[error(transparent)]
    Notes(#[from] NotesFault),
    /// There are too many moves.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl EditedTree {
    /// The tree in its stored form.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let tree = &self.tree;
        let order = tree.depth_first();
        let places: HashMap<NodeId, u32> = order.iter().copied().zip(0..).collect();
        let kept = |&id: &NodeId| {
            let node = tree.node(id);
            let (parent, played) = (node.parent?, node.played?);
            let EditMarks { last, other } = self.touches.get(id).copied().unwrap_or_default();
            Some(SnapshotNode {
                parent: places.get(&parent).copied(),
                uci: turn::uci(&node.position, played),
                notes: node.notes.to_wire(),
                touched: (last.seq > 0).then_some([last.seq, last.client, other]),
            })
        };
        Snapshot {
            tags: self.tags.clone(),
            notes: tree.node(0).notes.to_wire(),
            nodes: order.iter().filter_map(kept).collect(),
        }
    }

    /// The tree of a stored form.
    ///
    /// # Errors
    /// If it is no tree of this game.
    pub fn of_snapshot(start: impl Into<GamePosition>, snapshot: &Snapshot) -> Result<Self, SnapshotError> {
        let start = start.into();
        let board = start.variant().shape().clone();
        let mut edited = Self::new(Tree::new(start), snapshot.tags.clone());
        *edited.tree.notes_mut(0) = Notes::of_wire(&board, &snapshot.notes)?;
        let mut ids: Vec<NodeId> = Vec::with_capacity(snapshot.nodes.len().min(MAX_NODES));
        for (index, kept) in snapshot.nodes.iter().enumerate() {
            let at = match kept.parent {
                None => 0,
                Some(parent) => *ids.get(parent as usize).ok_or(SnapshotError::Parent(index))?,
            };
            let played = turn::parse_uci(&edited.tree.node(at).position, &kept.uci)
                .map_err(|error| SnapshotError::Move { index, error })?;
            let id = edited.tree.add(at, played)?;
            *edited.tree.notes_mut(id) = Notes::of_wire(&board, &kept.notes)?;
            edited.touches.resize(id + 1, EditMarks::default());
            if let Some([seq, client, other]) = kept.touched {
                edited.touches[id] = EditMarks { last: Touch { seq, client }, other };
            }
            ids.push(id);
        }
        Ok(edited)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;
    use lozenge_rules::library;
    use lozenge_rules::position::AnyPosition;
    use lozenge_wire::analysis::{Brush, DrawnShape};
    use lozenge_wire::study::TreeEdit;

    #[test]
    fn snapshot_round_trips() {
        let start = AnyPosition::start(&library::game("gardner").unwrap());
        let mut tree = EditedTree::new(Tree::new(start.clone()), Vec::new());
        let path = |moves: &[&str]| moves.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let edits = [
            TreeEdit::Add { path: path(&["a2a3", "b4a3", "b2a3"]) },
            TreeEdit::Add { path: path(&["b2b3", "a4b3"]) },
            TreeEdit::Promote { path: path(&["b2b3"]), to_main: true },
            TreeEdit::SetComment { path: path(&["a2a3"]), was: String::new(), text: "good".into() },
            TreeEdit::AddShape { path: Vec::new(), shape: DrawnShape { from: 3, to: 7, brush: Brush::Red } },
            TreeEdit::SetNag { path: path(&["a2a3", "b4a3"]), nag: 3 },
            TreeEdit::SetTag { name: "Event".into(), value: "Club".into() },
        ];
        for (seq, edit) in (1..).zip(edits) {
            tree.apply(&edit, Touch { seq, client: 7 }).unwrap();
        }
        let snapshot = tree.snapshot();
        let again = EditedTree::of_snapshot(start.clone(), &snapshot).unwrap();
        assert_eq!(again.snapshot(), snapshot);
        assert_eq!((again.tree().len(), again.tags().len()), (5, 1));
        let broken = Snapshot { nodes: snapshot.nodes[1..].to_vec(), ..snapshot };
        assert!(EditedTree::of_snapshot(start, &broken).is_err());
    }
}
