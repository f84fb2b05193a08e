//! The small shapes of PGN: which characters make blanks, moves and tag names, and the form of a line of tags
//! and of the end of a game. Not here: reading anything in order.

use super::{MAX_MOVE, ResultTag};
use crate::seat::SEATS;

/// The spellings of results, longest first where one begins another.
pub(super) const RESULTS: [(&str, ResultTag); 5] = [
    ("1/2-1/2", ResultTag::Draw),
    ("1/2", ResultTag::Draw),
    ("1-0", ResultTag::WhiteWins),
    ("0-1", ResultTag::BlackWins),
    ("*", ResultTag::Unknown),
];

/// The places of three or four players that stand at the beginning of `text`, and their length.
pub(super) fn places_at(text: &str) -> Option<(usize, ResultTag)> {
    let end = text.bytes().position(|byte| !is_move_byte(byte)).unwrap_or(text.len());
    let mut places = [0; SEATS];
    let mut count = 0;
    for word in text.get(..end)?.split('-') {
        let &[byte @ b'1'..=b'4'] = word.as_bytes() else { return None };
        *places.get_mut(count)? = byte - b'0';
        count += 1;
    }
    (count >= 3).then_some((end, ResultTag::Places(places)))
}

/// Longer runs than this are not examined when deciding whether a line begins with a tag.
const MAX_TAG_NAME_SEEN: usize = 256;

/// Whether `c` separates words. A byte order mark does, as files glued together have it in their midst.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// Whether `b` may stand in a move.
pub(super) fn is_move_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"-+#=:@/_~'".contains(&b)
}

/// Whether a move can begin with this text: a letter, `--` (a null move) or `0-0` (castling with zeros).
pub(super) fn begins_move(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic()) || text.starts_with("--") || text.starts_with("0-0")
}

/// Whether `text` is one word that the reader takes for a move and the writer therefore writes.
///
/// ```
/// # use lozenge_rules::notation::pgn::is_move_text;
/// for text in ["Pxg4", "Rh4=Q", "O-O:d1", "0-0", "l12a1", "e4e6r", "Kxa12+", "--", "Z0"] {
///     assert!(is_move_text(text), "{text}");
/// }
/// for text in ["", "1", "1-0", "e4 e5", "e4!", "(e4)", "♘f3", "-"] {
///     assert!(!is_move_text(text), "{text}");
/// }
/// ```
pub fn is_move_text(text: &str) -> bool {
    text.len() <= MAX_MOVE && begins_move(text) && text.bytes().all(is_move_byte)
}

/// Whether `c` may stand in the name of a tag.
pub(super) fn is_tag_name_char(c: char) -> bool {
    c.is_alphanumeric() || "_+#=:-".contains(c)
}

/// Whether `text` begins with a tag: `[`, a name and the `"` of its value.
pub(super) fn begins_tag(text: &str) -> bool {
    let spaces = [' ', '\t'];
    let Some(rest) = text.strip_prefix('[') else { return false };
    let rest = rest.trim_start_matches(spaces);
    let Some((name_len, _)) =
        rest.char_indices().take(MAX_TAG_NAME_SEEN).find(|&(_, c)| !is_tag_name_char(c))
    else {
        return false;
    };
    let value = rest.get(name_len..).unwrap_or_default().trim_start_matches(spaces);
    name_len > 0 && value.starts_with('"')
}

/// Whether `line` ends with a result that stands by itself.
pub(super) fn ends_with_result(line: &str) -> bool {
    let line = line.trim_end();
    let last = line.rsplit(|c: char| is_blank(c) || "{})".contains(c)).next().unwrap_or_default();
    last.parse::<ResultTag>().is_ok_and(|result| matches!(result, ResultTag::Places(_)))
        || RESULTS.iter().any(|(result, _)| {
            line.strip_suffix(result).is_some_and(|before| {
                before.is_empty() || before.ends_with(|c: char| is_blank(c) || "{})".contains(c))
            })
        })
}

/// Whether nothing but blanks stands on `line`.
pub(super) fn is_blank_line(line: &str) -> bool {
    line.chars().all(is_blank)
}
