//! German texts: complete, without English in them, and in these words; and both languages explain any game that could
//! exist.

use lozenge_explain::document::{Document, Part, PieceEntry, Subject};
use lozenge_explain::{Language, document, plain_text};
use lozenge_rules::library;
use lozenge_rules::variant::{Variant, betza};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

fn in_language(language: Language, game: &Variant) -> Document<String> {
    document(game).map(|text| language.text(game.id(), text))
}

fn in_german(game: &Variant) -> Document<String> {
    in_language(Language::German, game)
}

/// The first fault of a German text, if any: a missing or unfinished message, or an English word.
fn fault(text: &str) -> Option<String> {
    const ENGLISH: &str = "and any are at be becomes behind between bishop board but by camp's cannot capture captured \
         captures capturing castling diagonally draw drawn each edge either empty enemy's ends everywhere exactly \
         farther file files first forward from game hole is joined king king's knight leap leaps left loses lost \
         may mirrored mirrors move moves must neither no not number of one only or own pawn pawns piece player \
         promoted promotion queen rank ranks right rook side sideways slides square squares start starting straight \
         that the there three to turned two up where which white who win wins with without won zigzag";
    let unfinished = text.trim().is_empty() || ["{", "  "].iter().any(|sign| text.contains(sign));
    let english: BTreeSet<&str> = ENGLISH.split(' ').collect();
    // Betza notation has letters of its own: `is(4,0)`.
    let notation = text.split_once("Betza: ").and_then(|(_, rest)| rest.split_whitespace().next());
    let prose = notation.map_or(text.to_owned(), |word| text.replacen(&format!("Betza: {word}"), "", 1));
    let words = prose.split(|letter: char| !letter.is_alphanumeric() && !"'’-.:_".contains(letter));
    let mut words = words.map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    if unfinished {
        return Some(format!("unfinished: {text:?}"));
    }
    words.find(|word| english.contains(word)).map(|word| format!("{word:?} in {text:?}"))
}

/// The texts of all chapters, without those from the game's file.
fn our_texts(document: &Document<String>) -> Vec<String> {
    let ours = Document {
        title: String::new(),
        origin: Vec::new(),
        about: None,
        chapters: document.chapters.iter().filter(|c| c.subject != Subject::Readings).cloned().collect(),
    };
    ours.texts().into_iter().cloned().collect()
}

/// The sentences on the moves of a piece.
fn moves(id: &str, letter: char) -> String {
    let document = in_german(&library::game(id).expect(id));
    let parts = document.chapters.into_iter().flat_map(|chapter| chapter.parts);
    let piece = |part| match part {
        Part::Piece(PieceEntry { letter: other, moves, .. }) if other == letter => Some(moves.join(" ")),
        _ => None,
    };
    parts.filter_map(piece).next().expect("a piece of the game")
}

#[test]
fn every_game_is_described_in_german_throughout() {
    for id in library::ids() {
        let game = library::game(id).expect(id);
        for text in our_texts(&in_german(&game)) {
            assert_eq!(fault(&text), None, "{id}");
        }
    }
}

#[test]
fn faults_are_found() {
    for text in ["", "Zieht { $far } Felder.", "Zieht ein square.", "Betza: W (one)"] {
        assert!(fault(text).is_some(), "{text}");
    }
    for text in [
        "Betza: mW (von file-a camp)",
        "Betza: is(4,0)",
        "Turm und Läufer in einer Figur.",
        "# ist eine Figur im Weg",
    ] {
        assert_eq!(fault(text), None);
    }
}

#[test]
fn pieces_of_the_five_games() {
    for (id, letter, expected) in [
        (
            "diagonal",
            'P',
            "Zieht ohne zu schlagen ein Feld gerade vorwärts; schlägt ein Feld halblinks oder halbrechts vorwärts.",
        ),
        (
            "diagonal",
            'N',
            "Zieht oder schlägt mit einem langen Springersprung (drei Felder entlang einer Linie oder Reihe und eines \
             zur Seite), über alles hinweg, was dazwischen steht.",
        ),
        (
            "diamondback",
            'P',
            "Zieht oder schlägt ein Feld halblinks oder halbrechts vorwärts; zieht ohne zu schlagen ein Feld gerade \
             vorwärts. Zieht oder schlägt außerdem von a4, b3, c2 und d1 aus ein Feld seitwärts. Schlägt außerdem von \
             Linie a und Reihe 1 aus ein Feld gerade vorwärts. Schlägt außerdem von Linie b aus ein Feld seitwärts \
             nach links. Schlägt außerdem von Reihe 2 aus ein Feld seitwärts nach rechts.",
        ),
        (
            "diamond",
            'P',
            "Zieht ohne zu schlagen ein Feld gerade vorwärts; schlägt ein Feld schräg vorwärts. Zieht außerdem, wo \
             geradeaus kein Feld ist, ohne zu schlagen ein Feld seitwärts.",
        ),
        (
            "diamond",
            'A',
            "Zieht oder schlägt beliebig viele Felder diagonal oder ein Feld entlang der Linien und Reihen.",
        ),
        (
            "doublediamond",
            'M',
            "Zieht oder schlägt beliebig viele Felder entlang der Linien und Reihen, oder wie der Springer im Schach \
             (zwei Felder entlang einer Linie oder Reihe und eines zur Seite), über alles hinweg, was dazwischen steht.",
        ),
        (
            "diamondring",
            'R',
            "Zieht oder schlägt beliebig viele Felder entlang der Linien und Reihen, auch über die verbundenen Ränder, \
             aber nie zurück auf das Feld, auf dem der Zug begann.",
        ),
        (
            "diamondring",
            'P',
            "Zieht ohne zu schlagen ein Feld entlang der Linien und Reihen, jedoch nur auf ein Feld, das weiter vom \
             eigenen Lager entfernt ist. Schlägt ein Feld diagonal, jedoch nur auf dasjenige dieser Felder, das am \
             weitesten vom eigenen Lager entfernt ist, und nur, wenn es weiter entfernt ist als das bisherige.",
        ),
        (
            "diamondring-wildeurasian",
            'C',
            "Zieht ohne zu schlagen beliebig viele Felder entlang der Linien und Reihen, auch über die verbundenen \
             Ränder, aber nie zurück auf das Feld, auf dem der Zug begann; schlägt beliebig viele Felder entlang der \
             Linien und Reihen, über genau eine Figur auf dem Weg hinweg und dahinter weiter, auch über die \
             verbundenen Ränder, aber nie zurück auf das Feld, auf dem der Zug begann.",
        ),
        (
            "gryphoncylinder",
            'Y',
            "Zieht oder schlägt beliebig viele Felder diagonal im Zickzack, mit jedem Schritt im rechten Winkel, \
             abwechselnd nach links und rechts. Ein Zug mit Wendungen hat höchstens sieben Schritte, alle \
             zusammengezählt, und kommt auf kein Feld zweimal. Gesperrt: Reihe 8. Kein Zug endet dort, und keiner \
             führt hindurch; bei einem Sprung zählt, wo er endet.",
        ),
    ] {
        assert_eq!(moves(id, letter), expected, "{id} {letter}");
    }
}

#[test]
fn rules_of_the_five_games() {
    for (id, sentence) in [
        (
            "diagonal",
            "Umwandlung (Bauer): Auf bestimmten Feldern ist sie Pflicht; in welche Figur, hängt vom Feld ab: auf a8, \
             g8, h1 oder h7 in Dame, Turm, Läufer oder Springer; auf b8, f8, h2 oder h6 in Turm, Läufer oder Springer; \
             auf c8, e8, h3 oder h5 in Läufer oder Springer; auf d8 oder h4 in Springer. Für Schwarz gelten dieselben \
             Felder, um 180 Grad gedreht.",
        ),
        (
            "diamondback",
            "Ziel (König oder Bauer): Kommt eine solche Figur durch einen regelgerechten Zug an ihr Ziel, ist die \
             Partie sofort gewonnen; für Weiß liegt es auf h8, für Schwarz auf a1.",
        ),
        (
            "diamondback",
            "Es gibt vier Aufstellungen (0: die übliche; 1: Dame und Läufer von Weiß vertauscht; 2: Dame und Läufer von \
             Schwarz vertauscht; 3: Dame und Läufer auf beiden Seiten vertauscht). Gezeichnet ist die erste; für eine \
             neue Partie wird eine ausgelost, wenn keine gewählt ist.",
        ),
        (
            "diamond",
            "e5 ist ein Loch im Brett: Wer gleitet, hält davor wie am Rand; wer springt, setzt darüber hinweg.",
        ),
        (
            "doublediamond",
            "Umwandlung (Bauer): für Weiß auf Linie i oder Reihe 9, für Schwarz auf Linie a oder Reihe 1. Sie ist \
             Pflicht, und zwar in Dame, Marschall, Turm, Läufer oder Springer.",
        ),
        (
            "doublediamond",
            "Rochade, Weiß: kurz (O-O), König von a1 nach c1 und Turm von e1 nach b1; lang (O-O-O), König von a1 nach \
             a3 und Turm von a5 nach a2.",
        ),
        (
            "diamondring",
            "Es gibt keinen Rand: Linie l liegt neben Linie a und Reihe 12 neben Reihe 1 (ein Torus).",
        ),
        ("diamondring", "Die Aufstellung (wiederhergestellt)."),
    ] {
        let document = in_german(&library::game(id).expect(id));
        assert!(document.texts().iter().any(|text| *text == sentence), "{id}: {sentence}");
    }
}

/// As the rules, the first page and addresses number them.
#[test]
fn starts_are_counted_from_zero() {
    let document = in_language(Language::English, &library::game("diamondback").expect("built in"));
    let has = |part: &str| document.texts().iter().any(|text| text.contains(part));
    assert!(has("(0: canonical; 1: White's queen") && has("start 0") && !has("start 4"));
}

/// A game of a user: one of its pieces, with names and words that have no translation.
fn custom_game(board: &str, moves: &str, rest: &str) -> Option<Arc<Variant>> {
    let squares = "........\n".repeat(8);
    let text = format!(
        "id = \"strange\"\nname = \"Strange Chess\"\nabout = \"Rather odd.\"\nreadings = [\"As it is.\"]\n\
         [board]\nsquares = \"\"\"\n{squares}\"\"\"\n{board}\n[regions]\nnest = \"a1 b2 c1..c3\"\n\
         [distance]\nfrom = \"nest\"\n[roles.K]\nname = \"Emperor\"\nroyal = true\nmoves = \"K\"\n\
         [roles.R]\nname = \"Rook\"\nmoves = \"R\"\n[roles.X]\nname = \"Ork\"\npawn = true\n{moves}\n\
         [[start]]\nname = \"plain\"\nfen = \"8/8/2k5/8/8/8/6K1/8 w - - 0 1\"\n{rest}"
    );
    Variant::parse("strange", &text, &library::text).ok()
}

#[test]
fn custom_games_keep_their_names() {
    let moves = "wall = \"enemy:nest\"\n[[roles.X.moves]]\nbetza = \"fR\"\non = \"nest\"\n\
                 [[roles.X.moves]]\nbetza = \"c[fF-sW]\"";
    let game =
        custom_game("", moves, "[[promotion]]\npieces = \"X\"\non = \"rank-8\"\nto = \"R\"").expect("a game");
    let document = in_german(&game);
    assert_eq!(document.about.as_deref(), Some("Rather odd."));
    let texts: Vec<&str> = document.texts().into_iter().map(String::as_str).collect();
    for text in [
        "Emperor",
        "As it is.",
        "Die Aufstellung („plain“).",
        "Zieht oder schlägt von dem eigenen Gebiet „nest“ aus beliebig viele Felder gerade vorwärts.",
        "Schlägt außerdem ein Feld schräg vorwärts, ohne dort zu enden, dann ein Feld entlang einer Linie oder Reihe im \
         Winkel von 45 Grad nach außen oder im Winkel von 135 Grad zurück.",
        "Gesperrt: das feindliche Gebiet „nest“. Kein Zug endet dort, und keiner führt hindurch; bei einem Sprung zählt, \
         wo er endet.",
        "Umwandlung (Ork): für Weiß auf Reihe 8, für Schwarz auf Reihe 1. Sie ist Pflicht, und zwar in Turm.",
        "Nach 50 Zügen jeder Seite ohne Schlagen und ohne Zug mit Ork darf ein Spieler Remis reklamieren; nach 75 solchen \
         Zügen jeder Seite ist die Partie remis.",
    ] {
        assert!(texts.contains(&text), "{text}: {texts:#?}");
    }
}

/// Moves in Betza notation: groups that the notation allows, one after the other.
fn any_moves() -> impl Strategy<Value = String> {
    const LEG: &str = "(f|b|l|r|v|s|fl|fr|rf|bl|fs|bs|lh|fh|ff){0,2}\
                       (W|F|D|N|A|H|C|Z|G|K|R|B|Q|NN|\\(4,0\\)|\\(4,1\\)|\\(5,5\\))(0|2|3|13)?";
    let written = |pattern: String| proptest::string::string_regex(&pattern).expect("a pattern");
    let group = prop_oneof![
        3 => written(format!("(m|c|i|mi|ci)?(j|n|p|g|z)?{LEG}")),
        1 => written(format!("(m|c|i)?\\[{LEG}([-?]{LEG}){{1,3}}\\]")),
    ];
    proptest::collection::vec(group, 1..4).prop_map(|groups| {
        let known: String = groups.into_iter().filter(|group| betza::parse(group).is_ok()).collect();
        if known.is_empty() { "K".into() } else { known }
    })
}

fn any_of(choices: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    proptest::sample::select(choices)
}

/// Boards as players may look at them, joined or not.
const BOARDS: [&str; 6] = [
    "",
    "view = \"diamond\"\nsymmetry = \"turn\"\nforward = { white = [1, 1], black = [-1, -1] }",
    "symmetry = \"mirror-files\"\nforward = { white = [1, 0], black = [-1, 0] }",
    "symmetry = \"mirror-falling\"\nforward = { white = [1, 1], black = [-1, -1] }\nwrap = \"both\"",
    "wrap = \"files\"",
    "wrap = \"ranks\"",
];

const CONDITIONS: [&str; 8] = [
    "",
    "",
    "on = \"a4..d1 file-b\"",
    "on = \"nest enemy:nest rank-3 a1..h8\"\nedge = \"fl\"",
    "edge = \"b\"",
    "gain = \"most-gain\"",
    "gain = \"any-gain\"\nfree = 2",
    "gain = \"level\"",
];

const RESTS: [&str; 5] = [
    "",
    "[draws]\nstalemate = \"loss\"\nrepetition = [3, 0]\nmoves = [0, 1]\ndead = [\"K v K\", \"KR v K\"]",
    "[draws]\nstalemate = \"win\"\nrepetition = [0, 14]\nmoves = [20, 0]",
    "[draws]\nrepetition = [0, 0]\nmoves = [0, 0]\n[[goal]]\npieces = \"KR\"\non = \"d4\"",
    "[[promotion]]\npieces = \"X\"\non = \"a8\"\nto = \"R\"\n[[promotion]]\npieces = \"X\"\non = \"h7 h8\"\nto = \"R\"",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_game_is_described(
        moves in proptest::collection::vec((any_moves(), any_of(&CONDITIONS)), 1..3),
        board in any_of(&BOARDS),
        rest in any_of(&RESTS),
    ) {
        let moves: String = moves
            .iter()
            .map(|(betza, condition)| format!("[[roles.X.moves]]\nbetza = \"{betza}\"\n{condition}\n"))
            .collect();
        // Some are too many moves for a piece, or have a king in check at once.
        if let Some(game) = custom_game(board, &moves, rest) {
            for text in our_texts(&in_german(&game)) {
                prop_assert_eq!(fault(&text), None, "{}", moves);
            }
            let english = in_language(Language::English, &game);
            for text in english.texts() {
                prop_assert!(!text.trim().is_empty() && !text.contains("  ") && !text.contains('{'), "{text:?} of {moves}");
            }
            prop_assert!(plain_text(&english).starts_with("Strange Chess\n"));
        }
    }
}

/// The test above has games to describe.
#[test]
fn generated_parts_form_valid_games() {
    for board in BOARDS {
        for condition in CONDITIONS {
            for rest in RESTS {
                let moves = format!("[[roles.X.moves]]\nbetza = \"mWcfFN\"\n{condition}");
                assert!(custom_game(board, &moves, rest).is_some(), "{board}\n{condition}\n{rest}");
            }
        }
    }
}
