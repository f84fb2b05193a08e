//! Edits of a tree by several people at once. An edit names nodes by their moves, so it means the same on every copy of
//! the tree; the server applies them in one order. Adding wins over removing: an edit of a node makes it again
//! where it is missing, and a removal spares what its author cannot have seen.

use super::{DrawnShape, MAX_NODES, MAX_SHAPES, NodeId, NotesFault, Path, Tree, TreeError};
use lozenge_rules::notation::turn;
use lozenge_rules::position::MultiTurn;
use lozenge_wire::analysis::Tag;
use lozenge_wire::study::TreeEdit;

/// Longest line, in half moves.
pub const MAX_PLIES: usize = 600;
/// Longest comment, in bytes.
pub const MAX_COMMENT: usize = 4_000;
/// Most comments at a move.
pub const MAX_COMMENTS: usize = 16;
/// Most glyphs at a move.
pub const MAX_NAGS: usize = 16;
/// Most text of all comments together, in bytes.
pub const MAX_TEXT: usize = 256 << 10;
/// Most tags, and the longest, in bytes of name and value.
const MAX_TAGS: usize = 40;
const MAX_TAG: usize = 400;

/// Why an edit was not applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// A move is not legal, or the tree is full.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The line is too long.
    #[error("expected a line of at most {MAX_PLIES} half moves, found {0}")]
    TooDeep(usize),
    /// A note is too long, or does not fit the board.
    #[error(transparent)]
    Notes(#[from] NotesFault),
    /// There is too much text.
    #[error("expected at most {MAX_TEXT} bytes of comments in a chapter")]
    TooMuchText,
    /// There are too many comments at a move.
    #[error("expected at most {MAX_COMMENTS} comments at a move")]
    TooManyComments,
    /// There are too many glyphs at a move.
    #[error("expected at most {MAX_NAGS} glyphs at a move")]
    TooManyNags,
    /// A tag is not one of PGN, or there are too many.
    #[error(
        "expected at most {MAX_TAGS} tags of at most {MAX_TAG} bytes, with a name of letters, digits and _"
    )]
    Tag,
}

/// The edit that touched a node, and its client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touch {
    /// Number of the edit in the order of all.
    pub seq: u64,
    /// The client that made it.
    pub client: u64,
}

/// The last touch of a node, and the last by any other client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct EditMarks {
    pub(super) last: Touch,
    pub(super) other: u64,
}

impl EditMarks {
    fn touch(&mut self, touch: Touch) {
        if self.last.client != touch.client {
            self.other = self.last.seq;
        }
        self.last = touch;
    }

    /// Whether a client that knew the edits up to `base`, and its own, has not seen the last touch.
    fn is_unseen(self, base: u64, client: u64) -> bool {
        let by_others = if self.last.client == client { self.other } else { self.last.seq };
        by_others > base
    }
}

/// The changes that an edit has made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// The nodes that it has added, each after the one before it.
    pub added: Vec<NodeId>,
    /// The nodes that it has removed, with all nodes below them.
    pub cut: Vec<Path>,
}

impl From<Vec<NodeId>> for Effect {
    fn from(added: Vec<NodeId>) -> Self {
        Self { added, cut: Vec::new() }
    }
}

/// A tree that several people edit, with the tags of its PGN.
#[derive(Clone, Debug)]
pub struct EditedTree {
    pub(super) tree: Tree,
    pub(super) tags: Vec<Tag>,
    /// By node.
    pub(super) touches: Vec<EditMarks>,
}

impl EditedTree {
    /// A tree without edits.
    #[must_use]
    pub fn new(tree: Tree, tags: Vec<Tag>) -> Self {
        let touches = vec![EditMarks::default(); tree.nodes.len()];
        Self { tree, tags, touches }
    }

    /// The tree.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The tags, in order.
    #[must_use]
    pub fn tags(&self) -> &[Tag] {
        &self.tags
    }

    /// Applies an edit. Removing or promoting something that is not there changes nothing.
    ///
    /// # Errors
    /// If a move is not legal or a limit is reached. The tree is as before.
    pub fn apply(&mut self, edit: &TreeEdit, touch: Touch) -> Result<Effect, EditError> {
        match edit {
            TreeEdit::Add { path } => return Ok(self.insert_path(path, touch)?.1.into()),
            TreeEdit::Remove { path, base } => {
                let cut = self.remove(&Path(path.clone()), *base, touch.client);
                return Ok(Effect { added: Vec::new(), cut });
            }
            TreeEdit::Promote { path, to_main } => match self.tree.promote(&Path(path.clone()), *to_main) {
                Ok(()) | Err(TreeError::Missing(_)) => {}
                Err(error) => return Err(error.into()),
            },
            TreeEdit::SetTag { name, value } => self.set_tag(name, value)?,
            TreeEdit::SetComment { path, was, text } => {
                return Ok(self.set_comment(path, was, text, touch)?.into());
            }
            TreeEdit::AddShape { path, shape } => {
                let shape = DrawnShape::of_wire(self.tree.node(0).position.variant().shape(), *shape)?;
                let (id, added) = self.insert_path(path, touch)?;
                let shapes = &mut self.tree.notes_mut(id).shapes;
                shapes.retain(|known| (known.from, known.to) != (shape.from, shape.to));
                // The last give way: a refusal would leave the copies of two people different.
                shapes.truncate(MAX_SHAPES - 1);
                shapes.push(shape);
                return Ok(added.into());
            }
            TreeEdit::RemoveShape { path, shape } => {
                let shape = DrawnShape::of_wire(self.tree.node(0).position.variant().shape(), *shape)?;
                if let Some(id) = self.tree.find(&Path(path.clone())) {
                    self.tree.notes_mut(id).shapes.retain(|known| *known != shape);
                }
            }
            TreeEdit::SetNag { path, nag } => {
                let known = self.tree.find(&Path(path.clone())).map(|id| &self.tree.node(id).notes.nags);
                if known.is_some_and(|nags| nags.len() >= MAX_NAGS && !nags.contains(nag)) {
                    return Err(EditError::TooManyNags);
                }
                let (id, added) = self.insert_path(path, touch)?;
                let nags = &mut self.tree.notes_mut(id).nags;
                nags.retain(|known| known != nag);
                nags.push(*nag);
                return Ok(added.into());
            }
            TreeEdit::UnsetNag { path, nag } => {
                if let Some(id) = self.tree.find(&Path(path.clone())) {
                    self.tree.notes_mut(id).nags.retain(|known| known != nag);
                }
            }
        }
        Ok(Effect::default())
    }

    /// The node that a path leads to, with all before it: missing ones are added, and all are touched.
    fn insert_path(&mut self, path: &[String], touch: Touch) -> Result<(NodeId, Vec<NodeId>), EditError> {
        if path.len() > MAX_PLIES {
            return Err(EditError::TooDeep(path.len()));
        }
        let missing = self.missing(path)?;
        let (mut at, mut added) = (0, Vec::with_capacity(missing.len()));
        let mut line = Vec::with_capacity(path.len());
        for text in &path[..path.len() - missing.len()] {
            at = self.tree.child(at, text).ok_or_else(|| TreeError::Missing(Path(path.to_vec())))?;
            line.push(at);
        }
        for played in missing {
            at = self.tree.insert(at, played);
            added.push(at);
        }
        self.touches.resize(self.tree.nodes.len(), EditMarks::default());
        line.iter().chain(&added).for_each(|&id| self.touches[id].touch(touch));
        Ok((at, added))
    }

    /// The moves of a path that are not in the tree yet, if all are legal and there is room for them.
    fn missing(&self, path: &[String]) -> Result<Vec<MultiTurn>, TreeError> {
        let mut at = 0;
        let mut texts = path.iter();
        let first = loop {
            let Some(text) = texts.next() else { return Ok(Vec::new()) };
            match self.tree.child(at, text) {
                Some(child) => at = child,
                None => break text,
            }
        };
        let mut position = self.tree.node(at).position.clone();
        let mut moves = Vec::new();
        for text in std::iter::once(first).chain(texts) {
            let played = turn::parse_uci(&position, text)?;
            position = position.play_unchecked(played);
            moves.push(played);
        }
        if self.tree.len() + moves.len() > MAX_NODES { Err(TreeError::Full) } else { Ok(moves) }
    }

    /// Removes a node and the nodes below it, except for those that the client has not seen and the way there. Returns the
    /// nodes that were cut.
    fn remove(&mut self, path: &Path, base: u64, client: u64) -> Vec<Path> {
        let mut cut = Vec::new();
        let Some(id) = self.tree.find(path).filter(|&id| id != 0) else { return cut };
        let below = self.tree.below(id);
        let mut kept = vec![false; self.tree.nodes.len()];
        for &at in below.iter().rev() {
            let unseen = self.touches[at].is_unseen(base, client);
            kept[at] = unseen || self.tree.node(at).children.iter().any(|&child| kept[child]);
        }
        for at in below {
            let parent_stays = at == id || self.tree.node(at).parent.is_some_and(|parent| kept[parent]);
            if parent_stays && !kept[at] {
                cut.push(self.tree.path(at));
                self.tree.cut(at);
            }
        }
        cut
    }

    /// Replaces a comment by another. Where the old one is gone, the new one stands beside its replacement: of two people
    /// who write at the same time, neither loses anything.
    fn set_comment(
        &mut self,
        path: &[String],
        was: &str,
        text: &str,
        touch: Touch,
    ) -> Result<Vec<NodeId>, EditError> {
        let known = self.tree.find(&Path(path.to_vec()));
        if text.len() > MAX_COMMENT {
            return Err(NotesFault::LongComment(text.len()).into());
        }
        let comments = known.map(|id| self.tree.node(id).notes.comments.as_slice()).unwrap_or_default();
        let index = comments.iter().position(|comment| comment == was).filter(|_| !was.is_empty());
        if text.is_empty() {
            if let (Some(id), Some(index)) = (known, index) {
                self.tree.notes_mut(id).comments.remove(index);
            }
            return Ok(Vec::new());
        }
        if comments.iter().any(|comment| comment == text) && index.is_none() {
            return Ok(Vec::new());
        }
        if index.is_none() && comments.len() >= MAX_COMMENTS {
            return Err(EditError::TooManyComments);
        }
        let freed = index.map_or(0, |_| was.len());
        if self.text_bytes() - freed + text.len() > MAX_TEXT {
            return Err(EditError::TooMuchText);
        }
        let (id, added) = self.insert_path(path, touch)?;
        let comments = &mut self.tree.notes_mut(id).comments;
        match index {
            Some(index) => text.clone_into(&mut comments[index]),
            None => comments.push(text.to_owned()),
        }
        Ok(added)
    }

    /// Bytes of all comments in the tree.
    fn text_bytes(&self) -> usize {
        let all = self.tree.depth_first();
        let texts = std::iter::once(0).chain(all).map(|id| {
            let notes = &self.tree.node(id).notes;
            notes.before.iter().chain(&notes.comments).map(String::len).sum::<usize>()
        });
        texts.sum()
    }

    /// About how many bytes of memory it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.tree.nodes.len() * size_of::<super::TreeNode>() + self.text_bytes() + 1_024
    }

    fn set_tag(&mut self, name: &str, value: &str) -> Result<(), EditError> {
        let named = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let is_reserved = ["Variant", "FEN", "SetUp"].iter().any(|own| own.eq_ignore_ascii_case(name));
        if !named || is_reserved || name.len() + value.len() > MAX_TAG || value.contains(['\n', '\r']) {
            return Err(EditError::Tag);
        }
        let index = self.tags.iter().position(|tag| tag.name.eq_ignore_ascii_case(name));
        match (index, value.is_empty()) {
            (Some(index), true) => {
                self.tags.remove(index);
            }
            (None, true) => {}
            (Some(index), false) => value.clone_into(&mut self.tags[index].value),
            (None, false) if self.tags.len() >= MAX_TAGS => return Err(EditError::Tag),
            (None, false) => self.tags.push(Tag { name: name.into(), value: value.into() }),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;
    use lozenge_rules::library;
    use lozenge_rules::notation::uci;
    use lozenge_rules::position::AnyPosition;
    use proptest::prelude::*;
    use std::collections::{BTreeSet, HashMap};

    fn fresh() -> EditedTree {
        EditedTree::new(Tree::new(AnyPosition::start(&library::game("gardner").unwrap())), Vec::new())
    }

    fn path(moves: &[&str]) -> Vec<String> {
        moves.iter().map(|text| (*text).to_owned()).collect()
    }

    fn add(moves: &[&str]) -> TreeEdit {
        TreeEdit::Add { path: path(moves) }
    }

    fn comment(moves: &[&str], was: &str, text: &str) -> TreeEdit {
        TreeEdit::SetComment { path: path(moves), was: was.into(), text: text.into() }
    }

    fn paths(tree: &EditedTree) -> BTreeSet<Vec<String>> {
        tree.tree.depth_first().into_iter().map(|id| tree.tree.path(id).0).collect()
    }

    fn by(client: u64, seq: u64) -> Touch {
        Touch { seq, client }
    }

    #[test]
    fn removing_spares_what_was_added_meanwhile() {
        let mut tree = fresh();
        tree.apply(&add(&["a2a3", "b4a3", "b2a3"]), by(1, 1)).unwrap();
        tree.apply(&add(&["a2a3", "c4c3"]), by(2, 2)).unwrap();
        let effect = tree.apply(&TreeEdit::Remove { path: path(&["a2a3"]), base: 1 }, by(1, 3)).unwrap();
        assert_eq!(effect.cut, [Path(path(&["a2a3", "b4a3"]))]);
        assert_eq!(paths(&tree), BTreeSet::from([path(&["a2a3"]), path(&["a2a3", "c4c3"])]));
        // A client that has seen it removes it.
        tree.apply(&TreeEdit::Remove { path: path(&["a2a3"]), base: 3 }, by(1, 4)).unwrap();
        assert!(tree.tree.is_empty());
        // A client has seen its own edits, even those with numbers after `base`.
        tree.apply(&add(&["b2b3"]), by(1, 5)).unwrap();
        tree.apply(&TreeEdit::Remove { path: path(&["b2b3"]), base: 3 }, by(1, 6)).unwrap();
        assert!(tree.tree.is_empty());
        // It has not seen a later comment by another client.
        tree.apply(&add(&["b2b3"]), by(1, 7)).unwrap();
        tree.apply(&comment(&["b2b3"], "", "look"), by(2, 8)).unwrap();
        tree.apply(&add(&["b2b3"]), by(1, 9)).unwrap();
        tree.apply(&TreeEdit::Remove { path: path(&["b2b3"]), base: 6 }, by(1, 10)).unwrap();
        assert_eq!(tree.tree.len(), 1);
    }

    #[test]
    fn missing_moves_are_added_again() {
        let mut tree = fresh();
        tree.apply(&add(&["a2a3", "b4a3"]), by(1, 1)).unwrap();
        tree.apply(&TreeEdit::Remove { path: path(&["a2a3"]), base: 1 }, by(1, 2)).unwrap();
        let effect = tree.apply(&add(&["a2a3", "b4a3", "b2a3"]), by(2, 3)).unwrap();
        assert_eq!((effect.added.len(), effect.cut.len()), (3, 0));
        for edit in [
            TreeEdit::Remove { path: path(&["b2b3"]), base: 9 },
            TreeEdit::Promote { path: path(&["b2b3"]), to_main: true },
            TreeEdit::UnsetNag { path: path(&["b2b3"]), nag: 1 },
        ] {
            assert_eq!(tree.apply(&edit, by(1, 4)), Ok(Effect::default()));
        }
        assert_eq!(tree.tree.len(), 3);
    }

    #[test]
    fn concurrent_comments_are_both_kept() {
        let mut tree = fresh();
        let edits = [
            (1, comment(&[], "", "white")),
            (2, comment(&[], "", "black")),
            (1, comment(&[], "white", "white is better")),
            (2, comment(&[], "black", "")),
            (1, comment(&[], "white is better", "equal")),
            (2, comment(&[], "white is better", "")),
        ];
        for (seq, (client, edit)) in (1..).zip(edits) {
            tree.apply(&edit, by(client, seq)).unwrap();
        }
        assert_eq!(tree.tree.node(0).notes.comments, ["equal"]);
    }

    #[test]
    fn rejected_edits_change_nothing() {
        let mut tree = fresh();
        let long = "x".repeat(MAX_COMMENT + 1);
        for (edit, expected) in [
            (add(&["a2a9"]), "a2a9"),
            (add(&["a2a3", "a2a3"]), "a2a3"),
            (TreeEdit::Add { path: vec!["a2a3".into(); MAX_PLIES + 1] }, "600 half moves"),
            (comment(&["a2a3"], "", &long), "4000 bytes, found 4001"),
            (TreeEdit::SetTag { name: "FEN".into(), value: "x".into() }, "tags"),
            (TreeEdit::SetTag { name: "a b".into(), value: "x".into() }, "tags"),
        ] {
            let error = tree.apply(&edit, by(1, 1)).unwrap_err().to_string();
            assert!(error.contains(expected), "{expected}: {error}");
            assert_eq!(tree.tree.len(), 0, "{error}");
        }
        tree.apply(&TreeEdit::SetTag { name: "Event".into(), value: "Club".into() }, by(1, 1)).unwrap();
        tree.apply(&TreeEdit::SetTag { name: "event".into(), value: String::new() }, by(1, 1)).unwrap();
        assert_eq!(tree.tags(), []);
    }

    /// Lines of the first plies, each by numbers among the legal moves.
    fn line(numbers: &[usize]) -> Vec<String> {
        let mut position = AnyPosition::start(&library::game("gardner").unwrap());
        let mut line = Vec::new();
        for number in numbers {
            let legal = position.legal_moves();
            let Some(&played) = legal.get(number % legal.len().max(1)) else { break };
            line.push(uci::write(position.variant(), played));
            position = position.play_unchecked(played);
        }
        line
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn any_order_of_additions_gives_the_same_tree(
            lines in prop::collection::vec(prop::collection::vec(0_usize..3, 1..6), 1..12),
            seed in any::<u64>(),
        ) {
            let edits: Vec<TreeEdit> = lines.iter().map(|numbers| TreeEdit::Add { path: line(numbers) }).collect();
            let mut order: Vec<usize> = (0..edits.len()).collect();
            order.sort_by_key(|&number| (number as u64 + 1).wrapping_mul(seed | 1));
            let (mut one, mut other) = (fresh(), fresh());
            for (seq, (edit, &second)) in (1..).zip(edits.iter().zip(&order)) {
                one.apply(edit, by(1, seq)).unwrap();
                other.apply(&edits[second], by(2, seq)).unwrap();
            }
            prop_assert_eq!(paths(&one), paths(&other));
        }

        /// Three people edit copies that lag behind, and edits come more than once. Every addition made after the last
        /// removal that its author could see is there.
        #[test]
        fn no_addition_is_lost(
            steps in prop::collection::vec((0_u64..3, prop::collection::vec(0_usize..3, 1..5), 0_u8..4, 0_u64..6), 1..40),
        ) {
            let mut tree = fresh();
            let mut unseen: HashMap<Vec<String>, Vec<(u64, u64)>> = HashMap::new();
            for (seq, (client, numbers, kind, lag)) in (1..).zip(steps) {
                let path = line(&numbers);
                if kind == 0 {
                    let base = u64::saturating_sub(seq, 1 + lag);
                    tree.apply(&TreeEdit::Remove { path: path.clone(), base }, by(client, seq)).unwrap();
                    for (added, when) in &mut unseen {
                        if added.starts_with(&path) {
                            when.retain(|&(who, at)| who != client && at > base);
                        }
                    }
                } else {
                    for _ in 0..kind {
                        tree.apply(&TreeEdit::Add { path: path.clone() }, by(client, seq)).unwrap();
                    }
                    unseen.entry(path).or_default().push((client, seq));
                }
                let there = paths(&tree);
                for (added, when) in &unseen {
                    prop_assert!(when.is_empty() || there.contains(added), "{:?} of {:?}", added, when);
                }
                prop_assert_eq!(there.len(), tree.tree.len());
            }
        }
    }
}
