//! The same games in Fairy-Stockfish: random games, in which both must have the same legal moves, checks and results all the
//! way. The games are those built into Fairy-Stockfish (`src/parents.ini`), those of `tests/games.ini`, and our own games exported.
//! Sections of random keys are compared, too. Every section that is imported without loss is compared; the others must name what is
//! lost.
//!
//! `LOZENGE_PYTHON` names a Python that must have `pyffish`. By default the tests use `python3`; if it has no pyffish, they
//! print a message and test nothing (in CI they fail). Perft would be no proof: differences show 17 to 41 plies deep.
//! `LOZENGE_INI` names another `variants.ini`, of which every section that is imported without loss is compared, too.

use lozenge_ini::{export, import, parents, sections};
use lozenge_rules::library;
use lozenge_rules::notation::uci;
use lozenge_rules::piece::Color;
use lozenge_rules::position::{AnyPosition, Game, Outcome};
use lozenge_rules::variant::Variant;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

const GAMES: &str = include_str!("../games.ini");

struct Pyffish {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Pyffish {
    /// `None` where pyffish is missing and not required.
    fn start(config: &str) -> Option<Self> {
        let configured = std::env::var_os("LOZENGE_PYTHON");
        let python = configured.clone().unwrap_or_else(|| "python3".into());
        let quiet = |command: &mut Command| command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        let has_library =
            quiet(Command::new(&python).args(["-c", "import pyffish"])).is_ok_and(|status| status.success());
        if !has_library {
            let required = configured.is_some() || std::env::var_os("CI").is_some();
            assert!(!required, "expected {} to have the library pyffish", python.display());
            // Bypasses the test harness, which captures the output of a passing test.
            let skipped = "left out: games compared with pyffish, which `python3` does not have\n";
            std::io::stderr().write_all(skipped.as_bytes()).unwrap();
            return None;
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/walk.py");
        let mut child = Command::new(&python)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        writeln!(input, "{}", json!(config)).unwrap();
        Some(Self { child, input, output })
    }

    /// The state before each of the moves and after the last.
    fn request(&mut self, variant: &str, moves: &[String]) -> Value {
        writeln!(self.input, "{}", json!({ "variant": variant, "moves": moves })).unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("pyffish ended at {variant} {moves:?}"))
    }
}

impl Drop for Pyffish {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Half moves of a game.
const PLIES: usize = 60;

/// How many games of each kind: two for every change, `cargo xtask proof` plays more.
fn games() -> u64 {
    std::env::var("LOZENGE_WALKS").ok().and_then(|text| text.parse().ok()).unwrap_or(2)
}

/// A random move; in a hurry, of three such moves the one that goes furthest forward, to reach promotions and goals.
fn choose<'m>(legal: &[&'m str], in_a_hurry: bool, turn: Color, random: &mut SplitMix64) -> &'m str {
    let advance = |text: &&str| {
        let ranks = text.split(|letter: char| !letter.is_ascii_digit());
        let mut ranks = ranks.filter_map(|rank| rank.parse::<i32>().ok());
        let up = ranks.next().zip(ranks.next()).map_or(0, |(from, to)| to - from);
        if turn == Color::White { up } else { -up }
    };
    let candidates: Vec<&str> = (0..if in_a_hurry { 3 } else { 1 })
        .map(|_| legal[random.next_u64() as usize % legal.len()])
        .collect();
    candidates.into_iter().max_by_key(advance).unwrap()
}

/// The legal moves, whether there is a check, and how the game ends for the side to move.
fn state(game: &Game) -> (String, bool, String) {
    let position = game.position();
    let outcome = game.outcome();
    let mut moves: Vec<String> =
        position.legal_moves().iter().map(|&played| uci::write(game.variant(), played)).collect();
    moves.sort();
    let end = match outcome {
        Some(Outcome::Win { winner, .. }) if winner == position.turn() => "win",
        Some(Outcome::Win { .. }) => "loss",
        Some(Outcome::Draw(_)) => "draw",
        None if game.claimable_draw().is_some() => "claim",
        None => "",
    };
    (moves.join(" "), position.is_check(), end.into())
}

/// Compares random games; the error is the first difference.
fn compare(pyffish: &mut Pyffish, name: &str, variant: &Arc<Variant>) -> Result<(), String> {
    for seed in 1..=games() {
        let mut random = SplitMix64::seed_from_u64(seed);
        let mut game = Game::from_position(AnyPosition::start(variant));
        let mut moves: Vec<String> = Vec::new();
        let mut states = vec![state(&game)];
        let mut fens = vec![game.position().fen()];
        while moves.len() < PLIES && game.outcome().is_none() {
            let legal: Vec<&str> = states[moves.len()].0.split(' ').filter(|text| !text.is_empty()).collect();
            let text = choose(&legal, seed % 2 == 0, game.position().turn(), &mut random).to_owned();
            game.play(uci::parse(game.position(), &text).unwrap()).unwrap();
            moves.push(text);
            states.push(state(&game));
            fens.push(game.position().fen());
        }
        let answer = pyffish.request(name, &moves);
        let theirs = answer["plies"].as_array().ok_or_else(|| format!("{name}: {answer}"))?;
        for (ply, (ours, theirs)) in states.iter().zip(theirs).enumerate() {
            // In a game that is over by a goal no check counts.
            let check =
                if ours.2 == "loss" && ours.0.is_empty() { theirs[1].as_bool().unwrap() } else { ours.1 };
            if json!([ours.0, check, ours.2]) != *theirs {
                let moves = moves[..ply].join(" ");
                return Err(format!(
                    "{name} after {ply} plies, {}\n  ours   {ours:?}\n  theirs {theirs}\n  {moves}",
                    fens[ply]
                ));
            }
        }
        assert_eq!(states.len(), theirs.len(), "{name}");
    }
    Ok(())
}

fn compiled(text: &str) -> Result<Arc<Variant>, String> {
    Variant::parse("imported", text, &|_| None).map_err(|error| format!("{error}\n{text}"))
}

/// Sections of built-in games and of ours that lose something, with a part of the message.
const LOSSES: &[(&str, &str)] = &[
    ("fischerandom", "chess960"),
    ("armageddon", "materialCounting"),
    ("misere", "checkmateValue"),
    ("racingkings", "flagMove"),
    ("3check", "checkCounting"),
    ("5check", "checkCounting"),
    ("crazyhouse", "pieceDrops"),
    ("torpedo", "more than once"),
    ("pawnsideways", "more than once"),
    ("pawnback", "more than once"),
    ("makruk", "countingRule"),
    ("makpong", "makpongRule"),
    ("asean", "countingRule"),
    ("ai-wok", "countingRule"),
    ("shatranj", "extinctionValue"),
    ("own-no-choice", "promotionPieceTypes"),
    ("own-king-choice", "becomes a King"),
    ("own-cylinder", "joined"),
    ("own-torus", "joined"),
];

#[test]
fn imported_games_are_the_same() {
    let Some(mut pyffish) = Pyffish::start(GAMES) else { return };
    let mut faults = Vec::new();
    let mut same = 0;
    let built_in = parents().into_iter().map(|name| (name.clone(), format!("[{name}-here:{name}]\n")));
    let own = sections(GAMES).unwrap().into_iter().map(|section| (section.name, GAMES.to_owned()));
    for (name, text) in built_in.chain(own) {
        let section_name = if text == GAMES { name.clone() } else { format!("{name}-here") };
        let loss = LOSSES.iter().find(|(lossy, _)| *lossy == name).map(|(_, part)| *part);
        let found = import(&text, Some(&section_name)).map_err(|error| format!("{name}: {error}")).and_then(
            |imported| {
                let named: Vec<String> = imported.untranslated.iter().map(ToString::to_string).collect();
                let named = named.join("; ");
                match loss {
                    // Fairy-Stockfish itself does not know these keys; only its descendants do.
                    Some("joined") if named.is_empty() && imported.text.contains("wrap = ") => Ok(false),
                    Some(part) if named.contains(part) => Ok(false),
                    Some(part) => Err(format!("{name}: expected `{part}` to be named, found `{named}`")),
                    None if !named.is_empty() => Err(format!("{name}: not all of it: {named}")),
                    None => compare(&mut pyffish, &name, &compiled(&imported.text)?).map(|()| true),
                }
            },
        );
        match found {
            Ok(compared) => same += usize::from(compared),
            Err(fault) => faults.push(fault),
        }
    }
    assert!(faults.is_empty(), "{same} games agree, these do not:\n{}", faults.join("\n"));
    assert!(same >= 80, "only {same} games were compared");
}

#[test]
fn games_of_another_file_are_the_same() {
    let Some(path) = std::env::var_os("LOZENGE_INI") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let Some(mut pyffish) = Pyffish::start(&text) else { return };
    assert!(compare_file(&mut pyffish, &text) > 0, "no section is imported without loss");
}

/// Compares every section of a file that is imported without loss; returns how many there are.
fn compare_file(pyffish: &mut Pyffish, text: &str) -> usize {
    let (mut same, mut lossy, mut refused, mut faults) = (0, 0, 0, Vec::new());
    for section in sections(text).unwrap() {
        let Ok(imported) = import(text, Some(&section.name)) else {
            refused += 1;
            continue;
        };
        if !imported.untranslated.is_empty() {
            lossy += 1;
            continue;
        }
        let compared = compiled(&imported.text)
            .map_err(|error| format!("{}: {error}", section.name))
            .and_then(|variant| compare(pyffish, &section.name, &variant));
        match compared {
            Ok(()) => same += 1,
            Err(fault) => faults.push(fault),
        }
    }
    let counts = format!("{same} sections agree, {lossy} lose something, {refused} are refused\n");
    std::io::stderr().write_all(counts.as_bytes()).unwrap();
    assert!(faults.is_empty(), "{same} games agree, these do not:\n{}", faults.join("\n"));
    same
}

/// Keys that are translated, each with values that change games of 8 by 8 squares. A section of some of them is imported without
/// loss, or names what it loses.
const CHANGES: &[(&str, &[&str])] = &[
    ("stalemateValue", &["loss", "win", "draw"]),
    ("nMoveRule", &["0", "4", "20"]),
    ("nMoveRuleTypes", &["p", "pn", "q"]),
    ("nFoldRule", &["0", "2", "4"]),
    ("castling", &["false", "true"]),
    ("castlingKingsideFile", &["f", "g"]),
    ("castlingQueensideFile", &["b", "d"]),
    ("castlingRookPieces", &["r", "rn", "b"]),
    ("castlingRookPiecesWhite", &["n"]),
    ("castlingKingPiece", &["k", "q"]),
    ("castlingRank", &["1", "2"]),
    ("doubleStep", &["false", "true"]),
    ("doubleStepRegionWhite", &["*2 *3", "a2 b2 c3", "*1 *2", "-"]),
    ("doubleStepRegionBlack", &["*7 *6", "h7 g7", "*7 *8", "-"]),
    ("enPassantRegion", &["-", "*3 *6", "a3 c6 d6"]),
    ("enPassantRegionWhite", &["*6", "-"]),
    ("enPassantTypes", &["p", "pn", "-"]),
    ("enPassantTypesBlack", &["n", "p"]),
    ("promotionRegionWhite", &["*7 *8", "*6", "a8 b8 c8 d7", "*5 *6 *7 *8", "-"]),
    ("promotionRegionBlack", &["*1 *2", "*3", "a1 h1 h2", "*1", "-"]),
    ("promotionPawnTypes", &["p", "pn", "-", "n"]),
    ("promotionPawnTypesBlack", &["pb", "r"]),
    ("promotionPieceTypes", &["q", "qr", "rbn", "n", "-"]),
    ("promotionPieceTypesWhite", &["r", "qb"]),
    ("pawnTypes", &["p", "pn", "n"]),
    ("mandatoryPawnPromotion", &["false", "true"]),
    ("flagPiece", &["k", "q", "n", "p", "-"]),
    ("flagPieceWhite", &["r"]),
    ("flagRegionWhite", &["*8", "e8 d5", "*7 *8"]),
    ("flagRegionBlack", &["*1", "e1 a4"]),
    ("flagRegion", &["d4 e4 d5 e5", "*4"]),
    ("mobilityRegionWhiteRook", &["*1 *2 *3 *4", "a* b* g* h*"]),
    ("mobilityRegionBlackKnight", &["*8 *7 *6 *5"]),
    ("mobilityRegionWhitePawn", &["*2 *3 *4 *5"]),
    ("king", &["k:KN", "k:W", "k:F"]),
    ("queen", &["-", "q"]),
    ("knight", &["-"]),
    ("bishop", &["-", "b"]),
    ("archbishop", &["q", "n"]),
    ("cannon", &["r", "n"]),
    ("horse", &["n"]),
    ("centaur", &["b"]),
    ("shogiPawn", &["p"]),
    (
        "customPiece1",
        &["n:mNcB", "n:fNbF", "q:QcN", "b:B3", "n:nN", "n:NimD", "p:mfWcfFimfnD", "p:fmWfceFifmnD"],
    ),
    ("customPiece2", &["r:R4", "r:mRcpR", "b:FAD", "b:gB", "q:mQcK"]),
    (
        "startFen",
        &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
            "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1",
            "rnbqkbnr/8/8/pppppppp/PPPPPPPP/8/8/RNBQKBNR w KQkq - 0 1",
            "1n2k1n1/pppp1ppp/8/2*2*2/8/8/PPPP1PPP/1N2K1N1 w - - 0 1",
        ],
    ),
    ("cylindrical", &["false"]),
    ("extinctionValue", &["loss", "none"]),
    ("checkCounting", &["false", "true"]),
    ("pieceDrops", &["false", "true"]),
    ("pass", &["false", "true"]),
];

/// Sections of random keys, each of a built-in game of the pieces of chess.
fn random_sections(count: u64) -> String {
    const PARENTS: &[&str] = &[
        "chess",
        "chess",
        "chess",
        "berolina",
        "knightmate",
        "almost",
        "newzealand",
        "pawnback",
        "legan",
        "georgian",
    ];
    let mut text = String::new();
    for number in 1..=count {
        let mut random = SplitMix64::seed_from_u64(number);
        let mut below = |limit: usize| random.next_u64() as usize % limit;
        let mut keys: Vec<usize> = (0..=below(4)).map(|_| below(CHANGES.len())).collect();
        keys.sort_unstable();
        keys.dedup();
        text += &format!("[random-{number}:{}]\n", PARENTS[below(PARENTS.len())]);
        for (key, values) in keys.into_iter().map(|key| CHANGES[key]) {
            text += &format!("{key} = {}\n", values[below(values.len())]);
        }
    }
    text
}

#[test]
fn games_of_random_sections_are_the_same() {
    let text = random_sections(15 * games());
    let Some(mut pyffish) = Pyffish::start(&text) else { return };
    let count = compare_file(&mut pyffish, &text);
    assert!(count > 0, "no section is imported without loss");
}

#[test]
fn exported_games_are_the_same() {
    let ids = ["chess", "capablanca", "gardner", "losalamos"];
    let exported: Vec<String> = ids
        .iter()
        .map(|id| {
            let found = export(&library::game(id).unwrap());
            assert!(found.untranslated.is_empty(), "{id}: {:?}", found.untranslated);
            found.text.replace(&format!("[{id}]"), &format!("[{id}-exported]"))
        })
        .collect();
    let Some(mut pyffish) = Pyffish::start(&exported.join("\n")) else { return };
    for (id, text) in ids.iter().zip(&exported) {
        let name = format!("{id}-exported");
        compare(&mut pyffish, &name, &compiled_claims(id)).unwrap();
        // And back: we read our own export.
        let again = import(text, None).unwrap();
        assert!(again.untranslated.is_empty(), "{:?}", again.untranslated);
        compare(&mut pyffish, &name, &compiled(&again.text).unwrap()).unwrap();
    }
}

/// A built-in game with the draws of Fairy-Stockfish: claims alone, and no dead positions.
fn compiled_claims(id: &str) -> Arc<Variant> {
    let text = format!(
        "extends = \"{id}\"\nid = \"{id}-claims\"\nname = \"{id}\"\n\n[draws]\nrepetition = [3, 0]\nmoves = [50, 0]\ndead = []\n"
    );
    let lookup = |id: &str| library::game(id).and_then(|game| game.texts().first().cloned());
    Variant::parse("claims", &text, &lookup).unwrap()
}
