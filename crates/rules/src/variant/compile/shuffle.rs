//! Validates a shuffle: the rule by which starting positions are made. Its numbers are digits of a mixed radix, so that the
//! numbers of Chess960 are the usual ones.

use super::Compiler;
use crate::geometry::{Shape, Square};
use crate::piece::{ByColor, Color, Piece, Role};
use crate::setup::fen::CastlingRight;
use crate::setup::{Cell, Setup};
use crate::variant::area::Areas;
use crate::variant::def::{ShuffleDef, Text};
use crate::variant::plan::CastlingPlan;
use crate::variant::roles::Roles;

/// Most starting positions of a shuffle.
const MAX_SHUFFLED: usize = 1_000;
/// Most squares of a side that are shuffled with castling: two sides have sixteen rights.
const MAX_CASTLING_SQUARES: usize = 8;
/// The letter of the piece that the King castles with.
const PARTNER: char = 'R';
/// The file whose letter names another right in FEN: that of the outermost rook. File q would, too, but no board has it.
const OUTERMOST: char = 'k';

/// A validated shuffle.
pub(super) struct Shuffle {
    /// Where White's pieces are placed, and Black's in the same order.
    squares: ByColor<Vec<Square>>,
    /// By square, whether it is a light one.
    light: Vec<bool>,
    steps: Vec<Step>,
    /// How many positions there are.
    pub(super) count: usize,
    castling: Option<ShuffledCastling>,
}

/// How all positions castle.
struct ShuffledCastling {
    /// The piece that the King castles with.
    partner: Role,
    /// Targets of the King and its partner, short and long.
    targets: [(Square, Square); 2],
}

/// One step of placing.
enum Step {
    /// Two pieces, one on a light square and one on a dark one.
    Split(Role),
    /// This number of equal pieces on free squares.
    Choose(Role, usize),
    /// The other squares, in this order.
    Fill(Vec<Role>),
}

impl Compiler<'_> {
    /// The shuffle of the file, if it has a valid one.
    pub(super) fn shuffle(&mut self, areas: &Areas<'_>, shape: &Shape, roles: &Roles) -> Option<Shuffle> {
        let def = self.def.shuffle.as_ref()?;
        let symmetry = self.def.board.symmetry.value;
        let [mut white, _] = self.area(areas, &def.on).squares.into_array();
        white.sort_unstable_by_key(|&square| shape.coord(square));
        let black: Option<Vec<Square>> = white.iter().map(|&square| symmetry.square(shape, square)).collect();
        let light = |&square: &Square| {
            let at = shape.coord(square);
            (at.file + at.rank) % 2 == 1
        };
        let light: Vec<bool> = white.iter().map(light).collect();
        let mut shuffle = Shuffle {
            squares: ByColor::new(white, black?),
            light,
            steps: Vec::new(),
            count: 1,
            castling: None,
        };
        let mut free = shuffle.squares[Color::White].len();
        for text in &def.place {
            let (step, ways, placed) = self.step(&shuffle, roles, text, free)?;
            free -= placed;
            shuffle.count = shuffle.count.saturating_mul(ways);
            shuffle.steps.push(step);
        }
        self.too_many(def.on.at, "starting positions", MAX_SHUFFLED, shuffle.count);
        if free > 0 {
            let (expected, found) =
                (shuffle.squares[Color::White].len(), shuffle.squares[Color::White].len() - free);
            self.fault(def.on.at, format!("{expected} pieces for these squares"), found.to_string());
        }
        shuffle.castling = self.shuffled_castling(shape, roles, def, &shuffle);
        if shuffle.castling.is_none() && (def.king.is_some() || def.rook.is_some()) {
            self.rights_known = false;
        }
        (free == 0 && shuffle.count <= MAX_SHUFFLED).then_some(shuffle)
    }

    /// A step, its number of ways, and how many pieces it places.
    fn step(
        &mut self,
        shuffle: &Shuffle,
        roles: &Roles,
        text: &Text,
        free: usize,
    ) -> Option<(Step, usize, usize)> {
        let letters: Vec<char> = text.value.chars().collect();
        let found = match letters[..] {
            [one, '/', other] if one == other && shuffle.steps.is_empty() => {
                let light = shuffle.light.iter().filter(|&&light| light).count();
                let ways = light * (free - light);
                roles.role(one).map(|role| (Step::Split(role), ways, 2))
            }
            [one, ref more @ ..] if more.iter().all(|&letter| letter == one) => {
                let count = letters.len();
                roles.role(one).map(|role| (Step::Choose(role, count), combinations(free, count), count))
            }
            [..] if letters.len() == free => {
                let all: Option<Vec<Role>> = letters.iter().map(|&letter| roles.role(letter)).collect();
                all.map(|all| (Step::Fill(all), 1, free))
            }
            [..] => None,
        };
        let found = found.filter(|&(_, ways, placed)| ways > 0 && placed <= free);
        if found.is_none() {
            self.wrong(
                text,
                "equal pieces (`NN`), first perhaps two on squares of both colors (`B/B`), or at last pieces for all \
                 other squares (`RKR`)",
            );
        }
        found
    }

    fn shuffled_castling(
        &mut self,
        shape: &Shape,
        roles: &Roles,
        def: &ShuffleDef,
        shuffle: &Shuffle,
    ) -> Option<ShuffledCastling> {
        let texts = [def.king.as_ref()?, def.rook.as_ref()?];
        let [king, rook] = texts.map(|text| {
            let (short, long) = text.value.split_once('/')?;
            let both = [shape.named(short)?, shape.named(long)?];
            both.iter().all(|square| shuffle.squares[Color::White].contains(square)).then_some(both)
        });
        for (text, found) in texts.into_iter().zip([king, rook]) {
            if found.is_none() {
                self.wrong(text, "two of the shuffled squares, of short and long castling, `g1/c1`");
            }
        }
        let partner = roles.role(PARTNER).filter(|&role| !roles.info(role).royal);
        if partner.is_none() && !self.may_be_unreadable(PARTNER) {
            let expected = format!("a piece with the letter `{PARTNER}` that the king castles with");
            self.fault(texts[1].at, expected, "none");
        }
        if let Some(castling) = self.def.castlings.first() {
            self.fault(castling.at, "no castlings beside those of the shuffle, `castling = []`", "one");
        }
        let is_row = self.castling_row(shape, def, shuffle);
        let ([king, rook], partner, true) = ([king?, rook?], partner?, is_row) else { return None };
        Some(ShuffledCastling { partner, targets: [(king[0], rook[0]), (king[1], rook[1])] })
    }

    /// Whether King and rooks can castle on these squares: their ways lead along a rank, and files name their rights.
    fn castling_row(&mut self, shape: &Shape, def: &ShuffleDef, shuffle: &Shuffle) -> bool {
        let squares = shuffle.squares[Color::White].len();
        if squares > MAX_CASTLING_SQUARES {
            let expected = format!("at most {MAX_CASTLING_SQUARES} squares with castling");
            self.fault(def.on.at, expected, squares.to_string());
            return false;
        }
        let is_neighbor = |pair: &[Square]| {
            let (a, b) = (shape.coord(pair[0]), shape.coord(pair[1]));
            a.rank == b.rank && a.file.abs_diff(b.file) == 1
        };
        let mut pairs = shuffle.squares.iter().flat_map(|squares| squares.windows(2));
        if let Some(pair) = pairs.find(|pair| !is_neighbor(pair)) {
            let expected = "squares side by side on one rank for each side, with castling";
            self.fault(def.on.at, expected, format!("{} and {}", shape.name(pair[0]), shape.name(pair[1])));
            return false;
        }
        let file = |square: &&Square| char::from(b'a' + shape.coord(**square).file) == OUTERMOST;
        if let Some(&square) = shuffle.squares.iter().flatten().find(file) {
            let expected =
                format!("no square of file {OUTERMOST} with castling: its letter means the outermost rook");
            self.fault(def.on.at, expected, shape.name(square));
            return false;
        }
        true
    }
}

impl Shuffle {
    /// The pieces of position `number`, in the order of the squares.
    fn placed(&self, mut number: usize) -> Vec<Role> {
        let mut placed: Vec<Option<Role>> = vec![None; self.light.len()];
        let mut digit = |ways: usize| {
            let digit = number % ways.max(1);
            number /= ways.max(1);
            digit
        };
        for step in &self.steps {
            let free: Vec<usize> = (0..placed.len()).filter(|&square| placed[square].is_none()).collect();
            match step {
                Step::Split(role) => {
                    for color in [true, false] {
                        let squares: Vec<usize> =
                            free.iter().copied().filter(|&square| self.light[square] == color).collect();
                        placed[squares[digit(squares.len())]] = Some(*role);
                    }
                }
                Step::Choose(role, count) => {
                    for index in combination(free.len(), *count, digit(combinations(free.len(), *count))) {
                        placed[free[index]] = Some(*role);
                    }
                }
                Step::Fill(roles) => {
                    for (square, role) in free.into_iter().zip(roles) {
                        placed[square] = Some(*role);
                    }
                }
            }
        }
        // The steps fill all squares.
        placed.into_iter().flatten().collect()
    }

    /// Position `number` in a setup that has all other pieces. Every rook may castle.
    pub(super) fn setup(
        &self,
        template: &Setup,
        number: usize,
        shape: &Shape,
        rights: &[CastlingRight],
    ) -> Setup {
        let mut setup = template.clone();
        let placed = self.placed(number);
        let width = usize::from(shape.width());
        for color in Color::BOTH {
            for (&square, &role) in self.squares[color].iter().zip(&placed) {
                setup.set(shape.coord(square), Cell::Piece(Piece::new(color, role)));
            }
        }
        let standing = rights.iter().filter(|right| right.stands(width, &setup.cells));
        setup.rights = standing.fold(0, |rights, right| rights | 1 << right.bit);
        setup
    }

    /// The castlings of all positions, and the letters of their rights: one for each color and rook's file, from the last
    /// file to the first.
    pub(super) fn castlings(&self, royal: Role, shape: &Shape) -> (Vec<CastlingPlan>, Vec<char>) {
        let Some(ShuffledCastling { partner, targets }) = self.castling else { return Default::default() };
        let squares = self.light.len();
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        for placed in (0..self.count).map(|number| self.placed(number)) {
            let of = |role: Role| (0..squares).filter(|&index| placed[index] == role).collect::<Vec<_>>();
            let (kings, rooks) = (of(royal), of(partner));
            for pair in kings.iter().flat_map(|&king| rooks.iter().map(move |&rook| (king, rook))) {
                if !pairs.contains(&pair) {
                    pairs.push(pair);
                }
            }
        }
        pairs.sort_unstable();
        let index = |square: Square| {
            self.squares[Color::White].iter().position(|&known| known == square).unwrap_or(0)
        };
        let targets = targets.map(|(king, rook)| (index(king), index(rook)));
        let mut plans = Vec::new();
        for color in Color::BOTH {
            let own = &self.squares[color];
            for &(king, rook) in &pairs {
                let short = rook > king;
                let (king_to, rook_to) = targets[usize::from(!short)];
                let ends = [king, king_to, rook, rook_to];
                let (first, last) = (ends.iter().min().copied(), ends.iter().max().copied());
                let between = first.unwrap_or(0)..=last.unwrap_or(0);
                let empty = between.filter(|&index| index != king && index != rook).map(|index| own[index]);
                let crossed = king.min(king_to) + 1..king.max(king_to);
                plans.push(CastlingPlan {
                    color,
                    short,
                    king: (own[king], own[king_to]),
                    rook: (own[rook], own[rook_to]),
                    partner,
                    right: Some(1 << (color.index() * squares + (squares - 1 - rook))),
                    empty: empty.collect(),
                    safe: crossed.map(|index| own[index]).collect(),
                    out_of_check: false,
                });
            }
        }
        let letter = |color: Color, square: Square| {
            let letter = char::from(b'a' + shape.coord(square).file);
            if color == Color::White { letter.to_ascii_uppercase() } else { letter }
        };
        let letters = Color::BOTH
            .into_iter()
            .flat_map(|color| self.squares[color].iter().rev().map(move |&square| letter(color, square)))
            .collect();
        (plans, letters)
    }
}

/// In how many ways `count` of `of` squares can be chosen.
fn combinations(of: usize, count: usize) -> usize {
    (0..count).fold(1usize, |ways, index| ways.saturating_mul(of.saturating_sub(index)) / (index + 1))
}

/// The choice with this number, in the order of the squares.
fn combination(of: usize, count: usize, mut number: usize) -> Vec<usize> {
    let (mut chosen, mut next) = (Vec::new(), 0);
    while chosen.len() < count && next < of {
        let with_next = combinations(of - next - 1, count - chosen.len() - 1);
        if number < with_next {
            chosen.push(next);
        } else {
            number -= with_next;
        }
        next += 1;
    }
    chosen
}
