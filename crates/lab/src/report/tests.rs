//! Games whose answer is known, and reports that do not depend on how they were made.

use super::selection::Different;
use super::*;
use crate::ledger::FleetWork as _;
use lozenge_explain::Language;
use lozenge_rules::library;

fn variant(text: &str) -> Arc<Variant> {
    Variant::parse("test", text, &library::text).unwrap()
}

fn measured(variant: &Arc<Variant>, plan: &Plan, threads: usize) -> GameReport {
    let stop = AtomicBool::new(false);
    run(variant, plan, work(threads, &stop, &mut |_, _| {}, &mut |_| Ok(()))).unwrap()
}

fn work<'a>(
    threads: usize,
    stop: &'a AtomicBool,
    progress: &'a mut dyn FnMut(Part, u64),
    keep: &'a mut dyn FnMut(&GameRecord) -> Result<(), ReportError>,
) -> Work<'a> {
    Work { threads, stop, known: KnownGames::new(), keep, progress }
}

fn interval(report: &GameReport, key: &str) -> [f64; 3] {
    let number = report.number(key).unwrap();
    [number.value, number.low, number.high].map(Option::unwrap)
}

const SMALL: Plan = Plan { games: 6, nodes: 60, level: 2, seed: 1 };

#[test]
fn white_wins_with_an_extra_queen() {
    let chess = variant(
        "extends = \"chess\"\nid = \"queen-up\"\nname = \"Queen up\"\n\
         start = \"rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"\n",
    );
    let report = measured(&chess, &Plan { games: 90, nodes: 1_000, ..SMALL }, 2);
    let [score, low, _] = interval(&report, "white-score");
    assert!(score >= 0.97 && low > 0.8, "{score} from {low}");
    assert_eq!(report.number("white-score").unwrap().verdict, Some(Assessment::Unfair));
}

#[test]
fn score_is_level_when_either_side_may_start() {
    let chess = variant(
        "extends = \"chess\"\nid = \"either-first\"\nname = \"Either first\"\n\
         [[start]]\nname = \"White first\"\nfen = \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"\n\
         [[start]]\nname = \"Black first\"\nfen = \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1\"\n",
    );
    let report = measured(&chess, &Plan { games: 80, nodes: 150, ..SMALL }, 2);
    let [score, low, high] = interval(&report, "white-score");
    assert!(low <= 0.5 && high >= 0.5, "{score}: {low} to {high}");
    // These games are too few for a result, and the report states that.
    assert_eq!(report.number("white-score").unwrap().verdict, Some(Assessment::NotKnown));
}

#[test]
fn fitted_chess_values_are_in_the_usual_order() {
    let report = measured(&library::game("chess").unwrap(), &Plan { games: 120, nodes: 120, ..SMALL }, 2);
    let value = |letter: char| {
        let piece = report.pieces.iter().find(|piece| piece.letter == letter).unwrap();
        piece.fitted.unwrap()
    };
    let [pawn, knight, rook, queen] = ['P', 'N', 'R', 'Q'].map(value);
    for pair in [pawn, knight, rook, queen].windows(2) {
        assert!(pair[0][0] < pair[1][0], "{pair:?}");
    }
    assert!((2.0..4.5).contains(&knight[0]) && (3.5..7.0).contains(&rook[0]), "{knight:?} {rook:?}");
    assert!(report.pieces.iter().find(|piece| piece.letter == 'K').unwrap().fitted.is_none());
    for piece in &report.pieces {
        let ends = piece.intervals.as_ref().unwrap();
        let holds = |value: f64, [low, high]: [f64; 2]| low <= value && value <= high;
        assert!(holds(piece.moves, ends.moves) && ends.moves[0] < ends.moves[1], "{piece:?}");
        assert!(holds(piece.captures, ends.captures), "{piece:?}");
        assert!(holds(piece.promoted_to, ends.promoted_to), "{piece:?}");
        assert_eq!(ends.lost.is_none(), piece.letter == 'K', "{piece:?}");
        assert!(piece.lost.zip(ends.lost).is_none_or(|(lost, ends)| holds(lost, ends)), "{piece:?}");
    }
    // Reports of earlier versions have no such intervals.
    let mut old = serde_json::to_value(&report).unwrap();
    for piece in old["pieces"].as_array_mut().unwrap() {
        piece.as_object_mut().unwrap().remove("intervals");
    }
    let old: GameReport = serde_json::from_value(old).unwrap();
    for (report, says_it) in [(&report, true), (&old, false)] {
        let page = html(&library::game("chess").unwrap(), report, &Default::default(), Language::English);
        assert_eq!(page.contains("Below a number stands its 95% interval."), says_it);
    }
}

#[test]
fn report_does_not_depend_on_interruptions_or_threads() {
    let game = library::game("diamond").unwrap();
    let whole = measured(&game, &SMALL, 1);
    assert_eq!(whole, measured(&game, &SMALL, 2));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let stop = AtomicBool::new(false);
    let run_with = |resume: bool, progress: &mut dyn FnMut(Part, u64)| {
        let (mut journal, known) = Journal::open(&path, &game, &SMALL, resume)?;
        let mut keep = |record: &GameRecord| journal.add(record);
        run(&game, &SMALL, Work { known, ..work(1, &stop, progress, &mut keep) })
    };
    let interrupted = run_with(false, &mut |_, games| stop.store(games >= 9, Ordering::Relaxed));
    assert!(matches!(interrupted, Err(ReportError::Interrupted(_))), "{interrupted:?}");
    stop.store(false, Ordering::Relaxed);
    // Half a line is lost, the rest is not.
    let mut text = std::fs::read_to_string(&path).unwrap();
    text.truncate(text.len() - 20);
    std::fs::write(&path, text).unwrap();
    assert!(matches!(run_with(false, &mut |_, _| {}), Err(ReportError::Unfinished { .. })));
    assert_eq!(run_with(true, &mut |_, _| {}).unwrap(), whole);
    let other = Plan { seed: 2, ..SMALL };
    assert!(matches!(Journal::open(&path, &game, &other, true), Err(ReportError::OtherJournal(_))));
    std::fs::write(&path, "a letter\n").unwrap();
    assert!(matches!(Journal::open(&path, &game, &SMALL, true), Err(ReportError::Foreign { line: 1, .. })));
}

/// Plays the jobs of a fleet until its report is made; `order` chooses the next of those that are out.
fn by_a_fleet(
    fleet: &mut ReportFleet,
    game: &Arc<Variant>,
    order: impl Fn(usize) -> usize,
    mut after: impl FnMut(&mut ReportFleet, usize),
) {
    let (stop, mut out) = (AtomicBool::new(false), Vec::new());
    while !fleet.is_over() {
        while out.len() < 3
            && let Some(job) = fleet.next_job(2)
        {
            out.push(job);
        }
        let (number, job): (usize, ReportJob) = out.remove(order(out.len()));
        let games = job.play(game, &stop, &|| {}, &mut |_| {}).unwrap();
        let worker = if number.is_multiple_of(2) { "ann" } else { "bob" };
        assert!(fleet.accept(number, worker, games).unwrap());
        after(fleet, number);
    }
}

#[test]
fn fleet_and_single_machine_reports_are_equal() {
    let game = library::game("diamond").unwrap();
    let whole = measured(&game, &SMALL, 1);
    let fleet = || ReportFleet::new(&game, "digest".into(), &SMALL, KnownGames::new(), None);
    let (mut first, mut last) = (fleet(), fleet());
    by_a_fleet(&mut first, &game, |_| 0, |_, _| ());
    assert_eq!(measure(&game, &SMALL, first.selection()).unwrap(), whole);
    // The last first, a job that is lost, and a worker whose games are played again.
    let (lost, _) = last.next_job(2).unwrap();
    last.reopen(lost);
    let mut revoked = 0;
    by_a_fleet(
        &mut last,
        &game,
        |out| out - 1,
        |fleet, number| {
            if number == 5 {
                revoked = fleet.revoke("bob", Some(1)).unwrap();
            }
        },
    );
    assert!(revoked > 0);
    assert_eq!(measure(&game, &SMALL, last.selection()).unwrap(), whole);
    // The games are stored: those of one machine, and a few that were ahead.
    let known: KnownGames =
        last.records().map(|record| ((record.part, record.number), record.clone())).collect();
    assert!(Selection::new(&SMALL, known).is_over());
}

#[test]
fn part_ends_when_its_time_is_up() {
    let game = library::game("diamond").unwrap();
    let plan = Plan { games: 500, nodes: 20, ..SMALL };
    let budget = Some(Duration::from_secs(16));
    let mut fleet = ReportFleet::new(&game, "digest".into(), &plan, KnownGames::new(), budget);
    by_a_fleet(&mut fleet, &game, |_| 0, |fleet, _| fleet.spend(Duration::from_secs(1)));
    let report = measure(&game, &plan, fleet.selection()).unwrap();
    for (part, games) in Part::ALL.into_iter().zip(report.games) {
        assert!(games > 0 && games < plan.games_of(part), "{part:?}: {games}");
    }
}

#[test]
fn html_escapes_names_from_variant_files() {
    let text = "extends = \"gardner\"\nid = \"sly\"\nname = \"<script>alert(1)</script> {{BODY}}\"\n";
    let game = variant(text);
    let report = measured(&game, &SMALL, 1);
    let [page, german] =
        Language::ALL.map(|language| html(&game, &report, &lozenge_picture::Drawings::default(), language));
    for text in ["lang=\"de\"", "Verfahren und Grenzen", "95-%-Intervall", "Springer", "mögliche Züge"] {
        assert!(german.contains(text), "{text}");
    }
    for text in [&page, &german] {
        // Messages that are missing, or texts that are missing in them, stand in braces.
        let body = text.split_once("<main>").unwrap().1.replace("{{BODY}}", "");
        assert_eq!(body.find(['{', '$']).map(|at| &body[at..body.len().min(at + 60)]), None);
    }
    assert!(!page.contains("<script") && page.matches("</html>").count() == 1);
    for place in ["{{TITLE}}", "{{STYLE}}", "{{LANGUAGE}}", "{{ARTICLE}}"] {
        assert!(!page.contains(place), "{place} was not filled");
    }
    assert!(
        !page.contains("not known") && !german.contains("nicht bekannt"),
        "small reports have wide intervals"
    );
    for part in ["Method and limits", "class=\"chart\"", "class=\"heat\"", "95% interval"] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn similar_games_count_once() {
    let record = |opening: &[&str], moves: &[&str]| GameRecord {
        opening: opening.iter().map(|&text| text.into()).collect(),
        moves: moves.iter().map(|&text| text.into()).collect(),
        ..GameRecord::without_opening(Part::Full, 0)
    };
    let mut different = Different::default();
    assert!(different.insert(&record(&["a", "b"], &["c", "d", "e", "f"])));
    assert!(!different.insert(&record(&["a", "b"], &["x", "d", "e", "f"])), "the same opening");
    assert!(!different.insert(&record(&["b", "a"], &["c", "d", "e", "f"])), "a transposition");
    assert!(different.insert(&record(&["b", "g"], &["h", "i", "e", "f"])));
}

#[test]
fn verdict_needs_the_whole_interval() {
    let of = |low: f64, high: f64| {
        Assessment::of_score(crate::stats::Interval { value: (low + high) / 2.0, low, high })
    };
    assert_eq!(of(0.485, 0.515), Assessment::Level);
    assert_eq!(of(0.525, 0.555), Assessment::AsChess);
    assert_eq!(of(0.445, 0.475), Assessment::AsChess);
    assert_eq!(of(0.565, 0.595), Assessment::Marked);
    assert_eq!(of(0.61, 0.90), Assessment::Unfair);
    assert_eq!(of(0.05, 0.30), Assessment::Unfair);
    assert_eq!(of(0.45, 0.55), Assessment::NotKnown);
    assert_eq!(of(0.515, 0.53), Assessment::NotKnown);
}
