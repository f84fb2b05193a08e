//! User text: the characters that requests may contain, and text that fits on one line.

use serde_json::Value;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// Whether a character is forbidden in all text: PostgreSQL refuses NUL, and terminals obey some of the others.
fn is_forbidden(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\r' | '\t')
}

/// Whether a text of JSON has, in any of its strings and names, a control character other than line ends and tabs.
pub fn has_control_in_json(text: &[u8]) -> bool {
    fn found(value: &Value) -> bool {
        match value {
            Value::String(text) => text.contains(is_forbidden),
            Value::Array(values) => values.iter().any(found),
            Value::Object(fields) => {
                fields.iter().any(|(name, value)| name.contains(is_forbidden) || found(value))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
    // JSON writes them as escapes, or in UTF-8 after this byte; nothing else need be read twice.
    let possible =
        text.windows(2).any(|pair| pair == b"\\u" || matches!(pair, [0xc2, 0x80..=0x9f] | [0x7f, _]));
    possible && serde_json::from_slice(text).is_ok_and(|value| found(&value))
}

/// Whether a text in percent encoding, as of an address or a form, has such a character.
pub fn has_control_in_percent(text: &[u8]) -> bool {
    let coded = |code: &[u8]| match code {
        [b'%', high, low] => {
            let digit = |byte: &u8| char::from(*byte).to_digit(16);
            digit(high).zip(digit(low)).is_some_and(|(high, low)| {
                char::from_u32(16 * high + low).is_some_and(|c| c.is_ascii() && is_forbidden(c))
            })
        }
        _ => false,
    };
    text.windows(3).any(coded) || text.iter().any(|byte| byte.is_ascii() && is_forbidden(char::from(*byte)))
}

/// Whether a text displays as one visible line: it has nothing that begins a new line, moves the text around it or is
/// invisible. Joiners are allowed, because scripts and emoji need them.
pub fn is_one_line(text: &str) -> bool {
    let seen = |c: char| {
        use GeneralCategoryGroup::{Letter, Number, Punctuation, Symbol};
        matches!(c.general_category_group(), Letter | Number | Punctuation | Symbol)
    };
    // Tags make other flags of one flag, and are not seen elsewhere.
    let flag = text.contains('\u{1f3f4}');
    let hidden =
        |c: char| c.is_control() || is_hidden(c) || (matches!(c, '\u{e0000}'..='\u{e007f}') && !flag);
    // Marks and joiners alone stand on nothing.
    text.chars().any(seen) && !text.chars().any(hidden)
}

/// Whether a character changes the text around it, or is invisible.
fn is_hidden(c: char) -> bool {
    matches!(c,
        // Separators of lines and paragraphs.
        '\u{2028}' | '\u{2029}'
        // Controls of the writing direction.
        | '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        // Invisible characters: the soft hyphen, spaces and operators of no width, marks of annotations.
        | '\u{00ad}' | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{feff}'
        | '\u{fff0}'..='\u{fffb}' | '\u{034f}' | '\u{180e}'
        // Letters and symbols that are blank: of Hangul, Khmer and Braille.
        | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{17b4}' | '\u{17b5}' | '\u{2800}'
    )
}

#[cfg(test)]
mod tests {
    use super::{has_control_in_json, has_control_in_percent, is_one_line};

    #[test]
    fn control_characters_are_found_in_every_encoding() {
        for good in
            [r#"{"name":"Ann\u00e9"}"#, r#"{"pgn":"1. e4\n\te5\r\n"}"#, r#"{"name":"\\u0000"}"#, "Ü", "[]"]
        {
            assert!(!has_control_in_json(good.as_bytes()), "{good}");
        }
        for bad in
            [r#"{"name":"a\u0000"}"#, r#"[{"a\u001b":1}]"#, r#"["\u007F"]"#, "[\"\u{7f}\"]", "[\"\u{85}\"]"]
        {
            assert!(has_control_in_json(bad.as_bytes()), "{bad}");
        }
        assert!(["%00", "a=%1B&b", "%7f", "a\0"].iter().all(|bad| has_control_in_percent(bad.as_bytes())));
        assert!(
            !["%0A", "%0d%09", "%20", "%c3%bc", "%", "%0"]
                .iter()
                .any(|good| has_control_in_percent(good.as_bytes()))
        );
    }

    #[test]
    fn invisible_characters_are_not_one_line() {
        for good in
            ["gg", "Schön gespielt!", "谢谢", "👩‍🚀", "می‌خواهم", "a – b", "🏴\u{e0067}\u{e0062}\u{e007f}"]
        {
            assert!(is_one_line(good), "{good}");
        }
        for bad in [
            "a\nb",
            "a\u{0}",
            "\u{202e}lal",
            "a\u{2028}b",
            "a\u{200b}b",
            "\u{2066}x",
            "\u{feff}",
            "a\u{85}b",
            "",
            "  ",
            "\u{3164}",
            "a\u{2800}",
            "\u{200d}",
            "\u{301}\u{302}",
            "\u{fe0f}",
            "x\u{e0041}",
        ] {
            assert!(!is_one_line(bad), "{bad:?}");
        }
    }
}
