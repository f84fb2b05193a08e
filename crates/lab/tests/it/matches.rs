//! Whole matches: pairs, seeds, records, PGN, tests that end them.

use crate::common::{fake, normalized, plain, play, play_on, random, settings};
use lozenge_lab::matches::{
    Adjudication, Ending, EngineSettings, GameRecord, Journal, MatchEnd, MatchSettings, OpeningSource,
    PgnHeader, openings, summary, tree,
};
use lozenge_lab::openings::Plan;
use lozenge_lab::stats::{Model, Points, Sprt, Verdict};
use lozenge_rules::library;
use lozenge_rules::notation::pgn::{self, MoveNumber, Reader, ResultTag};
use lozenge_rules::notation::record;
use lozenge_rules::position::AnyPosition;
use lozenge_tablebase::{Resources, Tables};
use std::collections::HashSet;
use std::io::Write;
use std::sync::Arc;

const GAMES: [&str; 5] = ["diagonal", "diamondback", "diamond", "doublediamond", "diamondring"];

#[test]
fn a_pair_is_one_opening_with_colors_swapped() {
    let (records, table, end) = play(&settings(plain(100), random("random", 1), &GAMES, 3)).unwrap();
    let records = normalized(records);
    assert_eq!((records.len(), end), (30, MatchEnd::Complete));
    let mut openings = HashSet::new();
    for pair in records.chunks(2) {
        assert_eq!((&pair[0].fen, pair[0].pair), (&pair[1].fen, pair[1].pair));
        assert_eq!((pair[0].swapped, pair[1].swapped), (false, true));
        assert!(openings.insert(pair[0].fen.clone()), "each opening once");
    }
    assert_eq!((table.total.pairs.pairs(), table.total.score.games()), (15, 30));
    assert_eq!(table.total.as_white.games(), 15);
    assert_eq!(table.games.len(), 5);
}

#[test]
fn the_same_seed_gives_the_same_games_whatever_the_concurrency() {
    let one = settings(plain(200), random("random", 9), &GAMES, 2);
    let (first, ..) = play(&one).unwrap();
    let (second, ..) = play(&MatchSettings { concurrency: 3, ..one.clone() }).unwrap();
    assert_eq!(normalized(first.clone()), normalized(second));
    let openings = OpeningSource::Random(Plan { seed: 2, nodes: 50, ..Plan::default() });
    let (other, ..) = play(&MatchSettings { openings, ..one }).unwrap();
    assert_ne!(normalized(first), normalized(other));
}

#[test]
fn match_resumes_from_its_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    let settings = settings(plain(100), random("random", 5), &["diamond", "gardner"], 3);
    let (whole, whole_table, _) = play(&settings).unwrap();

    let (mut journal, known) = Journal::open(&path, &settings).unwrap();
    assert!(known.is_empty());
    let (first, _, end) = play_on(&settings, &known, 5).unwrap();
    assert_eq!((first.len(), end), (5, MatchEnd::Interrupted));
    for game in &first {
        journal.add(game).unwrap();
    }
    drop(journal);
    // The program was ended while it wrote a line.
    let mut file = std::fs::File::options().append(true).open(&path).unwrap();
    file.write_all(b"{\"game\":\"diamond\",\"pair\":2,\"swa").unwrap();
    drop(file);

    let (mut journal, known) = Journal::open(&path, &settings).unwrap();
    assert_eq!(known, first);
    let (rest, table, end) = play_on(&settings, &known, usize::MAX).unwrap();
    assert_eq!(end, MatchEnd::Complete);
    for game in &rest {
        journal.add(game).unwrap();
    }
    let both: Vec<_> = first.into_iter().chain(rest).collect();
    assert_eq!(normalized(both), normalized(whole));
    assert_eq!(table.total.score, whole_table.total.score);
    assert_eq!(table.total.pairs, whole_table.total.pairs);

    let (_, known) = Journal::open(&path, &settings).unwrap();
    assert_eq!(known.len(), 12);
    let (again, ..) = play_on(&settings, &known, usize::MAX).unwrap();
    assert!(again.is_empty(), "nothing is left to play");
}

#[test]
fn record_of_another_match_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    let settings = settings(plain(100), random("random", 5), &["diamond"], 1);
    Journal::open(&path, &settings).unwrap();
    let refused = |settings: &MatchSettings| Journal::open(&path, settings).unwrap_err().to_string();
    let mut other = settings.clone();
    other.engines[0].limit.nodes = Some(101);
    assert!(refused(&other).contains("engines/0/limit/nodes"));
    let other = MatchSettings {
        openings: OpeningSource::Random(Plan { seed: 3, ..Plan::default() }),
        ..settings.clone()
    };
    assert!(refused(&other).contains("openings/random/"));
    // How many games, how many at once, and when it ends may change.
    let more = MatchSettings { pairs: 7, concurrency: 2, ..settings.clone() };
    assert!(Journal::open(&path, &more).is_ok());

    std::fs::write(&path, "1. e4 e5\n").unwrap();
    assert!(refused(&settings).contains("line 1"));
    std::fs::write(&path, "no line end").unwrap();
    assert!(refused(&settings).contains("line 1"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "no line end", "what is not ours stays");
}

#[test]
fn games_are_written_as_readable_pgn() {
    let mut settings = settings(plain(50), fake(&["illegal", "9"]), &["diamond", "gardner"], 2);
    settings.adjudication = Adjudication::default();
    let (records, ..) = play(&settings).unwrap();
    let header = PgnHeader { event: "Test".into(), site: "here".into() };
    let mut text = String::new();
    for game in &records {
        let tree = tree(&settings, &header, game).unwrap();
        pgn::write_game(&mut text, &tree, MoveNumber::of_tags(&tree.tags)).unwrap();
    }
    let known = |name: &str| library::ids().filter_map(library::game).find(|game| game.name() == name);
    let mut read = 0;
    for (tree, written) in Reader::new(text.as_bytes()).zip(&records) {
        let game = record::resolve(tree.unwrap(), &known).unwrap();
        assert!(game.tree.warnings.is_empty());
        assert_eq!(game.game.moves().len(), written.moves.len());
        assert_eq!(game.game.start().fen(), written.fen);
        let tag = |name| game.tree.tags.get(name).unwrap().to_owned();
        assert_eq!(
            (tag("Event"), tag("TimeControl")),
            ("Test".into(), "50 nodes v 100 nodes".into()).clone_swapped(written.swapped)
        );
        assert_eq!(tag("Termination"), written.ending.termination());
        let white_won = (written.points == Points::Win) != written.swapped;
        if written.points != Points::Draw {
            let expected = if white_won { ResultTag::WhiteWins } else { ResultTag::BlackWins };
            assert_eq!(game.tree.result, expected);
        }
        read += 1;
    }
    assert_eq!(read, 8);
    assert!(records.iter().any(|record| record.ending == Ending::IllegalMove));
}

/// The limits stand in the order of the colors.
trait ByColor {
    fn clone_swapped(&self, swapped: bool) -> Self;
}

impl ByColor for (String, String) {
    fn clone_swapped(&self, swapped: bool) -> Self {
        let limits = if swapped { "100 nodes v 50 nodes".into() } else { self.1.clone() };
        (self.0.clone(), limits)
    }
}

#[test]
fn decided_sprt_ends_the_match() {
    let sprt = Some(Sprt::new(0.0, 200.0, 0.05, 0.05, Model::Logistic).unwrap());
    let mut settings =
        MatchSettings { sprt, ..settings(plain(2_000), random("random", 2), &["gardner"], 200) };
    settings.adjudication = Adjudication::default();
    let (records, table, end) = play(&settings).unwrap();
    assert_eq!(end, MatchEnd::Decided(Verdict::H1));
    assert!(records.len() < 100, "{}", records.len());
    // Resumed from there, nothing is left to do.
    let (more, _, end) = play_on(&settings, &records, usize::MAX).unwrap();
    assert_eq!((more.len(), end), (0, MatchEnd::Decided(Verdict::H1)));
    let printed = summary(&settings, &table, end);
    assert_eq!(printed["course"], "H1 accepted");
    assert_eq!(printed["total"]["games"], records.len());
    assert!(printed["sprt"]["llr"].as_f64().unwrap() > 2.9);
}

#[test]
fn openings_are_balanced_and_different() {
    for id in GAMES {
        let game = library::game(id).unwrap();
        let one = settings(random("a", 1), random("b", 2), &[id], 1);
        let list = |settings: &MatchSettings| {
            let mut openings = openings(settings).remove(0);
            (0..12).map(|number| openings.number(number)).collect::<Vec<AnyPosition>>()
        };
        let generated = list(&one);
        assert_eq!(generated, list(&one));
        assert_eq!(generated.iter().map(AnyPosition::key).collect::<HashSet<_>>().len(), 12);
        assert!(generated.iter().all(|opening| !opening.legal_moves().is_empty()));
        let text = lozenge_lab::openings::write(&generated);
        assert_eq!(lozenge_lab::openings::read(&game, &text, None).unwrap(), generated);
    }
}

#[test]
fn openings_repeat_when_too_few_exist() {
    let plan = Plan { plies: Some(1), nodes: 1, balance: 10_000, ..Plan::default() };
    let openings_of = OpeningSource::Random(plan);
    let one =
        MatchSettings { openings: openings_of, ..settings(random("a", 1), random("b", 2), &["gardner"], 1) };
    let mut generator = openings(&one).remove(0);
    let list: Vec<_> = (0..20).map(|number| generator.number(number).key()).collect();
    let different = list.iter().collect::<HashSet<_>>().len();
    assert!((5..20).contains(&different), "{different}");
}

#[test]
fn opening_files_are_checked() {
    let gardner = library::game("gardner").unwrap();
    let good =
        "# two\nrnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1\n\nrnbqk/ppppp/5/PPPPP/RNBQK w - - bm a3; id \"x\";\n";
    let read = |text: &str| lozenge_lab::openings::read(&gardner, text, None);
    assert_eq!(read(good).unwrap().len(), 2);
    assert!(read("# nothing\n").unwrap_err().to_string().contains("at least one"));
    assert!(read("\nrnbqk w\n").unwrap_err().to_string().starts_with("line 2: "));
    assert!(read("k4/1Q3/2K2/5/5 b - - 0 1\n").unwrap_err().to_string().contains("goes on"));
}

#[test]
fn openings_are_read_from_pgn() {
    let gardner = library::game("gardner").unwrap();
    let read = |text: &str, plies| lozenge_lab::openings::read(&gardner, text, plies);
    let games = "[Event \"a\"]\n[Variant \"gardner\"]\n\n1. a3 bxa3 2. bxa3 *\n\n\
                 [Event \"b\"]\n[Variant \"Gardner Minichess\"]\n\n1. a3 bxa3 2. Nxa3 *\n\n\
                 [Event \"c\"]\n[Variant \"chess\"]\n\n1. e4 *\n";
    let fens = |openings: Vec<AnyPosition>| openings.iter().map(AnyPosition::fen).collect::<Vec<_>>();
    assert_eq!(fens(read(games, None).unwrap()).len(), 2, "the third is another game");
    let two = fens(read(games, Some(2)).unwrap());
    assert_eq!(two.len(), 1, "both begin with the same moves: {two:?}");
    assert!(two[0].contains(" w "), "{two:?}");
    let wrong = read("[Variant \"gardner\"]\n\n1. a3\nQh9 *\n", None).unwrap_err().to_string();
    assert!(wrong.starts_with("game 1, line 4, column 1: "), "{wrong}");
    let other = read("[Variant \"chess\"]\n\n1. e4 *\n", None).unwrap_err().to_string();
    assert_eq!(other, "expected at least one position of Gardner Minichess, found none");
}

/// Issue 19, section 6, item 4: both games of a pair were the same game, so that half of a sample was no evidence.
#[test]
fn self_play_never_repeats_a_game() {
    let itself = settings(plain(200), EngineSettings { name: "other".into(), ..plain(200) }, &["gardner"], 4);
    assert!(itself.is_self_play());
    let (records, table, _) = play(&itself).unwrap();
    let games: HashSet<_> = records.iter().map(|record| (&record.fen, moves_of(record))).collect();
    assert_eq!((games.len(), table.total.score.games()), (8, 8));
    // Going on from a half-finished match plays the same games.
    let (rest, ..) = play_on(&itself, &normalized(records.clone())[..3], usize::MAX).unwrap();
    assert_eq!(rest.len(), 5);
    assert!(rest.iter().all(|record| games.contains(&(&record.fen, moves_of(record)))));
    // Different engines play each opening twice.
    let two = settings(plain(200), plain(100), &["gardner"], 4);
    let (records, ..) = play(&two).unwrap();
    assert_eq!(records.iter().map(|record| &record.fen).collect::<HashSet<_>>().len(), 4);
}

fn moves_of(record: &GameRecord) -> Vec<String> {
    record.moves.iter().map(|entry| entry.text.clone()).collect()
}

#[test]
fn endgame_tables_end_games() {
    let diamond = library::game("diamond").unwrap();
    let mut tables = Tables::new(&diamond);
    for material in tables.classes(3).unwrap() {
        tables.generate(&material, None, Resources { threads: 1, memory: 64 << 20 }, &mut |_| true).unwrap();
    }
    let start = |fen: &str| AnyPosition::from_fen(&diamond, fen).unwrap();
    // A Knight cannot win. A Vizir wins in at most 18 half moves, which may be too late.
    let drawn = start("****k****/***3***/**5**/*7*/4*4/*7*/**1N3**/***3***/****K**** w - - 0 1");
    let won = start("****k****/***3***/**5**/*7*/4*4/*7*/**1V3**/***3***/****K**** w - - 0 1");
    let late = start("****k****/***3***/**5**/*7*/4*4/*7*/**1V3**/***3***/****K**** w - - 95 90");
    let mut one = settings(plain(2_000), random("random", 2), &["diamond"], 1);
    one.tables = vec![Arc::new(tables)];
    one.variants = vec![diamond];
    for (opening, at_once) in [(&drawn, true), (&won, true), (&late, false)] {
        one.openings = OpeningSource::Lists(vec![vec![opening.clone()]]);
        let (records, ..) = play(&one).unwrap();
        let ended = records[0].ending == Ending::Table && records[0].moves.len() == 1;
        assert_eq!(ended, at_once, "{}: {:?}", opening.fen(), records[0].ending);
        assert!(!at_once || (records[0].points == Points::Draw) == (opening == &drawn));
    }
}
