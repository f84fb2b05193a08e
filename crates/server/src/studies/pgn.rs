//! Studies as PGN: one game for each chapter. Reading a written study gives the same study.

use lozenge_analysis::tree::{self, EditedTree, Tree};
use lozenge_rules::library::AnyGame;
use lozenge_rules::notation::pgn::{self, MoveNumber, Reader, ResultTag, WriteError};
use lozenge_rules::position::GamePosition;
use lozenge_wire::analysis::Tag;
use lozenge_wire::study::StudyPgnFault;
use std::collections::HashMap;

/// Most faults that are named.
const MAX_FAULTS: usize = 200;
/// Most tags of a chapter, and the longest, in bytes of name and value.
const MAX_TAGS: usize = 40;
const MAX_TAG: usize = 400;
/// Longest name of a chapter that is made of tags, in characters.
const MAX_NAME: usize = 100;

/// The tags of studies.
const STUDY_NAME: &str = "StudyName";
const CHAPTER_NAME: &str = "ChapterName";
/// The digest of rules that no name identifies: those of games that users have made.
pub(crate) const RULES_TAG: &str = "VariantHash";

/// The tags of the players in PGN, in the order of the turns.
pub(crate) fn player_tags(game: &AnyGame) -> &'static [&'static str] {
    const SEATS: [&str; 4] = ["Red", "Blue", "Yellow", "Green"];
    match game {
        AnyGame::Two(_) => &["White", "Black"],
        AnyGame::Four(game) if game.seats().len() == 3 => &SEATS[..3],
        AnyGame::Four(_) => &SEATS,
    }
}

/// A chapter to be written.
pub(crate) struct Export<'a> {
    pub(crate) study: &'a str,
    pub(crate) chapter: &'a str,
    pub(crate) moves: &'a EditedTree,
    pub(crate) digest: &'a str,
}

/// Writes a chapter as PGN, with an empty line after it.
pub(crate) fn write(out: &mut String, export: &Export<'_>) -> Result<(), WriteError> {
    let tree = export.moves.tree();
    let start = &tree.node(0).position;
    let mut game = tree::write(tree);
    let mut set = |name: &str, value: &str| {
        // A value that PGN cannot say was refused when it was set.
        let _ = game.tags.set(name, value.replace(['\n', '\r'], " "));
    };
    set(STUDY_NAME, export.study);
    if !export.chapter.is_empty() {
        set(CHAPTER_NAME, export.chapter);
    }
    if start.variant().id().starts_with('~') {
        set(RULES_TAG, export.digest);
    }
    export.moves.tags().iter().for_each(|tag| set(&tag.name, &tag.value));
    if let Some(result) = export.moves.tags().iter().find(|tag| tag.name == "Result") {
        game.set_result(result.value.parse().unwrap_or_default());
    }
    pgn::write_game(out, &game, MoveNumber::of_fen(&start.fen()))
}

/// A PGN of several games.
pub(crate) struct Import {
    games: Vec<(u32, pgn::PgnGame)>,
    faults: Vec<StudyPgnFault>,
    /// Faults that are not among these.
    more: u64,
}

/// A game of a PGN as a chapter.
pub(crate) struct ReadChapter {
    pub(crate) name: String,
    pub(crate) variant: AnyGame,
    pub(crate) moves: EditedTree,
}

/// How the tags of a game name its rules.
pub(crate) type RulesName = Option<String>;

fn fault(game: u32, location: pgn::PgnLocation, message: String) -> StudyPgnFault {
    StudyPgnFault { game, line: location.line, column: location.column, message }
}

impl Import {
    /// The games of a text, and what is no game in it. Of a broken game there is what could be read.
    pub(crate) fn new(text: &str) -> Self {
        let mut import = Self { games: Vec::new(), faults: Vec::new(), more: 0 };
        for (number, read) in (1..).zip(Reader::new(text.as_bytes())) {
            match read {
                Ok(game) => import.games.push((number, game)),
                Err(pgn::BadGame { faults, game }) => {
                    let named = |wrong: &pgn::Fault| fault(number, wrong.location, wrong.error.to_string());
                    import.faults.extend(faults.listed().iter().map(named));
                    import.more += faults.more();
                    import.games.extend(Some((number, *game)).filter(|(_, game)| !game.is_empty()));
                }
            }
        }
        import
    }

    /// The rules that the tags of the games name: a digest or a name.
    pub(crate) fn rules(&self) -> impl Iterator<Item = RulesName> {
        self.games.iter().map(|(_, game)| rules_name(game))
    }

    /// The first value of a tag.
    pub(crate) fn tag(&self, name: &str) -> Option<&str> {
        self.games.first().and_then(|(_, game)| game.tags.get(name))
    }
}

fn rules_name(game: &pgn::PgnGame) -> RulesName {
    game.tags.get(RULES_TAG).or_else(|| game.tags.variant()).map(str::to_owned)
}

/// Reads the games as chapters, up to a limit, by the rules that their tags name. All faults are reported: an illegal
/// move, with what follows it in its line, becomes a comment.
pub(crate) fn read(
    import: Import,
    rules: &HashMap<RulesName, AnyGame>,
    most: usize,
) -> (Vec<ReadChapter>, Vec<StudyPgnFault>) {
    let Import { games, mut faults, more } = import;
    let mut chapters = Vec::new();
    for (number, game) in games {
        if chapters.len() >= most {
            let message = format!("expected at most {most} more games for this study");
            faults.push(fault(number, game.at, message));
            continue;
        }
        let name = rules_name(&game);
        let Some(variant) = rules.get(&name) else {
            let message = match name {
                Some(name) => format!("expected a known game in the tag Variant, found {name}"),
                None => "expected the tag Variant, which names the game".into(),
            };
            faults.push(fault(number, game.at, message));
            continue;
        };
        let start = match game.tags.fen() {
            None => GamePosition::start(variant),
            Some(fen) => match GamePosition::from_fen(variant, fen) {
                Ok(start) => start,
                Err(error) => {
                    faults.push(fault(number, game.at, format!("in the tag FEN: {error}")));
                    continue;
                }
            },
        };
        let (tree, found) = tree::read(&game, start);
        faults.extend(found.into_iter().map(|found| fault(number, found.location, found.message)));
        faults.extend(game.warnings.iter().map(|odd| fault(number, odd.location, odd.kind.to_string())));
        let (tags, dropped) = tags(&game);
        faults.extend(dropped.map(|message| fault(number, game.at, message)));
        chapters.push(chapter(&game, variant, tree, tags));
    }
    faults.sort_by_key(|fault| (fault.line, fault.column));
    let more = more + faults.len().saturating_sub(MAX_FAULTS) as u64;
    faults.truncate(MAX_FAULTS);
    if let (Some(last), true) = (faults.last(), more > 0) {
        faults.push(StudyPgnFault { message: format!("{more} more faults"), ..last.clone() });
    }
    (chapters, faults)
}

impl ReadChapter {
    /// A chapter of a game that was read.
    pub(crate) fn of_game(game: &pgn::PgnGame, variant: &AnyGame, tree: Tree) -> Self {
        chapter(game, variant, tree, tags(game).0)
    }
}

fn chapter(game: &pgn::PgnGame, variant: &AnyGame, tree: Tree, tags: Vec<Tag>) -> ReadChapter {
    let known = |name: &str| game.tags.get(name).filter(|value| !["", "?"].contains(value));
    let players: Option<Vec<&str>> = player_tags(variant).iter().map(|seat| known(seat)).collect();
    let players = players.map(|players| players.join(" – "));
    let name =
        known(CHAPTER_NAME).map(str::to_owned).or(players).or_else(|| known("Event").map(str::to_owned));
    let name = name.unwrap_or_default().chars().filter(|c| !c.is_control()).take(MAX_NAME).collect();
    ReadChapter { name, variant: variant.clone(), moves: EditedTree::new(tree, tags) }
}

/// The tags that add something to the chapter itself, and the fault of those that are too many or too long.
fn tags(game: &pgn::PgnGame) -> (Vec<Tag>, Option<String>) {
    const OWN: [&str; 10] = [
        "Variant",
        "FEN",
        "SetUp",
        RULES_TAG,
        STUDY_NAME,
        CHAPTER_NAME,
        "StudyAbout",
        "StudyTags",
        "StudyLanguage",
        "Result",
    ];
    let is_extra = |(name, value): &(&str, &str)| {
        let own = OWN.iter().any(|own| own.eq_ignore_ascii_case(name));
        !own && !value.is_empty() && !pgn::ROSTER.contains(&(name, value))
    };
    let fits = |(name, value): &(&str, &str)| name.len() + value.len() <= MAX_TAG;
    let extra: Vec<(&str, &str)> = game.tags.iter().filter(is_extra).collect();
    let kept: Vec<(&str, &str)> = extra.iter().copied().filter(fits).take(MAX_TAGS - 1).collect();
    let dropped = (kept.len() < extra.len()).then(|| {
        format!("expected at most {} tags of at most {MAX_TAG} bytes, found {}", MAX_TAGS - 1, extra.len())
    });
    let mut tags: Vec<Tag> =
        kept.iter().map(|&(name, value)| Tag { name: name.into(), value: value.into() }).collect();
    if game.result != ResultTag::Unknown {
        tags.push(Tag { name: "Result".into(), value: game.result.to_string() });
    }
    (tags, dropped)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;
    use lozenge_rules::library;

    fn known() -> HashMap<RulesName, AnyGame> {
        let game = |id: &str| library::any_game(id).unwrap();
        ["gardner", "chess"].map(|id| (Some(game(id).name().to_owned()), game(id))).into()
    }

    fn written(chapters: &[ReadChapter]) -> String {
        let mut text = String::new();
        for ReadChapter { name, moves, .. } in chapters {
            write(&mut text, &Export { study: "Mine", chapter: name, moves, digest: "" }).unwrap();
        }
        text
    }

    #[test]
    fn written_study_is_read_back() {
        let gardner = library::game("gardner").unwrap().name().to_owned();
        let text = format!(
            "[Event \"Club\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[ECO \"A00\"]\n[Variant \"{gardner}\"]\n[ChapterName \"One\"]\n\n\
             {{before}} 1. a3 $1 {{[%csl Ga3][%cal Ra3b4]}} 1... bxa3 (1... c3 {{two}} {{comments}} 2. dxc3) 1-0\n\n\
             [Variant \"Chess\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 31\"]\n\n31... Kd7 (31... Kf7) *\n\n\
             [Variant \"Chess\"]\n[ChapterName \"Empty\"]\n\n*\n"
        );
        let (chapters, faults) = read(Import::new(&text), &known(), 64);
        assert_eq!(faults, []);
        assert_eq!(
            chapters.iter().map(|chapter| chapter.name.as_str()).collect::<Vec<_>>(),
            ["One", "", "Empty"]
        );
        assert_eq!(chapters[0].moves.tags().len(), 5, "{:?}", chapters[0].moves.tags());
        let once = written(&chapters);
        let (again, faults) = read(Import::new(&once), &known(), 64);
        assert_eq!(faults, []);
        assert_eq!(written(&again), once);
        for (one, other) in chapters.iter().zip(&again) {
            assert_eq!(one.moves.snapshot(), other.moves.snapshot());
        }
    }

    #[test]
    fn every_fault_is_reported() {
        let text = "[Variant \"Chess\"]\n\n1. e4 e5 2. Ke3 d5 *\n\n[Variant \"No Such\"]\n\n*\n\n[Variant \"Chess\"]\n\n1. e4 } *\n\n\
             [Variant \"Chess\"]\n[FEN \"8\"]\n\n*\n\n1. e4 *\n\n[Variant \"Chess\"]\n\n1. d4 *\n\n[Variant \"Chess\"]\n\n1. c4 *\n";
        let (chapters, faults) = read(Import::new(text), &known(), 3);
        assert_eq!(chapters.len(), 3);
        let games: Vec<u32> = faults.iter().map(|fault| fault.game).collect();
        for number in [1, 2, 3, 4, 5, 7] {
            assert!(games.contains(&number), "{number}: {faults:?}");
        }
        assert!(!games.contains(&6), "{faults:?}");
    }

    #[test]
    fn broken_game_reports_every_fault_and_keeps_its_moves() {
        let text = "Dear Ann, my games:\n\n[Event A]\n[Variant \"Chess\"]\n\n1. e4 ♘f6 e5 $ 2. Ke3 {open\n\n[Variant \"Chess\"]\n\n1. d4 *\n";
        let (chapters, faults) = read(Import::new(text), &known(), 64);
        let places: Vec<_> = faults.iter().map(|fault| (fault.game, fault.line, fault.column)).collect();
        let broken = [(1, 1, 9), (2, 3, 8), (2, 6, 7), (2, 6, 15), (2, 6, 19), (2, 6, 23), (2, 8, 1)];
        assert!(places.ends_with(&broken[1..]) && places.contains(&broken[0]), "{faults:?}");
        assert_eq!(chapters.len(), 2);
        let moves = chapters[0].moves.tree();
        assert_eq!(moves.main_line().len(), 2);
        assert_eq!(moves.node(0).notes.comments, ["[Event A]"]);
        let [one, two] = moves.main_line()[..] else { panic!() };
        assert_eq!(moves.node(one).notes.comments, ["♘f6"]);
        assert_eq!(moves.node(two).notes.comments, ["Ke3 (open)"]);
    }

    #[test]
    fn faults_beyond_the_list_are_counted() {
        let text = format!("[Variant \"Chess\"]\n\n1. e4 {} *\n\n", "& ".repeat(150)).repeat(3);
        let (chapters, faults) = read(Import::new(&text), &known(), 64);
        assert_eq!((chapters.len(), faults.len()), (3, MAX_FAULTS + 1));
        assert_eq!(faults.last().unwrap().message, "250 more faults");
    }
}
