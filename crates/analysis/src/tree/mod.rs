//! A tree of moves: a main line with variations, and the notes of users at each move. Nodes are named by the moves
//! that lead to them ([`Path`]), so that two people who add the same move make one node.
//!
//! ```
//! use lozenge_analysis::tree::{Path, Tree};
//! use lozenge_rules::{position::AnyPosition, library};
//!
//! let start = AnyPosition::start(&library::game("gardner").unwrap());
//! let mut tree = Tree::new(start);
//! for line in [["a2a3", "b4a3"], ["a2a3", "c4c3"], ["b2b3", "a4b3"]] {
//!     tree.add_line(&Path::default(), &line).unwrap();
//! }
//! let path = Path::from(["b2b3"]);
//! tree.promote(&path, true).unwrap();
//! assert_eq!(tree.main_line().len(), 2);
//! tree.remove(&path).unwrap();
//! assert_eq!(tree.len(), 3);
//! ```

mod edit;
mod notes;
mod pgn;
mod snapshot;
#[cfg(test)]
mod tests;

pub use edit::{
    EditError, EditedTree, Effect, MAX_COMMENT, MAX_COMMENTS, MAX_NAGS, MAX_PLIES, MAX_TEXT, Touch,
};
pub use notes::{Brush, DrawnShape, MAX_SHAPES, Notes, NotesFault};
pub use pgn::{TreeFault, read, write};
pub use snapshot::{Snapshot, SnapshotError};

use lozenge_rules::notation::{turn, uci};
use lozenge_rules::position::{GamePosition, MultiTurn, Played};
use std::fmt;

/// Most moves of a tree, all variations counted.
pub const MAX_NODES: usize = 3_000;

/// A node by the moves that lead to it, in long algebraic form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(pub Vec<String>);

impl<const N: usize> From<[&str; N]> for Path {
    fn from(moves: [&str; N]) -> Self {
        Self(moves.map(str::to_owned).into())
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

/// Number of a node in its tree; 0 is the start.
pub type NodeId = usize;

/// A move of a tree, or its start.
#[derive(Clone, Debug)]
pub struct TreeNode {
    /// The node before; `None` for the start.
    pub parent: Option<NodeId>,
    /// The nodes that follow; the first continues the line.
    pub children: Vec<NodeId>,
    /// The move that led here, or the exit of a player of four; `None` for the start.
    pub played: Option<MultiTurn>,
    /// The position.
    pub position: GamePosition,
    /// Its notes.
    pub notes: Notes,
}

/// Why a tree was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// There is no such node.
    #[error("expected the moves of a node, found none at `{0}`")]
    Missing(Path),
    /// A move is not legal.
    #[error(transparent)]
    Move(#[from] uci::UciError),
    /// The tree is full.
    #[error("expected at most {MAX_NODES} moves in all variations together")]
    Full,
}

/// A tree of moves. Nodes that were removed keep their numbers until the tree is written and read again.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<TreeNode>,
    live: usize,
}

impl Tree {
    /// A tree without moves.
    #[must_use]
    pub fn new(start: impl Into<GamePosition>) -> Self {
        let start = TreeNode {
            parent: None,
            children: Vec::new(),
            played: None,
            position: start.into(),
            notes: Notes::default(),
        };
        Self { nodes: vec![start], live: 0 }
    }

    /// A game as a tree of one line.
    #[must_use]
    pub fn of_game(game: &Played) -> Self {
        let mut positions = game.positions_from(0).into_iter();
        let mut tree = Self::new(positions.next().unwrap_or_else(|| game.position()));
        let turns = game.turns_from(0).into_iter().zip(positions);
        turns.fold(0, |at, (played, position)| tree.insert_position(at, played, position));
        tree
    }

    /// A node.
    ///
    /// # Panics
    /// If the tree has never had a node of this number.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &TreeNode {
        &self.nodes[id]
    }

    /// The notes of a node.
    ///
    /// # Panics
    /// If the tree has never had a node of this number.
    pub fn notes_mut(&mut self, id: NodeId) -> &mut Notes {
        &mut self.nodes[id].notes
    }

    /// Moves in all variations together.
    #[must_use]
    pub fn len(&self) -> usize {
        self.live
    }

    /// Whether there is no move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// The node that a path leads to.
    #[must_use]
    pub fn find(&self, path: &Path) -> Option<NodeId> {
        path.0.iter().try_fold(0, |at, text| self.child(at, text))
    }

    /// The node that a move leads to.
    fn child(&self, at: NodeId, text: &str) -> Option<NodeId> {
        let position = &self.nodes[at].position;
        let leads = |&&child: &&NodeId| {
            self.nodes[child].played.is_some_and(|played| turn::uci(position, played) == *text)
        };
        self.nodes[at].children.iter().find(leads).copied()
    }

    /// The path of a node.
    #[must_use]
    pub fn path(&self, id: NodeId) -> Path {
        let mut moves = Vec::new();
        let mut at = id;
        while let (Some(parent), Some(played)) = (self.nodes[at].parent, self.nodes[at].played) {
            moves.push(turn::uci(&self.nodes[at].position, played));
            at = parent;
        }
        moves.reverse();
        Path(moves)
    }

    /// The nodes of the main line, without the start.
    #[must_use]
    pub fn main_line(&self) -> Vec<NodeId> {
        std::iter::successors(self.nodes[0].children.first().copied(), |&at| {
            self.nodes[at].children.first().copied()
        })
        .collect()
    }

    /// All nodes but the start, each after the one before it, and before the variations beside it.
    #[must_use]
    pub fn depth_first(&self) -> Vec<NodeId> {
        let mut order = Vec::with_capacity(self.live);
        let mut stack: Vec<NodeId> = self.nodes[0].children.iter().rev().copied().collect();
        while let Some(at) = stack.pop() {
            order.push(at);
            stack.extend(self.nodes[at].children.iter().rev());
        }
        order
    }

    /// Adds a legal move after a node, as the last of its variations; a move that is there already stays where it is.
    ///
    /// # Errors
    /// If the tree is full.
    pub fn add(&mut self, at: NodeId, played: MultiTurn) -> Result<NodeId, TreeError> {
        let known = self.nodes[at].children.iter().find(|&&child| self.nodes[child].played == Some(played));
        match known {
            Some(&child) => Ok(child),
            None if self.live >= MAX_NODES => Err(TreeError::Full),
            None => Ok(self.insert(at, played)),
        }
    }

    fn insert(&mut self, at: NodeId, played: MultiTurn) -> NodeId {
        let position = self.nodes[at].position.play_unchecked(played);
        self.insert_position(at, played, position)
    }

    /// Adds a turn with the position after it.
    fn insert_position(&mut self, at: NodeId, played: MultiTurn, position: GamePosition) -> NodeId {
        let id = self.nodes.len();
        let (parent, children, notes) = (Some(at), Vec::new(), Notes::default());
        self.nodes.push(TreeNode { parent, children, played: Some(played), position, notes });
        self.nodes[at].children.push(id);
        self.live += 1;
        id
    }

    /// Adds moves after a node, and returns the last.
    ///
    /// # Errors
    /// If there is no such node, or a move is not legal; the moves before it stay.
    pub fn add_line(&mut self, path: &Path, moves: &[&str]) -> Result<NodeId, TreeError> {
        let mut at = self.find(path).ok_or_else(|| TreeError::Missing(path.clone()))?;
        for text in moves {
            let played = turn::parse_uci(&self.nodes[at].position, text)?;
            at = self.add(at, played)?;
        }
        Ok(at)
    }

    /// Makes the line of a node the continuation at the last fork where it is not; with `to_main`, at all forks.
    ///
    /// # Errors
    /// If there is no such node.
    pub fn promote(&mut self, path: &Path, to_main: bool) -> Result<(), TreeError> {
        let mut at = self.find(path).ok_or_else(|| TreeError::Missing(path.clone()))?;
        while let Some(parent) = self.nodes[at].parent {
            let children = &mut self.nodes[parent].children;
            let index = children.iter().position(|&child| child == at).unwrap_or(0);
            children[..=index].rotate_right(1);
            if index > 0 && !to_main {
                return Ok(());
            }
            at = parent;
        }
        Ok(())
    }

    /// Removes a node and all that follows it.
    ///
    /// # Errors
    /// If there is no such node, or it is the start.
    pub fn remove(&mut self, path: &Path) -> Result<(), TreeError> {
        let id = self.find(path).filter(|&id| id != 0).ok_or_else(|| TreeError::Missing(path.clone()))?;
        self.cut(id);
        Ok(())
    }

    /// Removes a node that is not the start, and all that follows it.
    fn cut(&mut self, id: NodeId) {
        let Some(parent) = self.nodes[id].parent else { return };
        self.nodes[parent].children.retain(|&child| child != id);
        for at in self.below(id) {
            self.live -= 1;
            self.nodes[at].children.clear();
        }
    }

    /// A node and all that follows it, each after the one before it.
    fn below(&self, id: NodeId) -> Vec<NodeId> {
        let mut found = vec![id];
        let mut next = 0;
        while let Some(&at) = found.get(next) {
            found.extend(&self.nodes[at].children);
            next += 1;
        }
        found
    }
}
