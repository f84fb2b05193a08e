//! What there is to say of a game, in the reader's language: English from the rules, other languages from the messages
//! of `described.ftl`. A sentence is a message, and what stands in it is an argument; lists, numbers and directions are
//! messages of their own.

mod moves;

use super::Texts;
use crate::convert::role_id;
use fluent_templates::fluent_bundle::FluentValue;
use lozenge_rules::position::Color;
use lozenge_rules::variant::describe::document::Subject;
use lozenge_rules::variant::describe::english;
use lozenge_rules::variant::describe::motion::Spot;
use lozenge_rules::variant::describe::text::{
    Area, Attacks, BlackSide, CastlingWay, Forward, History, Line, Mark, Name, StartName, Text,
};
use lozenge_rules::variant::{Limit, Stalemate};

/// An argument of a message, and its name.
type Argument = (&'static str, FluentValue<'static>);

/// Whoever says things of a game in a language with messages.
pub(super) struct Speaker<'a> {
    texts: &'a Texts,
    /// The game's id.
    game: &'a str,
}

impl<'a> Speaker<'a> {
    pub(super) fn new(texts: &'a Texts, game: &'a str) -> Self {
        Self { texts, game }
    }

    fn plain(&self, key: &str) -> String {
        self.texts.get(key)
    }

    fn say<const N: usize>(&self, key: &str, arguments: [Argument; N]) -> String {
        self.texts.with_all(key, arguments)
    }

    pub(super) fn text(&self, text: &Text) -> String {
        if self.texts.code() == "en" {
            return english(text);
        }
        match text {
            Text::Heading(subject) => self.heading(*subject),
            Text::InventedBy { author, year } => self.invented(author, *year),
            Text::PublishedIn(year) => self.say("described-published-in", [word("year", year.to_string())]),
            Text::Source(source) => self.say("described-source", [word("source", self.texts.dated(source))]),
            Text::About(original) => self.own(None, original),
            Text::Reading { number, text } => self.own(Some(*number), text),
            Text::Size { squares, files, ranks, gaps } => self.size(*squares, (*files, *ranks), *gaps),
            Text::Holes(holes) => self.say(
                "described-holes",
                [count("count", holes.len()), word("holes", self.list("described-list-and", holes))],
            ),
            Text::Joined { files, ranks } => self.joined(*files, *ranks),
            Text::Forward(way) => self.forward(way),
            Text::BlackSide(side) => self.black_side(side),
            Text::Start(None) => self.plain("described-start"),
            Text::Start(Some(start)) => {
                self.say("described-start-named", [word("name", self.start_name(start))])
            }
            Text::Capitals => self.plain("described-capitals"),
            Text::Starts(starts) => self.starts(starts),
            Text::Distances => self.plain("described-distances"),
            Text::Legend(marks) => self.legend(marks),
            Text::Piece(name) => self.name(name),
            Text::Moves(moves) => self.moves(moves),
            Text::Immobile => self.plain("described-immobile"),
            Text::Fused([one, other]) => {
                self.say("described-fused", [word("one", self.name(one)), word("other", self.name(other))])
            }
            Text::Longest(steps) => self.say("described-longest", [count("number", *steps)]),
            Text::Closed(area) => self.say("described-closed", [word("area", self.area(area, "nominative"))]),
            Text::Notation(moves) => self.notation(moves),
            Text::DrawnFrom(square) => self.say("described-drawn-from", [word("square", square)]),
            Text::DrawnAmongPieces => self.plain("described-drawn-among-pieces"),
            Text::DrawnElsewhere => self.plain("described-drawn-elsewhere"),
            Text::Aim => self.plain("described-aim"),
            Text::Goal { pieces, on: [white, black] } => self.say(
                "described-goal",
                [
                    word("pieces", self.names(pieces, "described-list-or")),
                    word("white", self.spots_or(white)),
                    word("black", self.spots_or(black)),
                ],
            ),
            Text::Promotion { pieces, on: [white, black], to } => self.say(
                "described-promotion",
                [
                    word("pieces", self.names(pieces, "described-list-or")),
                    word("white", self.spots_or(white)),
                    word("black", self.spots_or(black)),
                    word("to", self.names(to, "described-list-or")),
                ],
            ),
            Text::Promotions { pieces, to, turned } => self.promotions(pieces, to, *turned),
            Text::NoPromotion => self.plain("described-no-promotion"),
            Text::Fusing(pairs) => self.fusing(pairs),
            Text::Splitting => self.plain("described-splitting"),
            Text::EnPassant(pieces) => {
                self.say("described-en-passant", [word("pieces", self.names(pieces, "described-list-or"))])
            }
            Text::NoCastling => self.plain("described-no-castling"),
            Text::Castling(color, ways) => self.castling(*color, ways),
            Text::CastlingTerms { history, attacks, .. } => self.castling_terms(*history, *attacks),
            Text::Stalemate(outcome) => self.plain(match outcome {
                Stalemate::Draw => "described-stalemate-draw",
                Stalemate::Loss => "described-stalemate-loss",
                Stalemate::Win => "described-stalemate-win",
            }),
            Text::Repetition(limit) => self.repetition(*limit),
            Text::MoveCount { limit, pawns } => self.move_count(*limit, pawns),
            Text::Dead(material) => self.dead(material),
            Text::Id => self.plain("described-id"),
            Text::StartLabel(None) => self.plain("described-start-label"),
            Text::StartLabel(Some(number)) => {
                self.say("described-start-label-number", [count("number", *number)])
            }
        }
    }

    fn heading(&self, subject: Subject) -> String {
        self.plain(match subject {
            Subject::Board => "described-board",
            Subject::Pieces => "described-pieces",
            Subject::Rules => "described-rules",
            Subject::Readings => "described-readings",
            Subject::Programs => "described-programs",
        })
    }

    fn invented(&self, author: &str, year: Option<i64>) -> String {
        match year {
            None => self.say("described-invented", [word("author", author)]),
            Some(year) => {
                let year = word("year", year.to_string());
                self.say("described-invented-in", [word("author", author), year])
            }
        }
    }

    /// The game's own words, where the language has them.
    fn own(&self, reading: Option<usize>, original: &str) -> String {
        self.texts.of_game(self.game, reading).unwrap_or_else(|| original.to_owned())
    }

    fn size(&self, squares: usize, (files, ranks): (u8, u8), gaps: bool) -> String {
        let last = char::from(b'a' + files.saturating_sub(1));
        self.say(
            if gaps { "described-size-gaps" } else { "described-size" },
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
            (Some(_), Some(_)) => "described-joined-both",
            (Some(_), None) => "described-joined-files",
            (None, Some(_)) => "described-joined-ranks",
            (None, None) => "described-joined-none",
        };
        self.say(key, [file, rank])
    }

    fn forward(&self, forward: &Forward) -> String {
        match forward {
            Forward::Straight(line) => {
                let (key, end) = match line {
                    Line::Up(rank) => ("described-forward-up", rank.to_string()),
                    Line::Down => ("described-forward-down", String::new()),
                    Line::Right(file) => ("described-forward-right", file.to_string()),
                    Line::Left => ("described-forward-left", String::new()),
                };
                self.say(key, [word("end", end)])
            }
            Forward::Corner { from, to, left, right, sides: [start, end] } => {
                let along = |line: &Line| {
                    self.plain(match line {
                        Line::Up(_) => "described-along-up",
                        Line::Down => "described-along-down",
                        Line::Right(_) => "described-along-right",
                        Line::Left => "described-along-left",
                    })
                };
                self.say(
                    "described-forward-corner",
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
            let said = example.as_ref().map(|[one, other]| {
                self.say("described-black-example", [word("one", one), word("other", other)])
            });
            word("example", said.unwrap_or_default())
        };
        match side {
            BlackSide::Turned(squares) => self.say("described-black-turned", [example(squares)]),
            BlackSide::MirroredRanks(last) => {
                self.say("described-black-ranks", [word("last", last.to_string())])
            }
            BlackSide::MirroredFiles(last) => {
                self.say("described-black-files", [word("last", last.to_string())])
            }
            BlackSide::MirroredDiagonal { diagonal: [from, to], example: squares } => {
                self.say("described-black-diagonal", [word("from", from), word("to", to), example(squares)])
            }
        }
    }

    /// What distinguishes a starting position: in the game's own words between quotes, where the language has no others.
    fn start_name(&self, start: &StartName) -> String {
        let known = self.texts.of_start(self.game, start.number);
        known.unwrap_or_else(|| self.say("described-start-name", [word("name", &start.name)]))
    }

    fn starts(&self, starts: &[StartName]) -> String {
        let named: Vec<String> =
            starts.iter().map(|start| format!("{}: {}", start.number, self.start_name(start))).collect();
        self.say("described-starts", [count("number", starts.len()), word("names", named.join("; "))])
    }

    fn legend(&self, marks: &[Mark]) -> String {
        let said = |mark: &Mark| {
            let key = match mark {
                Mark::Either => "described-mark-either",
                Mark::Quiet => "described-mark-quiet",
                Mark::Capture => "described-mark-capture",
                Mark::First => "described-mark-first",
                Mark::Over => "described-mark-over",
                Mark::Blocker => "described-mark-blocker",
                Mark::Victim => "described-mark-victim",
            };
            self.say(key, [word("sign", mark.sign().to_string())])
        };
        let marks: Vec<String> = marks.iter().map(said).collect();
        self.say("described-legend", [word("marks", marks.join("; "))])
    }

    fn promotions(&self, pieces: &[Name], to: &[(Vec<Spot>, Vec<Name>)], turned: bool) -> String {
        let zone = |(on, to): &(Vec<Spot>, Vec<Name>)| {
            let to = word("to", self.names(to, "described-list-or"));
            self.say("described-promotion-zone", [word("squares", self.spots_or(on)), to])
        };
        let zones: Vec<String> = to.iter().map(zone).collect();
        self.say(
            "described-promotions",
            [
                word("pieces", self.names(pieces, "described-list-or")),
                word("zones", zones.join("; ")),
                word("how", if turned { "turned" } else { "mirrored" }),
            ],
        )
    }

    fn fusing(&self, pairs: &[([Name; 2], Name)]) -> String {
        let pair = |([one, other], into): &([Name; 2], Name)| {
            let [one, other] = [("one", one), ("other", other)].map(|(key, name)| word(key, self.name(name)));
            self.say("described-fusing-pair", [one, other, word("into", self.name(into))])
        };
        let pairs: Vec<String> = pairs.iter().map(pair).collect();
        self.say("described-fusing", [word("pairs", pairs.join("; "))])
    }

    fn castling(&self, color: Color, ways: &[CastlingWay]) -> String {
        let key = match color {
            Color::White => "described-castling-white",
            Color::Black => "described-castling-black",
        };
        let ways: Vec<String> = ways.iter().map(|way| self.castling_way(way)).collect();
        self.say(key, [word("ways", ways.join("; "))])
    }

    fn castling_way(&self, way: &CastlingWay) -> String {
        let ((king, [king_from, king_to]), (rook, [rook_from, rook_to])) = (&way.king, &way.rook);
        let how = self.say(
            if way.trades() { "described-castling-trade" } else { "described-castling-way" },
            [
                word("king", self.name(king)),
                word("kingfrom", king_from),
                word("kingto", king_to),
                word("rook", self.name(rook)),
                word("rookfrom", rook_from),
                word("rookto", rook_to),
            ],
        );
        let key = if way.short { "described-castling-short" } else { "described-castling-long" };
        self.say(key, [word("how", how)])
    }

    fn castling_terms(&self, history: History, attacks: Attacks) -> String {
        let history = self.plain(match history {
            History::Unmoved => "described-history-unmoved",
            History::Forgotten => "described-history-forgotten",
            History::Mixed => "described-history-mixed",
        });
        let attacks = self.plain(match attacks {
            Attacks::Free => "described-attacks-free",
            Attacks::Strict => "described-attacks-strict",
            Attacks::Ends => "described-attacks-ends",
        });
        self.say("described-castling-terms", [word("history", history), word("attacks", attacks)])
    }

    fn repetition(&self, Limit { claim, end }: Limit) -> String {
        let times = |number: u32| self.say("described-times", [count("number", number)]);
        let (key, ending) = match (claim, end) {
            (0, 0) => ("described-repetition-none", String::new()),
            (0, end) => ("described-repetition-end", times(end)),
            (_, 0) => ("described-repetition-claim", String::new()),
            (_, end) => ("described-repetition-both", self.say("described-ordinal", [count("number", end)])),
        };
        self.say(key, [word("claim", times(claim)), word("end", ending)])
    }

    fn move_count(&self, Limit { claim, end }: Limit, pawns: &[Name]) -> String {
        let moves = |key: &str, number: u32| self.say(key, [count("number", number)]);
        let key = match (claim, end) {
            (0, 0) => "described-count-none",
            (0, _) => "described-count-end",
            (_, 0) => "described-count-claim",
            _ => "described-count-both",
        };
        let pawns = if pawns.is_empty() { "none".into() } else { self.names(pawns, "described-list-or") };
        self.say(
            key,
            [
                word("claim", moves("described-moves-of-each", claim)),
                word("end", moves("described-moves-of-each", end)),
                word("such", moves("described-such-moves-of-each", end)),
                word("pawns", pawns),
            ],
        )
    }

    fn dead(&self, material: &[[Vec<Name>; 2]]) -> String {
        if material.is_empty() {
            return self.plain("described-dead-none");
        }
        let against = |sides: &[Vec<Name>; 2]| {
            let [one, other] = sides.each_ref().map(|side| self.names(side, "described-list-and"));
            self.say("described-against", [word("one", one), word("other", other)])
        };
        let material: Vec<String> = material.iter().map(against).collect();
        self.say("described-dead", [word("material", self.list("described-list-or", &material))])
    }

    /// A piece by the name it has in the language, or by its own.
    fn name(&self, Name(name): &Name) -> String {
        self.texts.man(&role_id(name), name).unwrap_or_else(|| name.clone())
    }

    fn names(&self, names: &[Name], joint: &str) -> String {
        self.list(joint, &names.iter().map(|name| self.name(name)).collect::<Vec<_>>())
    }

    fn spots_or(&self, spots: &[Spot]) -> String {
        let spots: Vec<String> = spots.iter().map(|spot| self.spot(spot, "nominative")).collect();
        self.list("described-list-or", &spots)
    }

    /// All that an area names, in a grammatical case.
    fn area(&self, Area { named, squares }: &Area, case: &'static str) -> String {
        let spots: Vec<String> = named.iter().chain(squares).map(|spot| self.spot(spot, case)).collect();
        self.list("described-list-and", &spots)
    }

    fn spot(&self, spot: &Spot, case: &'static str) -> String {
        match spot {
            Spot::File(name) => self.say("described-file", [word("name", name)]),
            Spot::Rank(name) => self.say("described-rank", [word("name", name)]),
            Spot::Run(from, to) => self.say("described-run", [word("from", from), word("to", to)]),
            Spot::Square(name) => name.clone(),
            Spot::Region { name, enemy } => {
                let key = if *enemy { "described-region-enemy" } else { "described-region-own" };
                self.say(key, [word("name", name), word("case", case)])
            }
        }
    }

    /// Items one after the other, the last two joined by a message.
    fn list(&self, joint: &str, items: &[String]) -> String {
        match items {
            [] => String::new(),
            [one] => one.clone(),
            [first @ .., last] => self.say(joint, [word("first", first.join(", ")), word("last", last)]),
        }
    }
}

/// An argument that is a text.
fn word(name: &'static str, value: impl Into<String>) -> Argument {
    (name, FluentValue::from(value.into()))
}

/// An argument that is counted.
fn count<T>(name: &'static str, number: T) -> Argument
where
    FluentValue<'static>: From<T>,
{
    (name, FluentValue::from(number))
}

#[cfg(test)]
mod tests;
