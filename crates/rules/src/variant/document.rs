//! The TOML text of a variant file as a tree in which every value has its location, and `extends`:
//! one tree laid over another. No meaning yet: that is `read`.

use super::error::{Fault, FaultKind, FileLocation};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// Largest variant file, in bytes.
pub const MAX_FILE_BYTES: usize = 256 << 10;

/// How many files may extend one another.
pub const MAX_EXTENDS: usize = 8;

/// Where a value stands: which of the documents, and the byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct At {
    pub(crate) document: usize,
    pub(crate) byte: usize,
}

/// A value and its location.
#[derive(Clone, Debug)]
pub(crate) struct TomlNode {
    pub(crate) at: At,
    pub(crate) value: Value,
}

/// The values that a variant file may have; anything else is stored as the name of its type.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(String),
    Integer(i64),
    Boolean(bool),
    List(Vec<TomlNode>),
    Table(TomlTable),
    Other(&'static str),
}

/// Keys, the locations of the keys, and their values.
pub(crate) type TomlTable = BTreeMap<String, (At, TomlNode)>;

/// The texts that a variant was read from: its own file first, then what it extends.
#[derive(Clone, Debug, Default)]
pub(crate) struct Documents {
    names: Vec<String>,
    texts: Vec<String>,
    /// The value of `extends` in the variant's own file.
    extends: Option<At>,
}

/// The message for a TOML syntax fault, in our words where the message of the parser is too short.
fn syntax_fault(text: &str, byte: usize, message: &str) -> String {
    let message = message.trim().replace('\n', ", ");
    let line_start = text[..byte].rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[line_start..].lines().next().unwrap_or_default().trim();
    let written = match line.strip_prefix('[') {
        Some(table) => table.trim_start_matches('[').split(']').next().map(|name| {
            let (open, close) = if table.starts_with('[') { ("[[", "]]") } else { ("[", "]") };
            format!("{open}{}{close}", name.trim())
        }),
        None => line.split('=').next().map(|key| key.trim().to_owned()),
    };
    match written {
        Some(written) if message.starts_with("duplicate key") => format!("`{written}` is defined twice"),
        _ => format!("expected valid TOML, found a syntax error: {message}"),
    }
}

impl Documents {
    /// Parses a text and appends it; syntax faults are collected and the readable rest is returned.
    pub(crate) fn parse(&mut self, name: &str, text: &str, faults: &mut Vec<Fault>) -> TomlNode {
        let document = self.names.len();
        self.names.push(name.into());
        self.texts.push(String::new());
        let start = At { document, byte: 0 };
        if text.len() > MAX_FILE_BYTES {
            faults.push(self.fault(
                start,
                FaultKind::TooLarge { what: "bytes", limit: MAX_FILE_BYTES, found: text.len() },
            ));
            return TomlNode { at: start, value: Value::Table(TomlTable::new()) };
        }
        self.texts[document] = text.into();
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let byte = error.span().map_or(0, |span| span.start);
            let kind = FaultKind::Syntax(syntax_fault(text, byte, error.message()));
            faults.push(self.fault(At { document, byte }, kind));
        }
        TomlNode { at: start, value: Value::Table(table_of(document, text, table.get_ref())) }
    }

    /// Notes where a file names the one it extends.
    pub(crate) fn mark_extends(&mut self, at: At) {
        self.extends.get_or_insert(at);
    }

    /// A fault at this location; one in a file that is extended is reported where the own file names that file.
    pub(crate) fn fault(&self, at: At, kind: FaultKind) -> Fault {
        match self.extends.filter(|_| at.document > 0) {
            None => Fault { location: self.location(at), inherited: None, kind },
            Some(extends) => {
                Fault { location: self.location(extends), inherited: Some(self.location(at)), kind }
            }
        }
    }

    /// Line and column of a location.
    pub(crate) fn location(&self, At { document, byte }: At) -> FileLocation {
        let text = &self.texts[document];
        let before = text.get(..byte.min(text.len())).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        FileLocation {
            source: self.names[document].clone(),
            line: before.bytes().filter(|&byte| byte == b'\n').count() as u32 + 1,
            column: before[line_start..].chars().count() as u32 + 1,
        }
    }

    /// All texts, the game's own first; together they identify its rules.
    pub(crate) fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The names of the documents so far.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }
}

/// Lays `over` on `base`: tables are joined key by key, everything else is replaced.
pub(crate) fn extend(base: &mut TomlTable, over: TomlTable) {
    for (key, (at, node)) in over {
        match (base.get_mut(&key), node) {
            (
                Some((_, TomlNode { value: Value::Table(below), .. })),
                TomlNode { value: Value::Table(above), .. },
            ) => extend(below, above),
            (_, node) => {
                base.insert(key, (at, node));
            }
        }
    }
}

/// A text of the first level of a variant file, such as that after `extends`, and the bytes of the value, quotes
/// included; `None` without a text in quotes.
///
/// ```
/// use lozenge_rules::variant::top_level_text;
/// let (name, _) = top_level_text("extends = \"chess\"", "extends").unwrap();
/// assert_eq!(name, "chess");
/// ```
#[must_use]
pub fn top_level_text(text: &str, key: &str) -> Option<(String, Range<usize>)> {
    if text.len() > MAX_FILE_BYTES {
        return None;
    }
    let (table, _) = DeTable::parse_recoverable(text);
    let (_, value) = table.get_ref().iter().find(|(found, _)| found.get_ref() == key)?;
    match value.get_ref() {
        DeValue::String(name) => Some((name.to_string(), value.span())),
        _ => None,
    }
}

fn table_of(document: usize, text: &str, table: &DeTable<'_>) -> TomlTable {
    table
        .iter()
        .map(|(key, value)| {
            let key_at = At { document, byte: key.span().start };
            let node = node_of(document, text, value.span().start, value.get_ref());
            (key.get_ref().to_string(), (key_at, node))
        })
        .collect()
}

fn node_of(document: usize, text: &str, byte: usize, value: &DeValue<'_>) -> TomlNode {
    let value = match value {
        DeValue::String(string) => {
            // Point at the first character of the content, past the quotes.
            let byte = byte + quotes(&text[byte.min(text.len())..]);
            return TomlNode { at: At { document, byte }, value: Value::Text(string.to_string()) };
        }
        DeValue::Integer(integer) => match i64::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(number) => Value::Integer(number),
            Err(_) => Value::Other("an integer beyond all bounds"),
        },
        DeValue::Boolean(boolean) => Value::Boolean(*boolean),
        DeValue::Array(array) => Value::List(
            array.iter().map(|item| node_of(document, text, item.span().start, item.get_ref())).collect(),
        ),
        DeValue::Table(table) => Value::Table(table_of(document, text, table)),
        DeValue::Float(_) => Value::Other("a float"),
        DeValue::Datetime(_) => Value::Other("a date"),
    };
    TomlNode { at: At { document, byte }, value }
}

fn quotes(text: &str) -> usize {
    for long in ["\"\"\"", "'''"] {
        if let Some(rest) = text.strip_prefix(long) {
            return 3 + rest.starts_with('\n') as usize + 2 * (rest.starts_with("\r\n") as usize);
        }
    }
    text.starts_with(['"', '\'']) as usize
}

impl TomlNode {
    /// Whether it is a table, or a list of them.
    pub(crate) fn is_table(&self) -> bool {
        match &self.value {
            Value::Table(_) => true,
            Value::List(items) => items.iter().any(|item| matches!(item.value, Value::Table(_))),
            _ => false,
        }
    }

    /// The kind of value, in words.
    pub(crate) fn kind(&self) -> String {
        match &self.value {
            Value::Text(text) => format!("the text `{}`", text.chars().take(40).collect::<String>()),
            Value::Integer(number) => format!("the number {number}"),
            Value::Boolean(boolean) => format!("`{boolean}`"),
            Value::List(items) => match items.len() {
                0 => "an empty list".into(),
                1 => "a list of 1 value".into(),
                count => format!("a list of {count} values"),
            },
            Value::Table(_) => "a table".into(),
            Value::Other(what) => (*what).into(),
        }
    }
}
