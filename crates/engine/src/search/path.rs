//! The way to the node: keys of all positions since the last move that cannot be taken back, in the
//! game before the root and on the search path, for repetition.

/// One position on the way.
#[derive(Clone, Copy, Debug)]
struct Step {
    key: u64,
    /// How many positions just before it could be repeated by it or after it.
    back: u32,
}

/// The positions from the game and the search, the newest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    steps: Vec<Step>,
    root: usize,
}

impl Path {
    /// The positions of a game that the newest, the root, may repeat, oldest first, root included.
    pub(super) fn new(keys: impl Iterator<Item = u64>) -> Self {
        let steps: Vec<Step> = keys.enumerate().map(|(back, key)| Step { key, back: back as u32 }).collect();
        let root = steps.len().saturating_sub(1);
        Self { steps, root }
    }

    /// A move was made to the position with this key; `reversible` says whether what was before can
    /// come again.
    #[inline]
    pub(super) fn enter(&mut self, key: u64, reversible: bool) {
        let back = match self.steps.last() {
            Some(step) if reversible => step.back + 1,
            _ => 0,
        };
        self.steps.push(Step { key, back });
    }

    /// The last move is taken back.
    #[inline]
    pub(super) fn leave(&mut self) {
        self.steps.pop();
    }

    /// Whether the newest position counts as drawn by repetition: it was on the search path below
    /// the root already, or with what the game has seen it occurs `claim` times (0 for never).
    pub(super) fn is_repeated(&self, claim: u32) -> bool {
        let Some((last, before)) = self.steps.split_last() else { return false };
        if last.back < 4 || claim == 0 {
            return false;
        }
        let mut occurrences = 1;
        for distance in (4..=last.back as usize).step_by(2) {
            let Some(index) = before.len().checked_sub(distance) else { break };
            if before[index].key == last.key {
                occurrences += 1;
                if index > self.root || occurrences >= claim {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn once_below_the_root_or_thrice_with_the_game() {
        let mut path = Path::new([1, 2, 3, 4, 1].into_iter());
        assert!(!path.is_repeated(3));
        assert!(path.is_repeated(2));
        for key in [2, 3, 4] {
            path.enter(key, true);
            assert!(!path.is_repeated(3));
        }
        path.enter(1, true);
        assert!(path.is_repeated(3), "third time, with the game");
        path.leave();
        path.enter(9, false);
        for key in [5, 6, 7] {
            path.enter(key, true);
        }
        path.enter(9, true);
        assert!(path.is_repeated(3), "second time, below the root");
        assert!(!path.is_repeated(0));
    }
}
