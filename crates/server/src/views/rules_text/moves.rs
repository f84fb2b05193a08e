//! How pieces move, in languages with messages.

use super::{Speaker, count, word};
use lozenge_rules::variant::betza::{Leap, Manner};
use lozenge_rules::variant::describe::motion::{
    Aim, Angle, Directions, Gained, Hand, Moves, Stretch, Toward, Turn, Verb, Way,
};
use lozenge_rules::variant::{Condition, Edge, Gain};

impl Speaker<'_> {
    /// A sentence: what the piece does, and in which ways, on one condition.
    pub(super) fn moves(&self, moves: &Moves) -> String {
        let terms: Vec<String> = (moves.terms.iter().enumerate())
            .map(|(number, (verb, ways))| self.term(moves, number == 0, *verb, ways))
            .collect();
        let gain = moves.gain.map(|gain| {
            self.plain(match gain {
                Gained::Center => "described-gained-center",
                Gained::Farther => "described-gained-farther",
                Gained::Farthest => "described-gained-farthest",
                Gained::Level => "described-gained-level",
            })
        });
        capital(&format!("{}{}.", terms.join("; "), gain.unwrap_or_default()))
    }

    /// A verb and its ways; the condition is said in full with the first one.
    fn term(&self, moves: &Moves, first: bool, verb: Verb, ways: &[Way]) -> String {
        let mut words = vec![self.plain(match verb {
            Verb::Either => "described-verb-either",
            Verb::Move => "described-verb-move",
            Verb::Capture => "described-verb-capture",
        })];
        if first && (moves.also || moves.initial) {
            words.push(self.plain("described-also"));
        }
        if first {
            let from = moves.from.as_ref().map(|from| word("area", self.area(from, "dative")));
            words.extend(from.map(|from| self.say("described-from", [from])));
            let edge = moves.edge.map(|edge| word("where", self.edge(edge)));
            words.extend(edge.map(|edge| self.say("described-edge", [edge])));
        } else if moves.from.is_some() || moves.edge.is_some() {
            words.push(self.plain("described-from-there"));
        }
        if moves.initial {
            words.push(self.plain("described-first-move"));
        }
        if verb == Verb::Move {
            words.push(self.plain("described-without-capture"));
        }
        words.push(self.ways(ways));
        words.into_iter().fold(String::new(), |said, word| {
            let space = if said.is_empty() || word.starts_with(',') { "" } else { " " };
            said + space + &word
        })
    }

    /// Ways one after the other, with a comma before the last one where there are alternatives within them.
    fn ways(&self, ways: &[Way]) -> String {
        // The word between two ways, with its spaces.
        let joint = self.list("described-list-or", &[String::new(), String::new()]);
        let ways: Vec<String> = ways.iter().map(|way| self.way(way)).collect();
        if ways.iter().any(|way| way.contains(&joint)) {
            ways.join(&format!(",{joint}"))
        } else {
            self.list("described-list-or", &ways)
        }
    }

    fn edge(&self, edge: Edge) -> String {
        self.plain(match edge {
            Edge::Ahead => "described-edge-ahead",
            Edge::Behind => "described-edge-behind",
            Edge::Left => "described-edge-left",
            Edge::Right => "described-edge-right",
            Edge::AheadLeft => "described-edge-ahead-left",
            Edge::AheadRight => "described-edge-ahead-right",
            Edge::BehindLeft => "described-edge-behind-left",
            Edge::BehindRight => "described-edge-behind-right",
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
        self.say("described-notation", [word("moves", parts.join("; "))])
    }

    fn condition(&self, condition: &Condition) -> String {
        let on = condition.on.as_ref().map(|on| self.say("described-if-from", [word("area", &on.text)]));
        let edge = condition.edge.map(|edge| self.say("described-if-edge", [word("where", self.edge(edge))]));
        let center = if condition.center { "described-center-center" } else { "described-center-camp" };
        let gain = condition.gain.map(|gain| {
            let key = match gain {
                Gain::Any => "described-if-farther",
                Gain::Most => "described-if-farthest",
                Gain::Level => "described-if-level",
            };
            self.say(key, [word("center", self.plain(center))])
        });
        on.into_iter().chain(edge).chain(gain).collect::<Vec<_>>().join(", ")
    }

    /// How far and where.
    fn way(&self, way: &Way) -> String {
        match way {
            Way::Step(to) => self.say("described-way-step", [word("directions", self.directions(to))]),
            Way::Leap { squares, directions, manner } => {
                let over = match manner {
                    Manner::Lame if *squares == 2 => "described-over-clear-one",
                    Manner::Lame => "described-over-clear",
                    Manner::Jump => "described-over-piece",
                    Manner::Free | Manner::HopOne | Manner::HopBehind => "described-over-anything",
                };
                self.say(
                    "described-way-leap",
                    [
                        count("number", *squares),
                        word("directions", self.directions(directions)),
                        word("over", self.plain(over)),
                    ],
                )
            }
            Way::Slide { most, directions, manner, zigzag, round } => {
                let over = match manner {
                    Manner::HopOne => self.plain("described-hop-one"),
                    Manner::HopBehind => self.plain("described-hop-behind"),
                    Manner::Jump => self.plain("described-hop-first"),
                    Manner::Free | Manner::Lame => String::new(),
                };
                self.say(
                    "described-way-slide",
                    [
                        count("number", most.unwrap_or(0)),
                        word("directions", self.directions(directions)),
                        word("zigzag", self.if_so(*zigzag, "described-zigzag")),
                        word("over", over),
                        word("round", self.if_so(*round, "described-round")),
                    ],
                )
            }
            Way::Leaps { most, squares, directions, zigzag, round } => self.say(
                "described-way-leaps",
                [
                    count("number", most.unwrap_or(0)),
                    word("squares", self.number(*squares)),
                    word("directions", self.directions(directions)),
                    word("zigzag", self.if_so(*zigzag, "described-zigzag")),
                    word("round", self.if_so(*round, "described-round")),
                ],
            ),
            Way::Oblique { leap, aim, lame } => {
                let over = if *lame { "described-over-beside" } else { "described-over-anything" };
                self.say(
                    "described-way-oblique",
                    [
                        word("oblique", self.oblique(*leap)),
                        word("aim", self.aim(aim)),
                        word("over", self.plain(over)),
                    ],
                )
            }
            Way::Obliques { most, leap, aim } => self.say(
                "described-way-obliques",
                [
                    count("number", most.unwrap_or(0)),
                    word("oblique", self.each_oblique(*leap)),
                    word("aim", self.aim(aim)),
                ],
            ),
            Way::Path(stretches) => self.path(stretches),
        }
    }

    fn if_so(&self, so: bool, key: &str) -> String {
        if so { self.plain(key) } else { String::new() }
    }

    fn number(&self, number: u8) -> String {
        self.say("described-number", [count("number", number)])
    }

    fn oblique(&self, leap: Leap) -> String {
        let key = match leap {
            (2, 1) => "described-oblique-knight",
            (3, 1) => "described-oblique-camel",
            _ => "described-oblique-other",
        };
        self.sides(key, leap)
    }

    /// The same for each of several leaps.
    fn each_oblique(&self, leap: Leap) -> String {
        let key = match leap {
            (2, 1) => "described-each-knight",
            (3, 1) => "described-each-camel",
            _ => "described-each-other",
        };
        self.sides(key, leap)
    }

    fn sides(&self, key: &str, (long, short): Leap) -> String {
        let short = self.say("described-number-alone", [count("number", short)]);
        self.say(key, [word("long", self.number(long)), word("short", short)])
    }

    fn aim(&self, aim: &Aim) -> String {
        match aim {
            Aim::All => String::new(),
            Aim::Forward => self.plain("described-aim-forward"),
            Aim::Backward => self.plain("described-aim-backward"),
            Aim::FarForward => self.plain("described-aim-far-forward"),
            Aim::FarBackward => self.plain("described-aim-far-backward"),
            Aim::Only(steps) => {
                let steps: Vec<String> = steps.iter().map(|(dx, dy)| format!("({dx},{dy})")).collect();
                self.say("described-aim-only", [word("steps", self.list("described-list-and", &steps))])
            }
        }
    }

    fn directions(&self, Directions { toward, turned }: &Directions) -> String {
        let word = |toward: &Toward| {
            let [plain, half] = match toward {
                Toward::Any => ["described-to-any"; 2],
                Toward::Lines => ["described-to-lines"; 2],
                Toward::Diagonals => ["described-to-diagonals"; 2],
                Toward::ForwardOrBackward => ["described-to-forward-or-backward"; 2],
                Toward::Sideways => ["described-to-sideways"; 2],
                Toward::ForwardLeftOrRight => {
                    ["described-to-forward-left-or-right", "described-half-forward-left-or-right"]
                }
                Toward::BackwardLeftOrRight => {
                    ["described-to-backward-left-or-right", "described-half-backward-left-or-right"]
                }
                Toward::Forward => ["described-to-forward"; 2],
                Toward::Backward => ["described-to-backward"; 2],
                Toward::Left => ["described-to-left", "described-half-left"],
                Toward::Right => ["described-to-right", "described-half-right"],
                Toward::ForwardLeft => ["described-to-forward-left", "described-half-forward-left"],
                Toward::ForwardRight => ["described-to-forward-right", "described-half-forward-right"],
                Toward::BackwardLeft => ["described-to-backward-left", "described-half-backward-left"],
                Toward::BackwardRight => ["described-to-backward-right", "described-half-backward-right"],
            };
            self.plain(if *turned { half } else { plain })
        };
        self.list("described-list-or", &toward.iter().map(word).collect::<Vec<_>>())
    }

    /// Legs one after the other.
    fn path(&self, stretches: &[Stretch]) -> String {
        let mut words = String::new();
        for (number, stretch) in stretches.iter().enumerate() {
            if number > 0 {
                words += &self.plain(if stretch.may_end_before {
                    "described-then-may-end"
                } else {
                    "described-then-goes-on"
                });
            }
            words += &self.leg(stretch);
            if !stretch.turns.is_empty() {
                let turns: Vec<String> = stretch.turns.iter().map(|turn| self.turn(*turn)).collect();
                words.push(' ');
                words += &self.list("described-list-or", &turns);
            }
        }
        words
    }

    /// How far a leg goes, and along what.
    fn leg(&self, Stretch { leap: (long, short), most, toward, .. }: &Stretch) -> String {
        if *short != 0 && short != long {
            return self.oblique((*long, *short));
        }
        let key = match (long, most) {
            (1, Some(1)) => "described-leg-one",
            (1, Some(_)) => "described-leg-up-to",
            (1, None) => "described-leg-any",
            (_, Some(1)) => "described-leg-leap",
            (_, Some(_)) => "described-leg-leaps-up-to",
            (_, None) => "described-leg-leaps-any",
        };
        let along = match toward {
            Some(toward) => self.directions(toward),
            None if *short == 0 => self.plain("described-along-line"),
            None => self.plain("described-along-diagonal"),
        };
        self.say(
            key,
            [count("number", most.unwrap_or(0)), word("squares", self.number(*long)), word("along", along)],
        )
    }

    fn turn(&self, Turn { angle, side }: Turn) -> String {
        let turn = self.plain(match angle {
            Angle::Straight => "described-turn-straight",
            Angle::Outward => "described-turn-outward",
            Angle::Right => "described-turn-right-angle",
            Angle::Inward => "described-turn-inward",
            Angle::Back => "described-turn-back",
        });
        match side {
            None => turn,
            Some(Hand::Left) => self.say("described-turn-to-left", [word("turn", turn)]),
            Some(Hand::Right) => self.say("described-turn-to-right", [word("turn", turn)]),
        }
    }
}

/// The first letter as a capital.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
