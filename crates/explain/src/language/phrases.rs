//! Every [`Text`] in words: its message, and the arguments of the message. Lists, numbers and names are messages of
//! their own.

use super::{Argument, Language};
use crate::document::Subject;
use crate::motion::{Area, Spot};
use crate::text::{
    Attacks, BlackSide, CastlingWay, Forward, History, LineDirection, Mark, Name, StartName, Text,
    file_letter,
};
use fluent_bundle::FluentValue;
use lozenge_rules::position::Color;
use lozenge_rules::variant::{Limit, Stalemate};

/// The texts of one game in one language.
#[derive(Clone, Copy)]
pub(super) struct Phrases<'a> {
    pub(super) language: Language,
    /// The game's id.
    pub(super) game: &'a str,
}

impl Phrases<'_> {
    pub(super) fn plain(&self, key: &str) -> String {
        self.language.plain(key)
    }

    pub(super) fn message<const N: usize>(&self, key: &str, arguments: [Argument; N]) -> String {
        self.language.message(key, arguments)
    }

    pub(super) fn text(&self, text: &Text) -> String {
        match text {
            Text::Heading(subject) => self.heading(*subject),
            Text::InventedBy { author, year } => self.invented(author, *year),
            Text::PublishedIn(year) => self.message("published-in", [word("year", year.to_string())]),
            Text::Source(source) => self.message("source", [word("source", self.language.dated(source))]),
            Text::About(original) => self.language.about(self.game).unwrap_or_else(|| original.clone()),
            Text::Reading { number, text } => {
                self.language.reading(self.game, *number).unwrap_or_else(|| text.clone())
            }
            Text::Size { squares, files, ranks, gaps } => self.size(*squares, (*files, *ranks), *gaps),
            Text::Holes(holes) => self
                .message("holes", [count("count", holes.len()), word("holes", self.list("list-and", holes))]),
            Text::Joined { files, ranks } => self.joined(*files, *ranks),
            Text::Forward(way) => self.forward(way),
            Text::BlackSide(side) => self.black_side(side),
            Text::Start(None) => self.plain("start"),
            Text::Start(Some(start)) => self.message("start-named", [word("name", self.start_name(start))]),
            Text::Capitals => self.plain("capitals"),
            Text::Starts(starts) => self.starts(starts),
            Text::Shuffled { count: all, usual } => {
                self.message("shuffled", [count("count", *all), count("number", *usual)])
            }
            Text::SeatsAround { players } => {
                self.plain(if *players == 3 { "three-seats" } else { "four-seats" })
            }
            Text::OwnersOfFour => self.plain("four-owners"),
            Text::AsRed => self.plain("four-as-red"),
            Text::Turns { players } => self.plain(if *players == 3 { "three-turns" } else { "four-turns" }),
            Text::Alliances { teams: true, .. } => self.plain("teams-alliances"),
            Text::Alliances { players, .. } => {
                self.message("alone-alliances", [count("others", players.saturating_sub(1))])
            }
            Text::CheckOfFour => self.plain("four-check"),
            Text::GoingOut { teams } => {
                self.plain(if *teams { "teams-going-out" } else { "alone-going-out" })
            }
            Text::PromotionOfRed { pieces, on, to } => self.message(
                "four-promotion",
                [
                    word("pieces", self.names(pieces, "list-or")),
                    word("squares", self.spots_or(on)),
                    word("to", self.one_of(to)),
                ],
            ),
            Text::Passing { teams } => self.plain(if *teams { "teams-passing" } else { "alone-passing" }),
            Text::DrawsOfFour { teams, moves, occurrences } => self.message(
                if *teams { "teams-draws" } else { "alone-draws" },
                [count("moves", *moves), count("occurrences", *occurrences)],
            ),
            Text::Distances => self.plain("distances"),
            Text::Legend { marks, of_red } => self.legend(marks, *of_red),
            Text::Piece(name) => self.name(name),
            Text::Moves(moves) => self.moves(moves),
            Text::Immobile => self.plain("immobile"),
            Text::Fused([one, other]) => {
                self.message("fused", [word("one", self.name(one)), word("other", self.name(other))])
            }
            Text::Longest(steps) => self.message("longest", [count("number", *steps)]),
            Text::Closed(area) => self.message("closed", [word("area", self.area(area, "nominative"))]),
            Text::Notation(moves) => self.notation(moves),
            Text::DrawnFrom(square) => self.message("drawn-from", [word("square", square)]),
            Text::DrawnOfSeat(seat, square) => {
                self.message("drawn-of-seat", [word("seat", seat.id()), word("square", square)])
            }
            Text::DrawnAmongPieces => self.plain("drawn-among-pieces"),
            Text::OtherSquares => self.plain("drawn-elsewhere"),
            Text::Aim => self.plain("aim"),
            Text::Goal { pieces, on } => self.message(
                "goal",
                [
                    word("pieces", self.names(pieces, "list-or")),
                    word("white", self.spots_or(&on[Color::White])),
                    word("black", self.spots_or(&on[Color::Black])),
                ],
            ),
            Text::Promotion { pieces, on, to } => self.message(
                "promotion",
                [
                    word("pieces", self.names(pieces, "list-or")),
                    word("white", self.spots_or(&on[Color::White])),
                    word("black", self.spots_or(&on[Color::Black])),
                    word("to", self.one_of(to)),
                ],
            ),
            Text::GoalOf { color, pieces, on } => self.message(
                match color {
                    Color::White => "goal-white",
                    Color::Black => "goal-black",
                },
                [word("pieces", self.names(pieces, "list-or")), word("squares", self.spots_or(on))],
            ),
            Text::PromotionOf { color, pieces, on, to } => self.message(
                match color {
                    Color::White => "promotion-white",
                    Color::Black => "promotion-black",
                },
                [
                    word("pieces", self.names(pieces, "list-or")),
                    word("squares", self.spots_or(on)),
                    word("to", self.one_of(to)),
                ],
            ),
            Text::Promotions { pieces, to, turned } => self.promotions(pieces, to, *turned),
            Text::NoPromotion => self.plain("no-promotion"),
            Text::Fusing(pairs) => self.fusing(pairs),
            Text::Splitting => self.plain("splitting"),
            Text::EnPassant(pieces) => self.message("en-passant", [word("pieces", self.one_of(pieces))]),
            Text::EnPassantOfFour(pieces) => {
                self.message("en-passant-of-four", [word("pieces", self.one_of(pieces))])
            }
            Text::NoCastling => self.plain("no-castling"),
            Text::Castling(color, ways) => self.castling(*color, ways),
            Text::CastlingOfSeat(seat, ways) => {
                let ways: Vec<String> = ways.iter().map(|way| self.castling_way(way)).collect();
                self.message("castling-seat", [word("seat", seat.id()), word("ways", ways.join("; "))])
            }
            Text::CastlingTerms { king, history, attacks } => self.castling_terms(king, *history, *attacks),
            Text::Stalemate(outcome) => self.plain(match outcome {
                Stalemate::Draw => "stalemate-draw",
                Stalemate::Loss => "stalemate-loss",
                Stalemate::Win => "stalemate-win",
            }),
            Text::Repetition(limit) => self.repetition(*limit),
            Text::MoveCount { limit, pawns } => self.move_count(*limit, pawns),
            Text::Dead(material) => self.dead(material),
            Text::Id => self.plain("id"),
            Text::StartLabel(None) => self.plain("start-label"),
            Text::StartLabel(Some(number)) => self.message("start-label-number", [count("number", *number)]),
        }
    }

    fn heading(&self, subject: Subject) -> String {
        self.plain(match subject {
            Subject::Board => "board",
            Subject::Pieces => "pieces",
            Subject::Rules => "rules",
            Subject::Readings => "readings",
            Subject::Programs => "programs",
        })
    }

    fn invented(&self, author: &str, year: Option<i64>) -> String {
        match year {
            None => self.message("invented", [word("author", author)]),
            Some(year) => {
                let year = word("year", year.to_string());
                self.message("invented-in", [word("author", author), year])
            }
        }
    }

    fn size(&self, squares: usize, (files, ranks): (u8, u8), gaps: bool) -> String {
        let last = file_letter(files.saturating_sub(1));
        self.message(
            if gaps { "size-gaps" } else { "size" },
            [
                count("squares", squares),
                count("files", files),
                count("ranks", ranks),
                word("last", last.to_string()),
            ],
        )
    }

    fn joined(&self, files: Option<char>, ranks: Option<u8>) -> String {
        let file = word("file", files.map(String::from).unwrap_or_default());
        let rank = word("rank", ranks.map(|rank| rank.to_string()).unwrap_or_default());
        let key = match (files, ranks) {
            (Some(_), Some(_)) => "joined-both",
            (Some(_), None) => "joined-files",
            (None, Some(_)) => "joined-ranks",
            (None, None) => "joined-none",
        };
        self.message(key, [file, rank])
    }

    fn forward(&self, forward: &Forward) -> String {
        match forward {
            Forward::Straight(line) => {
                let (key, end) = match line {
                    LineDirection::Up(rank) => ("forward-up", rank.to_string()),
                    LineDirection::Down => ("forward-down", String::new()),
                    LineDirection::Right(file) => ("forward-right", file.to_string()),
                    LineDirection::Left => ("forward-left", String::new()),
                };
                self.message(key, [word("end", end)])
            }
            Forward::Corner { from, to, left, right, sides: [start, end] } => {
                let along = |line: &LineDirection| {
                    self.plain(match line {
                        LineDirection::Up(_) => "along-up",
                        LineDirection::Down => "along-down",
                        LineDirection::Right(_) => "along-right",
                        LineDirection::Left => "along-left",
                    })
                };
                self.message(
                    "forward-corner",
                    [
                        word("from", from),
                        word("to", to),
                        word("left", along(left)),
                        word("right", along(right)),
                        word("start", start),
                        word("end", end),
                    ],
                )
            }
        }
    }

    fn black_side(&self, side: &BlackSide) -> String {
        let example = |example: &Option<[String; 2]>| {
            let example = example
                .as_ref()
                .map(|[one, other]| self.message("black-example", [word("one", one), word("other", other)]));
            word("example", example.unwrap_or_default())
        };
        match side {
            BlackSide::Turned(squares) => self.message("black-turned", [example(squares)]),
            BlackSide::MirroredRanks(last) => self.message("black-ranks", [word("last", last.to_string())]),
            BlackSide::MirroredFiles(last) => self.message("black-files", [word("last", last.to_string())]),
            BlackSide::MirroredDiagonal { diagonal: [from, to], example: squares } => {
                self.message("black-diagonal", [word("from", from), word("to", to), example(squares)])
            }
        }
    }

    /// The name of a starting position: translated, or else the game's own words, which German puts in quotes.
    fn start_name(&self, start: &StartName) -> String {
        let known = self.language.start_name(self.game, start.number);
        known.unwrap_or_else(|| self.message("start-name", [word("name", &start.name)]))
    }

    fn starts(&self, starts: &[StartName]) -> String {
        let named: Vec<String> =
            starts.iter().map(|start| format!("{}: {}", start.number, self.start_name(start))).collect();
        self.message("starts", [count("number", starts.len()), word("names", named.join("; "))])
    }

    fn legend(&self, marks: &[Mark], of_red: bool) -> String {
        let phrase = |mark: &Mark| {
            let key = match mark {
                Mark::Either => "mark-either",
                Mark::Quiet => "mark-quiet",
                Mark::Capture => "mark-capture",
                Mark::First => "mark-first",
                Mark::Over => "mark-over",
                Mark::Blocker => "mark-blocker",
                Mark::Victim => "mark-victim",
            };
            self.message(key, [word("sign", mark.sign().to_string())])
        };
        let marks: Vec<String> = marks.iter().map(phrase).collect();
        self.message(if of_red { "four-legend" } else { "legend" }, [word("marks", marks.join("; "))])
    }

    fn promotions(&self, pieces: &[Name], to: &[(Vec<Spot>, Vec<Name>)], turned: bool) -> String {
        let zone = |(on, to): &(Vec<Spot>, Vec<Name>)| {
            let to = word("to", self.one_of(to));
            self.message("promotion-zone", [word("squares", self.spots_or(on)), to])
        };
        let zones: Vec<String> = to.iter().map(zone).collect();
        self.message(
            "promotions",
            [
                word("pieces", self.names(pieces, "list-or")),
                word("zones", zones.join("; ")),
                word("how", if turned { "turned" } else { "mirrored" }),
            ],
        )
    }

    fn fusing(&self, pairs: &[([Name; 2], Name)]) -> String {
        let pair = |([one, other], into): &([Name; 2], Name)| {
            let [one, other] = [("one", one), ("other", other)].map(|(key, name)| word(key, self.name(name)));
            self.message("fusing-pair", [one, other, word("into", self.one_of(std::slice::from_ref(into)))])
        };
        let pairs: Vec<String> = pairs.iter().map(pair).collect();
        self.message("fusing", [word("pairs", pairs.join("; "))])
    }

    fn castling(&self, color: Color, ways: &[CastlingWay]) -> String {
        let key = match color {
            Color::White => "castling-white",
            Color::Black => "castling-black",
        };
        let ways: Vec<String> = ways.iter().map(|way| self.castling_way(way)).collect();
        self.message(key, [word("ways", ways.join("; "))])
    }

    fn castling_way(&self, way: &CastlingWay) -> String {
        let ((king, [king_from, king_to]), (rook, [rook_from, rook_to])) = (&way.king, &way.rook);
        let how = self.message(
            if way.trades() { "castling-trade" } else { "castling-way" },
            [
                word("king", self.name(king)),
                word("kingfrom", king_from),
                word("kingto", king_to),
                word("rook", self.name(rook)),
                word("rookfrom", rook_from),
                word("rookto", rook_to),
            ],
        );
        let key = if way.short { "castling-short" } else { "castling-long" };
        self.message(key, [word("how", how)])
    }

    fn castling_terms(&self, king: &Name, history: History, attacks: Attacks) -> String {
        let king = word("king", self.name(king));
        let history = match history {
            History::Unmoved => "history-unmoved",
            History::Forgotten => "history-forgotten",
            History::Mixed => "history-mixed",
        };
        let history = self.message(history, [king.clone()]);
        let attacks = self.plain(match attacks {
            Attacks::Free => "attacks-free",
            Attacks::Strict => "attacks-strict",
            Attacks::Ends => "attacks-ends",
        });
        self.message("castling-terms", [king, word("history", history), word("attacks", attacks)])
    }

    fn repetition(&self, Limit { claim, end }: Limit) -> String {
        let times = |number: u32| self.message("times", [count("number", number)]);
        let (key, ending) = match (claim, end) {
            (0, 0) => ("repetition-none", String::new()),
            (0, end) => ("repetition-end", times(end)),
            (_, 0) => ("repetition-claim", String::new()),
            (_, end) => ("repetition-both", self.message("ordinal", [count("number", end)])),
        };
        self.message(key, [word("claim", times(claim)), word("end", ending)])
    }

    fn move_count(&self, Limit { claim, end }: Limit, pawns: &[Name]) -> String {
        let moves = |key: &str, number: u32| self.message(key, [count("number", number)]);
        let key = match (claim, end) {
            (0, 0) => "count-none",
            (0, _) => "count-end",
            (_, 0) => "count-claim",
            _ => "count-both",
        };
        let pawns = if pawns.is_empty() { "none".into() } else { self.one_of(pawns) };
        self.message(
            key,
            [
                word("claim", moves("moves-of-each", claim)),
                word("end", moves("moves-of-each", end)),
                word("such", moves("such-moves-of-each", end)),
                word("pawns", pawns),
            ],
        )
    }

    fn dead(&self, material: &[[Vec<Name>; 2]]) -> String {
        if material.is_empty() {
            return self.plain("dead-none");
        }
        let against = |sides: &[Vec<Name>; 2]| {
            let [one, other] = sides.each_ref().map(|side| self.names(side, "list-and"));
            self.message("against", [word("one", one), word("other", other)])
        };
        let material: Vec<String> = material.iter().map(against).collect();
        self.message("dead", [word("material", self.list("list-or", &material))])
    }

    /// A piece by the name it has in the language, or by its own.
    fn name(&self, Name(name): &Name) -> String {
        self.language.piece_name(name).unwrap_or_else(|| name.clone())
    }

    fn names(&self, names: &[Name], joint: &str) -> String {
        self.list(joint, &names.iter().map(|name| self.name(name)).collect::<Vec<_>>())
    }

    /// Names to choose from, with the article of the first one where the language has articles.
    fn one_of(&self, names: &[Name]) -> String {
        let names = self.names(names, "list-or");
        let initial: String = names.chars().take(1).flat_map(char::to_lowercase).collect();
        self.message("one-of", [word("initial", initial), word("name", names)])
    }

    fn spots_or(&self, spots: &[Spot]) -> String {
        let spots: Vec<String> = spots.iter().map(|spot| self.spot(spot, "nominative")).collect();
        self.list("list-or", &spots)
    }

    /// All that an area names, in a grammatical case.
    pub(super) fn area(&self, Area { named, squares }: &Area, case: &'static str) -> String {
        let spots: Vec<String> = named.iter().chain(squares).map(|spot| self.spot(spot, case)).collect();
        self.list("list-and", &spots)
    }

    fn spot(&self, spot: &Spot, case: &'static str) -> String {
        match spot {
            Spot::File(name) => self.message("file", [word("name", name)]),
            Spot::Rank(name) => self.message("rank", [word("name", name)]),
            Spot::Run(from, to) => self.message("run", [word("from", from), word("to", to)]),
            Spot::Square(name) => name.clone(),
            Spot::Region { name, enemy } => {
                let key = if *enemy { "region-enemy" } else { "region-own" };
                self.message(key, [word("name", name), word("case", case)])
            }
        }
    }

    /// Items one after the other, the last two joined by a message.
    pub(super) fn list(&self, joint: &str, items: &[String]) -> String {
        match items {
            [] => String::new(),
            [one] => one.clone(),
            [first @ .., last] => self.message(joint, [word("first", first.join(", ")), word("last", last)]),
        }
    }
}

/// An argument that is a text.
pub(super) fn word(name: &'static str, value: impl Into<String>) -> Argument {
    (name, FluentValue::from(value.into()))
}

/// An argument that is counted.
pub(super) fn count<T>(name: &'static str, number: T) -> Argument
where
    FluentValue<'static>: From<T>,
{
    (name, FluentValue::from(number))
}
