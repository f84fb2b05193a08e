//! `lozenge pgn`: checks, counts and converts games of any number, and extracts their positions. The games are read one by
//! one, so that memory does not grow with the file.

use crate::numbers::whole;
use crate::{CliError, games, output};
use clap::{Args, ValueEnum};
use lozenge_protocol::games::any_named;
use lozenge_rules::library::AnyGame;
use lozenge_rules::notation::book::{Book, BookError, BookGame, is_book};
use lozenge_rules::notation::one_line::OneLine;
use lozenge_rules::notation::pgn::{
    self, BadGame, Faults, MoveNumber, PgnLocation, Reader, ResultTag, write_game,
};
use lozenge_rules::notation::record::{self, AnyRecord, Record, RecordError};
use lozenge_rules::notation::turn;
use lozenge_rules::position::{Color, MultiEnd, Outcome, Played};
use lozenge_rules::variant::{NotForTwo, Variant};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Most errors that are listed; of one game at most [`pgn::MAX_FAULTS`].
const MAX_LISTED: u64 = 1_000;

/// Check, count and convert games in PGN or in books, and extract their positions.
#[derive(Args, Debug)]
#[command(
    after_help = "Every error names file, game, line and column; a game may have several. At most 1,000 are listed, and 100 of one game; \
                  the others are counted. Status 1 if a game has an error."
)]
pub(crate) struct PgnArgs {
    /// The files: PGN, or books made by `lozenge lab book`; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A variant file whose games may occur, besides the built-in ones; may be repeated
    #[arg(long = "game", value_name = "VARIANT")]
    variants: Vec<String>,
    /// Write the valid games (or their positions) to this file; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How to write them; by default as the ending of the file says, and as PGN
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Read at most N games of each file
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=usize::MAX))]
    limit: Option<usize>,
    /// Of the positions only those after N plies
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..=usize::MAX))]
    ply: Option<usize>,
    /// Also report oddities that were corrected
    #[arg(long)]
    warnings: bool,
    /// The counts and errors as JSON
    #[arg(long)]
    json: bool,
}

/// The output for each game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// The game, its moves in SAN
    Pgn,
    /// A `position` command of UCI: the start and the moves
    Uci,
    /// FEN of each position of the main line, one a line
    Fen,
    /// One line of JSON: tags, start and moves
    Json,
}

impl Format {
    fn of(path: &Path) -> Self {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("fen" | "epd") => Self::Fen,
            Some("json" | "jsonl") => Self::Json,
            Some("uci") => Self::Uci,
            _ => Self::Pgn,
        }
    }
}

/// Why a game is invalid.
#[derive(Debug, thiserror::Error)]
pub(super) enum GameError {
    #[error(transparent)]
    Syntax(#[from] pgn::Fault),
    #[error(transparent)]
    Rules(#[from] RecordError),
    #[error(
        "{location}: expected the result {expected}, by which the game ended on the board, found {found}"
    )]
    Result { location: PgnLocation, expected: ResultTag, found: ResultTag },
    #[error("{location}: {error}")]
    NotForTwo { location: PgnLocation, error: NotForTwo },
    #[error(transparent)]
    Book(#[from] BookError),
    #[error("game {game}: {error}")]
    BookGame { game: usize, error: BookError },
    #[error("expected a book of a known game, found one of `{0}`")]
    BookVariant(String),
}

impl GameError {
    /// Where it is in PGN.
    fn location(&self) -> Option<PgnLocation> {
        match self {
            Self::Syntax(error) => Some(error.location),
            Self::Rules(error) => match error {
                RecordError::UnknownVariant { location, .. }
                | RecordError::Fen { location, .. }
                | RecordError::Result { location, .. }
                | RecordError::ResultKind { location, .. }
                | RecordError::Move { location, .. } => Some(*location),
            },
            Self::Result { location, .. } | Self::NotForTwo { location, .. } => Some(*location),
            Self::Book(_) | Self::BookGame { .. } | Self::BookVariant(_) => None,
        }
    }
}

/// The errors on standard error, within a bound.
#[derive(Default)]
pub(super) struct Listing {
    listed: u64,
    more: u64,
}

impl Listing {
    /// Prints the errors of a game, and returns those that were printed.
    pub(super) fn list<'f>(&mut self, file: &str, faults: &'f Faults<GameError>) -> &'f [GameError] {
        let faults_of_game = faults.listed();
        let room = MAX_LISTED.saturating_sub(self.listed).min(faults_of_game.len() as u64);
        let (printed, others) = faults_of_game.split_at(room as usize);
        printed.iter().for_each(|error| print_error(format_args!("error: {file}: {error}")));
        self.listed += room;
        self.more += others.len() as u64 + faults.more();
        printed
    }

    /// Prints how many were not printed.
    pub(super) fn finish(&self) {
        if self.more > 0 {
            print_error(format_args!("error: and {} more", self.more));
        }
    }
}

/// The counts.
#[derive(Default)]
struct Counts {
    games: u64,
    plies: u64,
    longest: usize,
    warnings: u64,
    variants: BTreeMap<String, u64>,
    results: BTreeMap<String, u64>,
    /// Games with errors.
    errors: u64,
    listing: Listing,
    /// Only for JSON.
    faults: Vec<Value>,
}

/// Reads all games.
pub(crate) fn run(args: &PgnArgs) -> Result<(), CliError> {
    let variants: Vec<AnyGame> =
        args.variants.iter().map(|variant| games::resolve_any(variant)).collect::<Result<_, _>>()?;
    let mut writer = Writer::open(args)?;
    let mut counts = Counts::default();
    for file in &args.files {
        let name = file.display().to_string();
        let input = open(file).map_err(|error| CliError::Read { what: name.clone(), error })?;
        read(args, &name, input, &variants, &mut counts, writer.as_mut())?;
    }
    counts.listing.finish();
    if let Some(writer) = &mut writer {
        writer.finish()?;
    }
    let writes_output = writer.is_some_and(|writer| output::is_standard(&writer.path));
    if args.json && !writes_output {
        output::json(&counts.json())?;
    } else if !writes_output {
        output::line(counts.text())?;
    }
    if counts.errors == 0 {
        Ok(())
    } else {
        Err(CliError::BadGames { bad: counts.errors, games: counts.games })
    }
}

pub(super) fn open(file: &Path) -> io::Result<Box<dyn BufRead>> {
    if output::is_standard(file) {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    Ok(Box::new(BufReader::with_capacity(1 << 16, File::open(file)?)))
}

fn read(
    args: &PgnArgs,
    name: &str,
    input: Box<dyn BufRead>,
    variants: &[AnyGame],
    counts: &mut Counts,
    mut writer: Option<&mut Writer>,
) -> Result<(), CliError> {
    let find = |name: &str| any_named(name, variants);
    let records =
        any_records(input, Box::new(find)).map_err(|error| CliError::Read { what: name.into(), error })?;
    for record in records.take(args.limit.unwrap_or(usize::MAX)) {
        counts.games += 1;
        match record {
            Ok(record) => {
                for warning in &record.tree.warnings {
                    counts.warnings += 1;
                    if args.warnings {
                        print_error(format_args!("warning: {name}: {warning}"));
                    }
                }
                counts.add(&record);
                if let Some(writer) = &mut writer {
                    writer.write(&record)?;
                }
            }
            Err(faults) => {
                counts.errors += 1;
                for error in counts.listing.list(name, &faults).iter().filter(|_| args.json) {
                    let location = error.location();
                    counts.faults.push(json!({
                        "file": name,
                        "game": counts.games,
                        "line": location.map(|location| location.line),
                        "column": location.map(|location| location.column),
                        "message": error.to_string(),
                    }));
                }
            }
        }
    }
    Ok(())
}

/// How a game is found by its name.
type Find<'f> = Box<dyn Fn(&str) -> Option<AnyGame> + 'f>;

/// A game of a file, or its faults.
type Read<R> = Result<R, Faults<GameError>>;

/// The games of two players in a file, one by one: PGN, or a book made by `lozenge lab book`.
pub(super) fn records<'f>(
    input: Box<dyn BufRead>,
    find: &'f dyn Fn(&str) -> Option<Arc<Variant>>,
) -> io::Result<impl Iterator<Item = Read<Record>> + 'f> {
    let any = |name: &str| find(name).map(AnyGame::Two).or_else(|| any_named(name, &[]));
    let games = any_records(input, Box::new(any))?;
    Ok(games.map(|read| {
        let AnyRecord { game, tree } = read?;
        match game {
            Played::Two(game) => Ok(Record { game, tree }),
            Played::Four(game) => {
                let error = NotForTwo(game.position().variant().seats().len() as u8);
                Err(GameError::NotForTwo { location: tree.at, error }.into())
            }
        }
    }))
}

/// The games of a file, one by one: PGN, or a book, which is small and read as a whole.
fn any_records<'f>(
    mut input: Box<dyn BufRead>,
    find: Find<'f>,
) -> io::Result<Box<dyn Iterator<Item = Read<AnyRecord>> + 'f>> {
    if !is_book(input.fill_buf()?) {
        return Ok(Box::new(Reader::new(input).map(move |game| check_game(game, &find))));
    }
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    Ok(match of_book(&bytes, &find) {
        Ok(records) => Box::new(records.into_iter()),
        Err(error) => Box::new(std::iter::once(Err(error.into()))),
    })
}

fn of_book(bytes: &[u8], find: &Find<'_>) -> Result<Vec<Read<AnyRecord>>, GameError> {
    let (book, rest) = Book::parse_whole(bytes)?;
    let variant = find(book.variant).and_then(|game| game.two().cloned());
    let variant = variant.ok_or_else(|| GameError::BookVariant(book.variant.into()))?;
    let read = |number| {
        let found = book.game(&variant, number)?;
        Some(found.map(of_book_game).map_err(|error| GameError::BookGame { game: number + 1, error }.into()))
    };
    let cut = (rest > 0).then(|| Err(GameError::Book(BookError::Cut(rest)).into()));
    Ok((0..book.len()).filter_map(read).chain(cut).collect())
}

fn of_book_game(BookGame { game, winner }: BookGame) -> AnyRecord {
    let mut tree = record::tree(&game);
    tree.set_result(match winner {
        None => ResultTag::Draw,
        Some(Color::White) => ResultTag::WhiteWins,
        Some(Color::Black) => ResultTag::BlackWins,
    });
    AnyRecord { game: game.into(), tree }
}

/// Prints a line on standard error, which may be closed.
pub(super) fn print_error(message: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{}", OneLine(message));
}

/// Checks a game against the rules. A game with syntax errors is checked, too, so that all its faults are found.
fn check_game(game: Result<pgn::PgnGame, BadGame>, find: &Find<'_>) -> Read<AnyRecord> {
    let mut faults = Faults::default();
    let game = game.unwrap_or_else(|bad| {
        faults.append(bad.faults);
        *bad.game
    });
    let location = game.at;
    let record = match record::resolve_any(game, find) {
        Ok(record) => record,
        Err(others) => {
            faults.append(others);
            faults.sort_by_key(|fault: &GameError| fault.location().map(|location| location.byte));
            return Err(faults);
        }
    };
    let found = record.tree.result;
    // A game may go on after a draw, and a result may be missing.
    let expected = decision(&record.game).unwrap_or(found);
    if found != expected && found != ResultTag::Unknown {
        faults.push(GameError::Result { location, expected, found });
    }
    if faults.is_empty() { Ok(record) } else { Err(faults) }
}

/// The result of a game that was decided on the board.
fn decision(game: &Played) -> Option<ResultTag> {
    match game {
        Played::Two(game) => match game.outcome()? {
            Outcome::Win { winner: Color::White, .. } => Some(ResultTag::WhiteWins),
            Outcome::Win { winner: Color::Black, .. } => Some(ResultTag::BlackWins),
            Outcome::Draw(_) => None,
        },
        Played::Four(game) => {
            let outcome = game.outcome().filter(|outcome| outcome.end == MultiEnd::Decided)?;
            Some(record::multi_result(outcome.result))
        }
    }
}

impl Counts {
    fn add(&mut self, record: &AnyRecord) {
        let plies = record.game.plies();
        self.plies += plies as u64;
        self.longest = self.longest.max(plies);
        *self.variants.entry(record.game.position().variant().id().to_owned()).or_default() += 1;
        *self.results.entry(record.tree.result.to_string()).or_default() += 1;
    }

    fn text(&self) -> String {
        let list = |counts: &mut dyn Iterator<Item = (&str, u64)>| {
            let parts: Vec<String> = counts.map(|(name, count)| format!("{name} {count}")).collect();
            if parts.is_empty() { "-".to_owned() } else { parts.join(", ") }
        };
        let variants = list(&mut self.variants.iter().map(|(id, &count)| (id.as_str(), count)));
        let results = list(&mut self.results.iter().map(|(result, &count)| (result.as_str(), count)));
        format!(
            "games: {}\nplies: {}, longest game {}\nvariants: {variants}\nresults: {results}\nwarnings: {}\nerrors: {}",
            self.games, self.plies, self.longest, self.warnings, self.errors
        )
    }

    fn json(&self) -> Value {
        json!({
            "games": self.games,
            "valid": self.games - self.errors,
            "plies": self.plies,
            "longest": self.longest,
            "variants": self.variants,
            "results": self.results,
            "warnings": self.warnings,
            "errors": self.faults,
            "moreErrors": self.listing.more,
        })
    }
}

/// The output of games.
struct Writer {
    path: PathBuf,
    format: Format,
    ply: Option<usize>,
    sink: Box<dyn Write>,
}

impl Writer {
    /// Opens the output, if games are to be written at all.
    fn open(args: &PgnArgs) -> Result<Option<Self>, CliError> {
        let path = match (&args.output, args.format, args.ply) {
            (Some(path), ..) => path.clone(),
            (None, None, None) => return Ok(None),
            (None, ..) => PathBuf::from("-"),
        };
        let by_default = if args.ply.is_some() { Format::Fen } else { Format::of(&path) };
        let format = args.format.unwrap_or(by_default);
        let sink: Box<dyn Write> = if output::is_standard(&path) {
            Box::new(io::stdout())
        } else {
            let file = File::create(&path);
            Box::new(file.map_err(|error| CliError::Write { what: path.display().to_string(), error })?)
        };
        Ok(Some(Self { path, format, ply: args.ply, sink: Box::new(BufWriter::new(sink)) }))
    }

    fn write(&mut self, record: &AnyRecord) -> Result<(), CliError> {
        let text = match self.format {
            Format::Pgn => write(&record.tree, &record.game),
            Format::Uci => position(&record.game),
            Format::Fen => self.fens(&record.game),
            Format::Json => format!("{}\n", game_json(record)),
        };
        self.sink.write_all(text.as_bytes()).map_err(|error| self.fault(error))
    }

    fn finish(&mut self) -> Result<(), CliError> {
        self.sink.flush().map_err(|error| self.fault(error))
    }

    fn fault(&self, error: io::Error) -> CliError {
        if output::is_standard(&self.path) {
            return output::fault(error);
        }
        CliError::Write { what: self.path.display().to_string(), error }
    }

    fn fens(&self, game: &Played) -> String {
        let most = if self.ply.is_some() { 1 } else { usize::MAX };
        let positions = game.positions_from(self.ply.unwrap_or(0));
        positions.iter().take(most).map(|position| position.fen() + "\n").collect()
    }
}

/// The game as we write it: its variant's full name, the tags that every game has, moves in SAN.
pub(super) fn write(tree: &pgn::PgnGame, game: &Played) -> String {
    let mut tree = tree.clone();
    let start = game.start();
    // Names of variants have no line breaks; the value of SetUp is fixed.
    let _ = tree.tags.set("Variant", start.variant().name());
    if tree.tags.fen().is_some() {
        let _ = tree.tags.set("SetUp", "1");
    }
    tree.set_result(tree.result);
    match game {
        Played::Two(_) => tree.tags.fill_roster(),
        Played::Four(game) => {
            tree.tags.fill_roster_of_seats(game.position().variant().seats().len() as usize)
        }
    }
    let mut text = String::new();
    // Games that were read can be written.
    let _ = write_game(&mut text, &tree, MoveNumber::of_fen(&start.fen()));
    text
}

/// The turns of a game in long algebraic form.
fn turns(game: &Played) -> Vec<String> {
    let start = game.start();
    game.turns_from(0).into_iter().map(|played| turn::uci(&start, played)).collect()
}

fn position(game: &Played) -> String {
    let moves = turns(game);
    let before = if moves.is_empty() { "" } else { " moves " };
    format!("position fen {}{before}{}\n", game.start().fen(), moves.join(" "))
}

fn game_json(record: &AnyRecord) -> Value {
    let game = &record.game;
    let tags: serde_json::Map<String, Value> =
        record.tree.tags.iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    let moves: Vec<Value> = (record.tree.line.nodes.iter().zip(turns(game)))
        .map(|(node, uci)| json!({ "uci": uci, "san": node.san }))
        .collect();
    json!({
        "variant": game.start().variant().id(),
        "tags": tags,
        "fen": game.start().fen(),
        "moves": moves,
        "result": record.tree.result.to_string(),
    })
}
