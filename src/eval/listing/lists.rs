//! Lists of tokens, one after the other, in one piece of memory.

use super::head::HeadToken;

/// Lists of tokens.
#[derive(Default)]
pub(super) struct TokenLists {
    tokens: Vec<HeadToken>,
    /// The end of each list.
    ends: Vec<u32>,
}

impl TokenLists {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The number of tokens in all lists.
    pub(super) fn token_count(&self) -> usize {
        self.tokens.len()
    }

    /// Adds a list. Returns `None` if there are too many tokens.
    pub(super) fn push(&mut self, list: &[HeadToken]) -> Option<()> {
        self.tokens.extend_from_slice(list);
        self.ends.push(u32::try_from(self.tokens.len()).ok()?);
        Some(())
    }

    /// Keeps the first `lists` lists.
    pub(super) fn truncate(&mut self, lists: usize) {
        self.ends.truncate(lists);
        let end = self.ends.last().map_or(0, |&end| end as usize);
        self.tokens.truncate(end);
    }

    pub(super) fn get(&self, number: usize) -> &[HeadToken] {
        let start = match number {
            0 => 0,
            _ => self.ends[number - 1],
        };
        &self.tokens[start as usize..self.ends[number] as usize]
    }
}
