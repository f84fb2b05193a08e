//! Reads values out of the tree of a document, one kind of value at a time, collecting faults. Not
//! here: the keys and their meaning (`read`).

use super::def::{Located, Text};
use super::document::{At, Documents, TomlNode, TomlTable, Value};
use super::error::{Fault, FaultKind, is_similar};

/// Reads tables key by key. A key that is read is known; `finish` reports the others.
pub(super) struct TableReader<'d> {
    pub(super) documents: &'d Documents,
    pub(super) faults: Vec<Fault>,
    /// `[options]`: named words that other values refer to as `$name`.
    pub(super) options: Vec<(String, String)>,
    /// Whether all options could be read; if not, an unknown name is not reported.
    pub(super) options_known: bool,
}

type Keys<'k> = &'k [&'static str];

impl TableReader<'_> {
    pub(super) fn fault(&mut self, at: At, kind: FaultKind) {
        self.faults.push(self.documents.fault(at, kind));
    }

    pub(super) fn wrong(&mut self, node: &TomlNode, expected: impl Into<String>) {
        self.fault(node.at, FaultKind::Value { expected: expected.into(), found: node.kind() });
    }

    pub(super) fn only(&mut self, table: &TomlTable, known: Keys<'_>) {
        for (key, (at, _)) in table {
            if !known.contains(&key.as_str()) {
                self.fault(*at, FaultKind::UnknownKey { expected: known.to_vec(), found: key.clone() });
            }
        }
    }

    pub(super) fn required<'t>(
        &mut self,
        table: &'t TomlTable,
        at: At,
        key: &'static str,
        what: &'static str,
    ) -> Option<&'t TomlNode> {
        let node = table.get(key).map(|(_, node)| node);
        // A key that is misspelled has been reported as unknown.
        if node.is_none() && !table.keys().any(|found| is_similar(found, key)) {
            self.fault(at, FaultKind::Missing { key, what });
        }
        node
    }

    pub(super) fn text_node(&mut self, node: &TomlNode) -> Option<Text> {
        let Value::Text(text) = &node.value else {
            self.wrong(node, "a text in quotes");
            return None;
        };
        let text = match text.strip_prefix('$') {
            None => text,
            Some(name) => match self.options.iter().find(|(option, _)| option == name) {
                Some((_, word)) => &word.clone(),
                None if !self.options_known => return None,
                None => {
                    self.wrong(node, "the name of an option of the table [options] after `$`");
                    return None;
                }
            },
        };
        Some(Text { at: node.at, value: text.clone() })
    }

    pub(super) fn text(&mut self, table: &TomlTable, key: &str) -> Option<Text> {
        table.get(key).and_then(|(_, node)| self.text_node(node))
    }

    /// A text that a file may take away from the game it extends with `key = false`.
    pub(super) fn removable_text(&mut self, table: &TomlTable, key: &str) -> Option<Text> {
        match table.get(key).map(|(_, node)| node)? {
            TomlNode { value: Value::Boolean(false), .. } => None,
            node => self.text_node(node),
        }
    }

    /// The texts of a list.
    pub(super) fn texts(&mut self, table: &TomlTable, key: &str, expected: &str) -> Vec<Text> {
        match table.get(key).map(|(_, node)| node) {
            None => Vec::new(),
            Some(TomlNode { value: Value::List(items), .. }) => {
                items.iter().filter_map(|item| self.text_node(item)).collect()
            }
            Some(node) => {
                self.wrong(node, expected);
                Vec::new()
            }
        }
    }

    pub(super) fn prose(&mut self, table: &TomlTable, key: &str) -> String {
        self.text(table, key).map_or_else(String::new, |text| text.value)
    }

    pub(super) fn required_text(
        &mut self,
        table: &TomlTable,
        at: At,
        key: &'static str,
        what: &'static str,
    ) -> Option<Text> {
        self.required(table, at, key, what).and_then(|node| self.text_node(node))
    }

    pub(super) fn integer_node(&mut self, node: &TomlNode) -> Option<Located<i64>> {
        if let Value::Integer(value) = node.value {
            return Some(Located { at: node.at, value });
        }
        self.wrong(node, "a whole number");
        None
    }

    /// A list of two whole numbers.
    pub(super) fn pair(&mut self, node: &TomlNode, expected: &'static str) -> Option<[Located<i64>; 2]> {
        match &node.value {
            Value::List(items) if items.len() == 2 => {
                let [first, second] = [self.integer_node(&items[0]), self.integer_node(&items[1])];
                Some([first?, second?])
            }
            _ => {
                self.wrong(node, expected);
                None
            }
        }
    }

    /// The value read from a part of the file, and whether that part had no faults.
    pub(super) fn whole<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let before = self.faults.len();
        let read = read(self);
        (read, self.faults.len() == before)
    }

    pub(super) fn flag(&mut self, table: &TomlTable, key: &str, default: bool) -> bool {
        match table.get(key).map(|(_, node)| node) {
            None => default,
            Some(TomlNode { value: Value::Boolean(flag), .. }) => *flag,
            Some(node) => {
                self.wrong(node, "true or false");
                default
            }
        }
    }

    pub(super) fn word<T: Copy>(
        &mut self,
        table: &TomlTable,
        key: &str,
        words: &[(&str, T)],
    ) -> Option<Located<T>> {
        let text = self.text(table, key)?;
        let found = words.iter().find(|(word, _)| *word == text.value).map(|(_, value)| *value);
        if found.is_none() {
            let expected = words.iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(" or ");
            self.fault(text.at, FaultKind::Value { expected, found: format!("`{}`", text.value) });
        }
        found.map(|value| Located { at: text.at, value })
    }

    /// The tables under a key that holds a table or a list of tables.
    pub(super) fn tables<'t>(&mut self, table: &'t TomlTable, key: &str) -> Vec<(At, &'t TomlTable)> {
        match table.get(key).map(|(_, node)| node) {
            None => Vec::new(),
            Some(TomlNode { at, value: Value::Table(table) }) => vec![(*at, table)],
            Some(TomlNode { value: Value::List(items), .. }) => items
                .iter()
                .filter_map(|item| match &item.value {
                    Value::Table(table) => Some((item.at, table)),
                    _ => {
                        self.wrong(item, "a table");
                        None
                    }
                })
                .collect(),
            Some(node) => {
                self.wrong(node, "a table or a list of tables");
                Vec::new()
            }
        }
    }

    pub(super) fn table<'t>(&mut self, table: &'t TomlTable, key: &str) -> Option<(At, &'t TomlTable)> {
        match table.get(key).map(|(_, node)| node)? {
            TomlNode { at, value: Value::Table(table) } => Some((*at, table)),
            node => {
                self.wrong(node, "a table");
                None
            }
        }
    }
}
