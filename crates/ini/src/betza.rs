//! Betza notation from Fairy-Stockfish's dialect to ours and back.
//!
//! Differences: `e` (captures en passant) is a key of the piece in ours; `i` means "while it stands in the double step region"; `L` and
//! `J` are other letters for `C` and `Z`; ranges have one digit; unknown letters are skipped, which we refuse; a hop without
//! a range (`pW`, `gF`) slides.

/// Moves of a piece, sorted out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Moves {
    /// Moves that are always open to it.
    pub(crate) always: String,
    /// Moves from the double step region alone.
    pub(crate) initial: String,
    /// Whether it captures en passant.
    pub(crate) en_passant: bool,
}

/// Translates moves; the error is what cannot be expressed.
pub(crate) fn read(text: &str) -> Result<Moves, String> {
    let letters: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let mut moves = Moves::default();
    let mut at = 0;
    while at < letters.len() {
        let mut modifiers = String::new();
        let mut initial = false;
        while let Some(&letter) = letters.get(at).filter(|letter| letter.is_ascii_lowercase()) {
            match letter {
                'i' => initial = true,
                'e' => moves.en_passant = true,
                'm' | 'c' | 'f' | 'b' | 'l' | 'r' | 'v' | 's' | 'h' | 'n' | 'j' | 'p' | 'g' => {
                    modifiers.push(letter);
                }
                other => return Err(format!("the modifier `{other}` of `{text}` has no counterpart")),
            }
            at += 1;
        }
        let Some(&atom) = letters.get(at) else {
            return Err(format!("expected an atom after `{modifiers}` in `{text}`"));
        };
        at += 1;
        let ours = match atom {
            'L' => 'C',
            'J' => 'Z',
            'W' | 'F' | 'D' | 'N' | 'A' | 'H' | 'C' | 'Z' | 'G' | 'K' | 'R' | 'B' | 'Q' => atom,
            other => return Err(format!("expected an atom in `{text}`, found `{other}`")),
        };
        let mut range = String::new();
        if letters.get(at) == Some(&atom) {
            range.push('0');
            at += 1;
        } else if let Some(digit) = letters.get(at).filter(|digit| digit.is_ascii_digit()) {
            range.push(*digit);
            at += 1;
            if letters.get(at).is_some_and(char::is_ascii_digit) {
                return Err(format!(
                    "a range of `{text}` has two digits, of which the first alone counts there"
                ));
            }
        }
        let hops = modifiers.contains(['p', 'g']);
        let ours = match (ours, hops && range.is_empty()) {
            ('W', true) => "R".to_owned(),
            ('F', true) => "B".to_owned(),
            ('K', true) => "Q".to_owned(),
            _ => format!("{ours}{range}"),
        };
        let group = format!("{modifiers}{ours}");
        if initial {
            moves.initial.push_str(&group);
        } else {
            moves.always.push_str(&group);
        }
    }
    if moves.always.is_empty() && moves.initial.is_empty() {
        return Err("a piece without moves cannot be said".into());
    }
    Ok(moves)
}

/// Writes moves of ours for Fairy-Stockfish; the error is what cannot be expressed.
pub(crate) fn write(ours: &str, en_passant: bool) -> Result<String, String> {
    let mut out = String::new();
    let letters: Vec<char> = ours.chars().filter(|letter| !letter.is_whitespace()).collect();
    let mut at = 0;
    while at < letters.len() {
        let start = at;
        while letters.get(at).is_some_and(char::is_ascii_lowercase) {
            at += 1;
        }
        let modifiers: String = letters[start..at].iter().collect();
        if modifiers.contains('z') {
            return Err(format!("the crooked moves of `{ours}` have no counterpart"));
        }
        let atom = match letters.get(at) {
            Some('[') => return Err(format!("the moves in brackets of `{ours}` have no counterpart")),
            Some('(') => return Err(format!("the leaps (m,n) of `{ours}` have no counterpart")),
            Some(&atom) => atom,
            None => return Err(format!("`{ours}` ends before its atom")),
        };
        at += 1;
        let mut range = String::new();
        if letters.get(at) == Some(&atom) {
            range.push('0');
            at += 1;
        }
        while let Some(digit) = letters.get(at).filter(|digit| digit.is_ascii_digit()) {
            range.push(*digit);
            at += 1;
        }
        if range.len() > 1 {
            return Err(format!("a range of `{ours}` has two digits"));
        }
        // A leap or single step that captures can capture en passant.
        let takes = modifiers.contains('c') || !modifiers.contains('m');
        let short = range.is_empty() && !matches!(atom, 'R' | 'B' | 'Q');
        let mark = if en_passant && takes && short { "e" } else { "" };
        let range = if range == "0" && matches!(atom, 'R' | 'B' | 'Q') { String::new() } else { range };
        out.push_str(&format!("{modifiers}{mark}{atom}{range}"));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pawn_moves_are_split_by_condition() {
        let pawn = read("fmWfceFifmnD").unwrap();
        assert_eq!((pawn.always.as_str(), pawn.initial.as_str()), ("fmWfcF", "fmnD"));
        assert!(pawn.en_passant);
        assert_eq!(read("mRcpR").unwrap().always, "mRcpR");
        assert_eq!(read("LJ").unwrap().always, "CZ");
        assert_eq!(read("NN").unwrap().always, "N0");
        assert_eq!(read("cpWgF").unwrap().always, "cpRgB");
    }

    #[test]
    fn unsupported_betza_is_refused() {
        for text in ["K # a king", "W12", "xK", "", "f", "T"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn betza_is_written_for_fairy_stockfish() {
        assert_eq!(write("mfWcfFimfnD", true).unwrap(), "mfWcfeFimfnD");
        assert_eq!(write("R0N0", false).unwrap(), "RN0");
        for text in ["zR", "[F-fR]", "(1,4)", "R12"] {
            assert!(write(text, false).is_err(), "{text}");
        }
    }
}
