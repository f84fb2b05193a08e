//! The pieces, the squares that are closed to them, and how Black's side follows from White's.

use super::Import;
use crate::parse::IniError;
use crate::region::{Cells, Exchange};
use crate::write::Piece;
use crate::{betza, vectors};
use lozenge_rules::piece::{ByColor, Color};

impl Import<'_> {
    /// The pieces whose moves can be expressed.
    pub(super) fn pieces(&mut self) {
        for (kind, placed) in self.rules.pieces.clone() {
            let key = kind.key();
            let known = kind.known();
            let text = placed.moves.as_deref().or(known.map(|known| known.0)).unwrap_or_default();
            if key == "janggiCannon" {
                self.cannot(&key, "a piece hops over every other and captures every other");
                continue;
            }
            match betza::read(text) {
                Err(why) => self.cannot(&key, why),
                Ok(moves) => self.pieces.push(Piece {
                    kind,
                    letter: placed.letter,
                    name: known.map_or_else(|| format!("Piece {}", placed.letter), |known| known.1.into()),
                    picture: known.map_or("", |known| known.2).into(),
                    moves,
                    counted: false,
                    en_passant: false,
                    initial_on: None,
                    wall: Cells::new(),
                }),
            }
        }
        let mut strangers: Vec<char> = self
            .rows
            .iter()
            .flatten()
            .filter(|cell| cell.is_ascii_alphabetic())
            .map(char::to_ascii_uppercase)
            .collect();
        strangers.sort_unstable();
        strangers.dedup();
        strangers.retain(|letter| !self.pieces.iter().any(|piece| piece.letter == *letter));
        for letter in strangers {
            self.cannot("startFen", format!("no piece has the letter `{letter}`"));
        }
    }

    /// Finds out how Black's side follows from White's. Fairy-Stockfish turns the moves of pieces by 180 degrees and has the
    /// squares of both sides written out.
    pub(super) fn exchange(&mut self) -> Result<(), IniError> {
        let lopsided = self.pieces.iter().any(|piece| {
            vectors::is_lopsided(&piece.moves.always) || vectors::is_lopsided(&piece.moves.initial)
        });
        let squares = self.squares();
        let fits = |import: &Self| import.image(&squares) == squares;
        let mut found: Option<(usize, Exchange)> = None;
        for exchange in [Exchange::Mirror, Exchange::Turn] {
            self.exchange = exchange;
            if (lopsided && exchange == Exchange::Mirror) || !fits(self) {
                continue;
            }
            let walls = self.rules.mobility.iter().filter(|(kind, _)| self.rules.pieces.contains_key(*kind));
            let regions = walls.map(|(_, regions)| regions).chain([
                &self.rules.promotion_region,
                &self.rules.flag_region,
                &self.rules.double_step_region,
            ]);
            let score = regions.filter(|regions| self.is_image(regions)).count();
            if found.is_none_or(|(best, _)| score > best) {
                found = Some((score, exchange));
            }
        }
        let Some((_, exchange)) = found else {
            return Err(IniError::Impossible {
                line: self.rules.line("startFen").unwrap_or(self.section.line),
                why: "expected a board that is laid onto itself when its sides are exchanged".into(),
            });
        };
        self.exchange = exchange;
        Ok(())
    }

    /// Whether Black's squares are the image of White's.
    pub(super) fn is_image(&self, squares: &ByColor<Cells>) -> bool {
        self.image(&self.on_board(&squares[Color::White])) == self.on_board(&squares[Color::Black])
    }

    /// `mobilityRegion…` of each piece: the rest of the board is a wall to it.
    pub(super) fn walls(&mut self) {
        let mut pieces = std::mem::take(&mut self.pieces);
        for piece in &mut pieces {
            let Some(regions) = self.rules.mobility.get(&piece.kind).cloned() else { continue };
            if regions.iter().all(Cells::is_empty) {
                continue;
            }
            let key = piece.kind.key();
            let key = format!("mobilityRegionWhite{}{}", key[..1].to_ascii_uppercase(), &key[1..]);
            if regions.iter().any(Cells::is_empty) || !self.is_image(&regions) {
                self.cannot(&key, "Black's squares must be the image of White's; left out");
                continue;
            }
            let inside = &regions[Color::White];
            if vectors::has_ways(&piece.moves.always) && self.leaves_and_comes_back(inside) {
                self.cannot(&key, "a piece may cross squares there that it may not enter");
            }
            piece.wall = self.squares().difference(inside).copied().collect();
        }
        self.pieces = pieces;
    }

    /// Whether a straight way can lead out of some squares and into them again.
    fn leaves_and_comes_back(&self, inside: &Cells) -> bool {
        let squares = self.squares();
        let on = |(file, rank): (i16, i16)| {
            let cell = (u8::try_from(file).ok()?, u8::try_from(rank).ok()?);
            squares.contains(&cell).then_some(cell)
        };
        let steps = (-2..=2i16).flat_map(|files| (-2..=2i16).map(move |ranks| (files, ranks)));
        let steps: Vec<_> = steps.filter(|step| *step != (0, 0)).collect();
        squares.intersection(inside).any(|&(file, rank)| {
            steps.iter().any(|(files, ranks)| {
                let mut at = (i16::from(file), i16::from(rank));
                let mut left = false;
                loop {
                    at = (at.0 + files, at.1 + ranks);
                    let Some(cell) = on(at) else { return false };
                    match (inside.contains(&cell), left) {
                        (true, true) => return true,
                        (false, _) => left = true,
                        _ => {}
                    }
                }
            })
        })
    }
}
