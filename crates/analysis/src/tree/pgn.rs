//! Trees from PGN and to PGN. Illegal moves are reported and become comments, and the rest is read: nothing is lost.

use super::{MAX_NODES, NodeId, Notes, Tree};
use lozenge_rules::geometry::Shape as BoardShape;
use lozenge_rules::notation::pgn::{Comment, PgnGame, PgnLine, PgnLocation, PgnNode, Variation};
use lozenge_rules::notation::{record, turn};
use lozenge_rules::position::{Game, GamePosition, MultiGame};
use std::fmt;

/// Something of a PGN that is not in the tree as it was meant, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFault {
    /// Its location.
    pub location: PgnLocation,
    /// The fault.
    pub message: String,
}

impl fmt::Display for TreeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location, self.message)
    }
}

/// Reads the moves of a game from a start. Comments that [`write()`] adds by itself are left out. A line ends where a move is not legal; from there on it becomes a comment.
#[must_use]
pub fn read(game: &PgnGame, start: impl Into<GamePosition>) -> (Tree, Vec<TreeFault>) {
    let start = start.into();
    let board = start.variant().shape().clone();
    let mut reader = TreeReader { tree: Tree::new(start), board, faults: Vec::new() };
    reader.take(0, &game.line.start_comments);
    reader.line(0, &game.line, Vec::new());
    (reader.tree, reader.faults)
}

struct TreeReader {
    tree: Tree,
    board: BoardShape,
    faults: Vec<TreeFault>,
}

impl TreeReader {
    /// Reads moves after a node, with the comments before the first; variations lie in one another at most as deep as the
    /// parser allows.
    fn line(&mut self, start: NodeId, line: &PgnLine, mut before: Vec<Comment>) {
        let mut at = start;
        for (number, node) in line.nodes.iter().enumerate() {
            before.extend(node.comments_before.iter().cloned());
            let Some(next) = self.node(at, node) else {
                self.rest(at, &before, &line.nodes[number..]);
                return;
            };
            let texts = before.drain(..).map(|comment| comment.text().to_owned());
            self.tree.notes_mut(next).before.extend(texts);
            self.take(next, &others(&node.comments_after, &turn_comments(&self.tree, next)));
            let known = &mut self.tree.notes_mut(next).nags;
            for &nag in &node.nags {
                if !known.contains(&nag) {
                    known.push(nag);
                }
            }
            for variation in &node.variations {
                self.line(at, &variation.line, variation.line.start_comments.clone());
                self.take(next, &variation.comments_after);
            }
            at = next;
        }
        self.take(at, &before);
    }

    /// The node of a move; `None` if there can be none.
    fn node(&mut self, at: NodeId, node: &PgnNode) -> Option<NodeId> {
        let position = &self.tree.node(at).position;
        let added = match turn::parse_san(position, &node.san) {
            Ok(played) => self.tree.add(at, played).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        added.map_err(|message| self.faults.push(TreeFault { location: node.at, message })).ok()
    }

    fn take(&mut self, at: NodeId, comments: &[Comment]) {
        comments.iter().for_each(|comment| self.tree.notes_mut(at).take(&self.board, comment));
    }

    /// Keeps the rest of a line, which cannot be played, as comments: moves and their variations as words.
    fn rest(&mut self, at: NodeId, before: &[Comment], nodes: &[PgnNode]) {
        self.take(at, before);
        let mut words = Vec::new();
        nodes.iter().for_each(|node| write_words(node, &mut words));
        self.tree.notes_mut(at).comments.push(words.join(" "));
    }
}

/// The comments on what the turn to a node led to.
fn turn_comments(tree: &Tree, at: NodeId) -> Vec<String> {
    let node = tree.node(at);
    let (Some(parent), Some(played)) = (node.parent, node.played) else { return Vec::new() };
    turn::comments(&tree.node(parent).position, played, &node.position)
}

/// The comments without those of these texts.
fn others(comments: &[Comment], texts: &[String]) -> Vec<Comment> {
    comments.iter().filter(|comment| !texts.iter().any(|text| text == comment.text())).cloned().collect()
}

fn write_words(node: &PgnNode, words: &mut Vec<String>) {
    words.push(node.san.clone());
    words.extend(node.nags.iter().map(|nag| format!("${nag}")));
    words.extend(node.comments_after.iter().map(|comment| format!("({})", comment.text())));
    for Variation { line, .. } in &node.variations {
        words.push("(".into());
        line.nodes.iter().for_each(|node| write_words(node, words));
        words.push(")".into());
    }
}

/// Writes a tree as PGN: the tags that name game and start, the seven tag roster, and all notes. Variations deeper than
/// PGN may have them are left out.
#[must_use]
pub fn write(tree: &Tree) -> PgnGame {
    let mut game = match &tree.node(0).position {
        GamePosition::Two(start) => record::tree(&Game::from_position(start.clone())),
        GamePosition::Four(start) => record::multi_tree(&MultiGame::from_position(start.clone())),
    };
    let variant = tree.node(0).position.variant();
    game.line.start_comments = tree.node(0).notes.comments(variant.shape());
    game.line.nodes = line(tree, tree.node(0).children.first().copied(), 0);
    game
}

/// How deep variations are written.
const MAX_DEPTH: usize = lozenge_rules::notation::pgn::MAX_NESTING - 1;

fn line(tree: &Tree, first: Option<NodeId>, depth: usize) -> Vec<PgnNode> {
    let variant = tree.node(0).position.variant();
    let board = variant.shape();
    let mut nodes = Vec::new();
    let mut next = first;
    while let Some(at) = next {
        let here = tree.node(at);
        let (Some(parent), Some(played)) = (here.parent, here.played) else { break };
        let Notes { before, nags, .. } = &here.notes;
        let siblings = &tree.node(parent).children;
        // Variations hang on the move that goes on with the line.
        let others = if siblings.first() == Some(&at) && depth < MAX_DEPTH { &siblings[1..] } else { &[] };
        let variation = |&other: &NodeId| {
            let mut nodes = line(tree, Some(other), depth + 1);
            // Before its number, as other programs write it.
            let start_comments = nodes.first_mut().map(|first| std::mem::take(&mut first.comments_before));
            let line = PgnLine { start_comments: start_comments.unwrap_or_default(), nodes };
            Variation { line, comments_after: Vec::new() }
        };
        let last = tree.node(parent).parent.map(|last| &tree.node(last).position);
        let comments = turn_comments(tree, at).into_iter().map(Comment::new);
        nodes.push(PgnNode {
            comments_before: before.iter().map(Comment::new).collect(),
            san: turn::san(&tree.node(parent).position, played),
            nags: nags.clone(),
            comments_after: comments.chain(here.notes.comments(board)).collect(),
            variations: others.iter().map(variation).collect(),
            at: PgnLocation::default(),
            number: turn::number(last, &tree.node(parent).position),
        });
        next = here.children.first().copied();
    }
    nodes
}

const _: () = assert!(MAX_NODES > MAX_DEPTH);
