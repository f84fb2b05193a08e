//! How pieces move, in words.

use super::phrases::{Phrases, count, word};
use crate::motion::{Aim, Angle, Directions, Gained, Moves, Stretch, Toward, Turn, TurnSide, Verb, Way};
use lozenge_rules::variant::betza::{Leap, Manner};
use lozenge_rules::variant::{Condition, Edge, Gain};

impl Phrases<'_> {
    /// A sentence: verbs and ways of going, under one condition. Every part is an argument both of the sentence and of its
    /// first term, and each language puts it where it belongs.
    pub(super) fn moves(&self, moves: &Moves) -> String {
        let also = self.optional(moves.also || moves.initial, "also");
        let place = self.place(moves);
        let when = self.optional(moves.initial, "first-move");
        let terms: Vec<String> = (moves.terms.iter().enumerate())
            .map(|(number, (verb, ways))| match number {
                0 => self.term(*verb, [&also, &place, &when], ways),
                _ if place.is_empty() => self.term(*verb, ["", "", &when], ways),
                _ => self.term(*verb, ["", &self.plain("place-there"), &when], ways),
            })
            .collect();
        let gain = moves.gain.map(|gain| {
            self.plain(match gain {
                Gained::Center => "gained-center",
                Gained::Farther => "gained-farther",
                Gained::Farthest => "gained-farthest",
                Gained::Level => "gained-level",
            })
        });
        let is_opening = moves.opening && place.is_empty() && when.is_empty();
        let sentence = self.message(
            if is_opening { "sentence-opening" } else { "sentence" },
            [
                word("place", place),
                word("when", when),
                word("also", also),
                word("terms", terms.join("; ")),
                word("gain", gain.unwrap_or_default()),
            ],
        );
        set(&sentence)
    }

    /// From where, if not from everywhere.
    fn place(&self, moves: &Moves) -> String {
        let from = moves.from.as_ref().map(|from| word("area", self.area(from, "dative")));
        let edge = moves.edge.map(|edge| word("where", self.edge(edge)));
        match (from, edge) {
            (Some(from), Some(edge)) => self.message("place-from-edge", [from, edge]),
            (Some(from), None) => self.message("place-from", [from]),
            (None, Some(edge)) => self.message("place-edge", [edge]),
            (None, None) => String::new(),
        }
    }

    /// A verb and its ways.
    fn term(&self, verb: Verb, [also, place, when]: [&str; 3], ways: &[Way]) -> String {
        let key = match verb {
            Verb::Either => "term-either",
            Verb::Move => "term-move",
            Verb::Capture => "term-capture",
        };
        let arguments = [("also", also), ("place", place), ("when", when)].map(|(key, text)| word(key, text));
        let [also, place, when] = arguments;
        self.message(key, [also, place, when, word("ways", self.ways(ways))])
    }

    /// Ways one after the other, with a comma before the last one where there are alternatives within them.
    fn ways(&self, ways: &[Way]) -> String {
        // The word between two ways, with its spaces.
        let joint = self.list("list-or", &[String::new(), String::new()]);
        let ways: Vec<String> = ways.iter().map(|way| self.way(way)).collect();
        if ways.iter().any(|way| way.contains(&joint)) {
            ways.join(&format!(",{joint}"))
        } else {
            self.list("list-or", &ways)
        }
    }

    fn edge(&self, edge: Edge) -> String {
        self.plain(match edge {
            Edge::Ahead => "edge-ahead",
            Edge::Behind => "edge-behind",
            Edge::Left => "edge-left",
            Edge::Right => "edge-right",
            Edge::AheadLeft => "edge-ahead-left",
            Edge::AheadRight => "edge-ahead-right",
            Edge::BehindLeft => "edge-behind-left",
            Edge::BehindRight => "edge-behind-right",
        })
    }

    /// Moves as the file writes them, with their conditions.
    pub(super) fn notation(&self, moves: &[(String, Condition)]) -> String {
        let part = |(betza, condition): &(String, Condition)| {
            if condition.is_always() {
                betza.clone()
            } else {
                format!("{betza} ({})", self.condition(condition))
            }
        };
        let parts: Vec<String> = moves.iter().map(part).collect();
        self.message("notation", [word("moves", parts.join("; "))])
    }

    fn condition(&self, condition: &Condition) -> String {
        let on = condition.on.as_ref().map(|on| self.message("if-from", [word("area", &on.text)]));
        let edge = condition.edge.map(|edge| self.message("if-edge", [word("where", self.edge(edge))]));
        let center = if condition.center { "center-center" } else { "center-camp" };
        let gain = condition.gain.map(|gain| {
            let key = match gain {
                Gain::Any => "if-farther",
                Gain::Most => "if-farthest",
                Gain::Level => "if-level",
            };
            self.message(key, [word("center", self.plain(center))])
        });
        on.into_iter().chain(edge).chain(gain).collect::<Vec<_>>().join(", ")
    }

    /// How far and where.
    fn way(&self, way: &Way) -> String {
        match way {
            Way::Step(to) => self.message("way-step", [word("directions", self.directions(to))]),
            Way::Leap { squares, directions, manner } => {
                let over = match manner {
                    Manner::Lame if *squares == 2 => "over-clear-one",
                    Manner::Lame => "over-clear",
                    Manner::Jump => "over-piece",
                    Manner::Free | Manner::HopOne | Manner::HopBehind => "over-anything",
                };
                self.message(
                    "way-leap",
                    [
                        count("number", *squares),
                        word("directions", self.directions(directions)),
                        word("over", self.plain(over)),
                    ],
                )
            }
            Way::Slide { most, directions, manner, zigzag, round } => {
                let over = match manner {
                    Manner::HopOne => self.plain("hop-one"),
                    Manner::HopBehind => self.plain("hop-behind"),
                    Manner::Jump => self.plain("hop-first"),
                    Manner::Free | Manner::Lame => String::new(),
                };
                self.message(
                    "way-slide",
                    [
                        count("number", most.unwrap_or(0)),
                        word("directions", self.directions(directions)),
                        word("zigzag", self.optional(*zigzag, "zigzag")),
                        word("over", over),
                        word("round", self.optional(*round, "round")),
                    ],
                )
            }
            Way::Leaps { most, squares, directions, zigzag, round } => self.message(
                "way-leaps",
                [
                    count("number", most.unwrap_or(0)),
                    word("squares", self.number(*squares)),
                    word("directions", self.directions(directions)),
                    word("zigzag", self.optional(*zigzag, "zigzag")),
                    word("round", self.optional(*round, "round")),
                ],
            ),
            Way::Oblique { leap, aim, lame } => {
                let over = if *lame { "oblique-over-beside" } else { "oblique-over-anything" };
                self.message(
                    "way-oblique",
                    [
                        word("oblique", self.oblique(*leap)),
                        word("aim", self.aim(aim)),
                        word("over", self.plain(over)),
                    ],
                )
            }
            Way::Obliques { most, leap, aim } => self.message(
                "way-obliques",
                [
                    count("number", most.unwrap_or(0)),
                    word("oblique", self.each_oblique(*leap)),
                    word("aim", self.aim(aim)),
                ],
            ),
            Way::Path(stretches) => self.path(stretches),
        }
    }

    fn optional(&self, included: bool, key: &str) -> String {
        if included { self.plain(key) } else { String::new() }
    }

    fn number(&self, number: u8) -> String {
        self.message("number", [count("number", number)])
    }

    fn oblique(&self, leap: Leap) -> String {
        let key = match leap {
            (2, 1) => "oblique-knight",
            (3, 1) => "oblique-camel",
            _ => "oblique-other",
        };
        self.sides(key, leap)
    }

    /// The same for each of several leaps.
    fn each_oblique(&self, leap: Leap) -> String {
        let key = match leap {
            (2, 1) => "each-knight",
            (3, 1) => "each-camel",
            _ => "each-other",
        };
        self.sides(key, leap)
    }

    fn sides(&self, key: &str, (long, short): Leap) -> String {
        let short = self.message("number-alone", [count("number", short)]);
        self.message(key, [word("long", self.number(long)), word("short", short)])
    }

    fn aim(&self, aim: &Aim) -> String {
        match aim {
            Aim::All => String::new(),
            Aim::Forward => self.plain("aim-forward"),
            Aim::Backward => self.plain("aim-backward"),
            Aim::FarForward => self.plain("aim-far-forward"),
            Aim::FarBackward => self.plain("aim-far-backward"),
            Aim::Only(steps) => {
                let steps: Vec<String> = steps.iter().map(|(dx, dy)| format!("({dx},{dy})")).collect();
                self.message("aim-only", [word("steps", self.list("list-and", &steps))])
            }
        }
    }

    fn directions(&self, Directions { toward, turned }: &Directions) -> String {
        let word = |toward: &Toward| {
            let [plain, half] = match toward {
                Toward::Any => ["to-any"; 2],
                Toward::Lines => ["to-lines"; 2],
                Toward::Diagonals => ["to-diagonals"; 2],
                Toward::ForwardOrBackward => ["to-forward-or-backward"; 2],
                Toward::Sideways => ["to-sideways"; 2],
                Toward::ForwardLeftOrRight => ["to-forward-left-or-right", "half-forward-left-or-right"],
                Toward::BackwardLeftOrRight => ["to-backward-left-or-right", "half-backward-left-or-right"],
                Toward::Forward => ["to-forward"; 2],
                Toward::Backward => ["to-backward"; 2],
                Toward::Left => ["to-left", "half-left"],
                Toward::Right => ["to-right", "half-right"],
                Toward::ForwardLeft => ["to-forward-left", "half-forward-left"],
                Toward::ForwardRight => ["to-forward-right", "half-forward-right"],
                Toward::BackwardLeft => ["to-backward-left", "half-backward-left"],
                Toward::BackwardRight => ["to-backward-right", "half-backward-right"],
            };
            self.plain(if *turned { half } else { plain })
        };
        self.list("list-or", &toward.iter().map(word).collect::<Vec<_>>())
    }

    /// Legs one after the other.
    fn path(&self, stretches: &[Stretch]) -> String {
        let mut words = String::new();
        for (number, stretch) in stretches.iter().enumerate() {
            if number > 0 {
                words += &self.plain(if stretch.may_end_before { "then-may-end" } else { "then-goes-on" });
            }
            words += &self.leg(stretch);
            if !stretch.turns.is_empty() {
                let turns: Vec<String> = stretch.turns.iter().map(|turn| self.turn(*turn)).collect();
                words.push(' ');
                words += &self.list("list-or", &turns);
            }
        }
        words
    }

    /// How far a leg goes, and along which lines.
    fn leg(&self, Stretch { leap: (long, short), most, toward, .. }: &Stretch) -> String {
        if *short != 0 && short != long {
            return self.oblique((*long, *short));
        }
        let key = match (long, most) {
            (1, Some(1)) => "leg-one",
            (1, Some(_)) => "leg-up-to",
            (1, None) => "leg-any",
            (_, Some(1)) => "leg-leap",
            (_, Some(_)) => "leg-leaps-up-to",
            (_, None) => "leg-leaps-any",
        };
        let along = match toward {
            Some(toward) => self.directions(toward),
            None if *short == 0 => self.plain("along-line"),
            None => self.plain("along-diagonal"),
        };
        self.message(
            key,
            [count("number", most.unwrap_or(0)), word("squares", self.number(*long)), word("along", along)],
        )
    }

    fn turn(&self, Turn { angle, side }: Turn) -> String {
        let turn = self.plain(match angle {
            Angle::Straight => "turn-straight",
            Angle::Outward => "turn-outward",
            Angle::Right => "turn-right-angle",
            Angle::Inward => "turn-inward",
            Angle::Back => "turn-back",
        });
        match side {
            None => turn,
            Some(TurnSide::Left) => self.message("turn-to-left", [word("turn", turn)]),
            Some(TurnSide::Right) => self.message("turn-to-right", [word("turn", turn)]),
        }
    }
}

/// A sentence with a capital at its beginning, and without the spaces around empty arguments.
fn set(sentence: &str) -> String {
    let words = sentence.split(' ').filter(|word| !word.is_empty());
    let line = words.fold(String::new(), |line, word| {
        let space = if line.is_empty() || word.starts_with(',') { "" } else { " " };
        line + space + word
    });
    let mut letters = line.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
