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
}

/// Translates moves; the error is what cannot be expressed.
pub(crate) fn read(text: &str) -> Result<Moves, String> {
    let letters: Vec<char> = text.trim().chars().collect();
    if letters.iter().any(|letter| letter.is_whitespace()) {
        return Err(format!("a space inside `{text}` has no counterpart: it separates there"));
    }
    let mut moves = Moves::default();
    let mut groups: Vec<Group> = Vec::new();
    let mut rest = letters.as_slice();
    while !rest.is_empty() {
        let lower = rest.iter().take_while(|letter| letter.is_ascii_lowercase()).count();
        let (modifiers, after) = rest.split_at(lower);
        let [atom, after @ ..] = after else {
            return Err(format!("expected an atom after `{}` in `{text}`", String::from_iter(modifiers)));
        };
        let modifiers = Modifiers::read(modifiers, text)?;
        if modifiers.manner == Some('g') && after.first().is_some_and(char::is_ascii_digit) {
            return Err(format!("the range of a grasshopper of `{text}` has no counterpart"));
        }
        let (range, after) = range(*atom, after, text)?;
        rest = after;
        let group = Group::new(&modifiers, *atom, range);
        if groups.iter().any(|earlier| earlier.disturbs(&group)) {
            return Err(format!(
                "the moves of `{text}` on one line, which disturb each other there, have no counterpart"
            ));
        }
        groups.push(group);
        let Some(group) = modifiers.group(*atom, range, text)? else { continue };
        if modifiers.initial { &mut moves.initial } else { &mut moves.always }.push_str(&group);
    }
    if moves.always.is_empty() && moves.initial.is_empty() {
        return Err("a piece without moves cannot be said".into());
    }
    Ok(moves)
}

/// What Fairy-Stockfish makes of one atom. It keeps one range for each step, and one set of squares for all that slides or hops, so that
/// some groups change each other.
struct Group {
    /// `W`, `F` or both, or the letter of a leap.
    steps: &'static str,
    leap: char,
    /// Most steps, `0` for no limit.
    range: char,
    directions: String,
    quiet: bool,
    capture: bool,
    initial: bool,
    manner: Option<char>,
}

impl Group {
    fn new(modifiers: &Modifiers, atom: char, range: Option<char>) -> Self {
        let steps = match atom {
            'W' | 'R' => "W",
            'F' | 'B' => "F",
            'K' | 'Q' => "WF",
            _ => "",
        };
        let slides = matches!(atom, 'R' | 'B' | 'Q') || matches!(modifiers.manner, Some('p' | 'g'));
        let Modifiers { quiet, capture, initial, manner, .. } = *modifiers;
        Self {
            steps,
            leap: atom,
            range: range.unwrap_or(if slides { '0' } else { '1' }),
            directions: modifiers.directions.concat(),
            quiet: quiet || !capture,
            capture: capture || !quiet,
            initial,
            manner,
        }
    }

    fn hops(&self) -> bool {
        matches!(self.manner, Some('p' | 'g'))
    }

    /// Whether both have a step in common.
    fn shares_step(&self, other: &Self) -> bool {
        let leaps = self.steps.is_empty() && self.leap == other.leap;
        leaps || self.steps.chars().any(|step| other.steps.contains(step))
    }

    /// Whether Fairy-Stockfish takes the two for other moves than each alone.
    fn disturbs(&self, other: &Self) -> bool {
        let together = (self.quiet && other.quiet) || (self.capture && other.capture);
        if !together || self.initial != other.initial {
            return false;
        }
        let lame_between = |lame: &Self, hop: &Self| {
            let step = match (lame.manner, lame.leap) {
                (Some('n'), 'D') => 'W',
                (Some('n'), 'A') => 'F',
                _ => return false,
            };
            hop.hops() && hop.steps.contains(step)
        };
        if lame_between(self, other) || lame_between(other, self) {
            return true;
        }
        if !self.shares_step(other) {
            return false;
        }
        if self.hops() || other.hops() {
            // A slide and a hop without limits in the same directions add up.
            let add_up = self.hops() != other.hops()
                && [self, other].iter().all(|group| group.range == '0')
                && self.directions == other.directions;
            return self.manner != other.manner && !add_up && (self.range != '1' || other.range != '1');
        }
        let same_directions = self.directions.is_empty()
            || other.directions.is_empty()
            || self.directions.chars().any(|direction| other.directions.contains(direction));
        (self.manner != other.manner || self.range != other.range) && (same_directions || self.leap == 'N')
    }
}

/// The small letters before an atom.
struct Modifiers {
    /// Single directions and pairs, in their order.
    directions: Vec<String>,
    quiet: bool,
    capture: bool,
    initial: bool,
    /// `n`, `p` or `g`.
    manner: Option<char>,
}

impl Modifiers {
    fn read(letters: &[char], text: &str) -> Result<Self, String> {
        let mut read =
            Self { directions: Vec::new(), quiet: false, capture: false, initial: false, manner: None };
        let mut rest = letters;
        while let [letter, after @ ..] = rest {
            rest = after;
            match letter {
                'm' => read.quiet = true,
                'c' => read.capture = true,
                'i' => read.initial = true,
                // Whether a piece captures en passant is a rule of the piece, not of a move.
                'e' => {}
                'n' | 'p' | 'g' if read.manner.is_none_or(|manner| manner == *letter) => {
                    read.manner = Some(*letter);
                }
                'f' | 'b' | 'l' | 'r' | 'v' | 's' => {
                    let pairs = match letter {
                        'f' | 'b' => "lrsh",
                        'l' | 'r' => "fbvh",
                        'v' => "lrsh",
                        _ => "fbvh",
                    };
                    match after.first().filter(|next| *next == letter || pairs.contains(**next)) {
                        Some(next) => {
                            rest = &after[1..];
                            read.directions.push(format!("{letter}{next}"));
                        }
                        None => read.directions.push(letter.to_string()),
                    }
                }
                other => return Err(format!("the modifier `{other}` of `{text}` has no counterpart")),
            }
        }
        let unlike = |pair: &&String| {
            matches!(pair.as_str(), "vl" | "vr" | "vs" | "vh" | "sf" | "sb" | "sv" | "sh" | "lv" | "rv")
        };
        match read.directions.iter().find(unlike) {
            Some(pair) => Err(format!("the directions `{pair}` of `{text}` have no counterpart")),
            None => Ok(read),
        }
    }

    /// The group for an atom; `None`: it allows no move there.
    fn group(&self, atom: char, range: Option<char>, text: &str) -> Result<Option<String>, String> {
        let refuse = |what: String| Err(format!("{what} of `{text}` has no counterpart"));
        // What Fairy-Stockfish can ride on, and the leaps whose way it checks.
        let rides =
            matches!(atom, 'W' | 'F' | 'K' | 'R' | 'B' | 'Q') || (atom == 'N' && self.manner.is_none());
        if range.is_some() && !rides {
            return refuse(format!("the range of `{atom}`"));
        }
        let ours = match (self.manner, atom) {
            (None, 'L') => "C".to_owned(),
            (None, 'J') => "Z".to_owned(),
            (None, 'W' | 'F' | 'D' | 'N' | 'A' | 'H' | 'C' | 'Z' | 'G' | 'K' | 'R' | 'B' | 'Q') => {
                atom.to_string()
            }
            (Some('n'), 'N' | 'A' | 'D') => format!("n{atom}"),
            (Some('n'), 'Z' | 'J') if self.directions.is_empty() => "[W-fF-fF]".to_owned(),
            // Without a range a hop slides on.
            (Some(manner @ ('p' | 'g')), 'W' | 'R') if range.is_none_or(|range| range == '0') => {
                format!("{manner}R")
            }
            (Some(manner @ ('p' | 'g')), 'F' | 'B') if range.is_none_or(|range| range == '0') => {
                format!("{manner}B")
            }
            (Some(manner @ ('p' | 'g')), 'K' | 'Q') if range.is_none_or(|range| range == '0') => {
                format!("{manner}Q")
            }
            (Some(manner), _) => return refuse(format!("`{manner}` before `{atom}`")),
            (None, other) => return Err(format!("expected an atom in `{text}`, found `{other}`")),
        };
        // Both leaps of such an atom take each pair of letters as one direction, and as different ones.
        if matches!(atom, 'K' | 'Q') && self.directions.iter().any(|pair| is_mixed(pair)) {
            return refuse(format!("a pair of directions before `{atom}`"));
        }
        let forward = self.directions.iter().any(|pair| matches!(pair.as_str(), "fs" | "bs"));
        if forward && matches!(atom, 'F' | 'B' | 'A' | 'G') {
            return refuse(format!("the pair of directions before `{atom}`"));
        }
        if self.initial && ours.starts_with('[') {
            return refuse(format!("`i` before `n{atom}`"));
        }
        let directions = self.directions.concat();
        if tokens(&directions) != self.directions {
            return refuse(format!("the row of directions `{directions}`"));
        }
        // First moves are no captures there.
        let mark = match (self.quiet, self.capture) {
            (false, true) if self.initial => return Ok(None),
            (_, _) if self.initial => "m",
            (true, false) => "m",
            (false, true) => "c",
            _ => "",
        };
        let range = if self.manner.is_some() { None } else { range };
        let range = range.map(String::from).unwrap_or_default();
        Ok(Some(match ours.strip_prefix(['n', 'p', 'g']) {
            Some(atom) => format!("{mark}{directions}{}{atom}", &ours[..1]),
            None => format!("{mark}{directions}{ours}{range}"),
        }))
    }
}

/// Whether a direction has two different letters.
fn is_mixed(direction: &str) -> bool {
    matches!(direction.as_bytes(), [first, second] if first != second)
}

/// The single directions and pairs that our notation sees in a row of letters.
fn tokens(letters: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = letters.chars().peekable();
    while let Some(letter) = rest.next() {
        let pairs = match letter {
            'f' | 'b' => "lrsh",
            'l' | 'r' => "fbh",
            _ => "",
        };
        match rest.peek().copied().filter(|next| *next == letter || pairs.contains(*next)) {
            Some(next) => {
                rest.next();
                tokens.push(format!("{letter}{next}"));
            }
            None => tokens.push(letter.to_string()),
        }
    }
    tokens
}

/// The range behind an atom, `0` for no limit, and the letters after it.
fn range<'l>(atom: char, letters: &'l [char], text: &str) -> Result<(Option<char>, &'l [char]), String> {
    match letters {
        [digit, next, ..] if digit.is_ascii_digit() && next.is_ascii_digit() => {
            Err(format!("a range of `{text}` has two digits, of which the first alone counts there"))
        }
        [digit, rest @ ..] if digit.is_ascii_digit() => Ok((Some(*digit), rest)),
        [again, rest @ ..] if *again == atom => Ok((Some('0'), rest)),
        rest => Ok((None, rest)),
    }
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
        assert_eq!((pawn.always.as_str(), pawn.initial.as_str()), ("mfWcfF", "mfnD"));
        for (theirs, ours) in [
            ("mRcpR", "mRcpR"),
            ("LJ", "CZ"),
            ("NN", "N0"),
            ("cpWgF", "cpRgB"),
            ("nZ", "[W-fF-fF]"),
            ("mcfsW", "fsW"),
            ("flNfrN", "flNfrN"),
            ("RcpRnN", "RcpRnN"),
            ("fRbR2", "fRbR2"),
        ] {
            assert_eq!(read(theirs).unwrap().always, ours, "{theirs}");
        }
        // First moves never capture there.
        assert_eq!(read("KifmcRicB").unwrap(), Moves { always: "K".into(), initial: "mfR".into() });
    }

    #[test]
    fn unsupported_betza_is_refused() {
        for text in [
            "K # a king",
            "W12",
            "xK",
            "",
            "f",
            "T",
            "DD",
            "A3",
            "nH",
            "pN",
            "pR2",
            "fsK",
            "flQ",
            "rvN",
            "vsN",
            "hlN",
            "nNN",
            // A space separates there.
            "N N",
            "W 3",
            "f lN",
            // One step has one range there.
            "RfR2",
            "Q0K3",
            "DnD",
            "NnN",
            "pRgR",
            // What slides and hops on one line is one set of squares there.
            "R2pR",
            "W3gR",
            "fRbpR",
            "pRfnD",
            "bnNfNN",
            // A digit makes it a cannon there.
            "gR0",
            "fsF",
            "nbsA",
        ] {
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
