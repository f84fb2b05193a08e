//! Trees from PGN and to PGN. Illegal moves are reported and become comments, and the rest is read: nothing is lost.

use super::{MAX_NODES, NodeId, Notes, Tree};
use lozenge_rules::geometry::Shape as BoardShape;
use lozenge_rules::notation::pgn::{Comment, Line, Node, PgnGame, PgnLocation, Variation};
use lozenge_rules::notation::{record, san};
use lozenge_rules::position::{AnyPosition, Game as Played};
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

/// Reads the moves of a game from a start. A line ends where a move is not legal; from there on it becomes a comment.
#[must_use]
pub fn read(game: &PgnGame, start: AnyPosition) -> (Tree, Vec<TreeFault>) {
    let board = start.variant().shape().clone();
    let mut reader = Reader { tree: Tree::new(start), board, faults: Vec::new() };
    reader.take(0, &game.line.start_comments);
    reader.line(0, &game.line, Vec::new());
    (reader.tree, reader.faults)
}

struct Reader {
    tree: Tree,
    board: BoardShape,
    faults: Vec<TreeFault>,
}

impl Reader {
    /// Reads moves after a node, with the comments before the first; variations lie in one another at most as deep as the
    /// parser allows.
    fn line(&mut self, start: NodeId, line: &Line, mut before: Vec<Comment>) {
        let mut at = start;
        for (number, node) in line.nodes.iter().enumerate() {
            before.extend(node.comments_before.iter().cloned());
            let Some(next) = self.node(at, node) else {
                self.rest(at, &before, &line.nodes[number..]);
                return;
            };
            let texts = before.drain(..).map(|comment| comment.text().to_owned());
            self.tree.notes_mut(next).before.extend(texts);
            self.take(next, &node.comments_after);
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
    fn node(&mut self, at: NodeId, node: &Node) -> Option<NodeId> {
        let position = &self.tree.node(at).position;
        let added = match san::parse(position, &node.san) {
            Ok(played) => self.tree.add(at, played).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        added.map_err(|message| self.faults.push(TreeFault { location: node.at, message })).ok()
    }

    fn take(&mut self, at: NodeId, comments: &[Comment]) {
        comments.iter().for_each(|comment| self.tree.notes_mut(at).take(&self.board, comment));
    }

    /// Keeps the rest of a line, which cannot be played, as comments: moves and their variations as words.
    fn rest(&mut self, at: NodeId, before: &[Comment], nodes: &[Node]) {
        self.take(at, before);
        let mut words = Vec::new();
        nodes.iter().for_each(|node| write_words(node, &mut words));
        self.tree.notes_mut(at).comments.push(words.join(" "));
    }
}

fn write_words(node: &Node, words: &mut Vec<String>) {
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
    let mut game = record::tree(&Played::from_position(tree.node(0).position.clone()));
    let board = tree.node(0).position.variant().shape();
    game.line.start_comments = tree.node(0).notes.comments(board);
    game.line.nodes = line(tree, tree.node(0).children.first().copied(), 0);
    game
}

/// How deep variations are written.
const MAX_DEPTH: usize = lozenge_rules::notation::pgn::MAX_NESTING - 1;

fn line(tree: &Tree, first: Option<NodeId>, depth: usize) -> Vec<Node> {
    let board = tree.node(0).position.variant().shape();
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
            let line = Line { start_comments: start_comments.unwrap_or_default(), nodes };
            Variation { line, comments_after: Vec::new() }
        };
        nodes.push(Node {
            comments_before: before.iter().map(Comment::new).collect(),
            san: san::write(&tree.node(parent).position, played),
            nags: nags.clone(),
            comments_after: here.notes.comments(board),
            variations: others.iter().map(variation).collect(),
            at: PgnLocation::default(),
        });
        next = here.children.first().copied();
    }
    nodes
}

const _: () = assert!(MAX_NODES > MAX_DEPTH);
