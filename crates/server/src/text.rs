//! What somebody writes for others to read, as one line.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// Whether a text shows as one line of what it says: nothing that begins a new line, moves what stands around it or is
/// there without being seen. Joiners may be, which scripts and emoji need.
pub(crate) fn is_one_line(text: &str) -> bool {
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

/// Whether a character changes what stands around it, or is not seen itself.
fn is_hidden(c: char) -> bool {
    matches!(c,
        // Separators of lines and paragraphs.
        '\u{2028}' | '\u{2029}'
        // What turns the direction of writing.
        | '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        // What is not seen: the soft hyphen, spaces and operators of no width, marks of annotations.
        | '\u{00ad}' | '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}' | '\u{feff}'
        | '\u{fff0}'..='\u{fffb}' | '\u{034f}' | '\u{180e}'
        // Letters and symbols that are blank: of Hangul, Khmer and Braille.
        | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{17b4}' | '\u{17b5}' | '\u{2800}'
    )
}

#[cfg(test)]
mod tests {
    use super::is_one_line;

    #[test]
    fn lines_say_what_they_show() {
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
