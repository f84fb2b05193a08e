//! From a game to a section of `variants.ini`.

use super::{Untranslated, betza};
use lozenge_rules::geometry::{Coord, Square, Symmetry, Vector};
use lozenge_rules::position::{AnyPosition, ByColor, Color, Role};
use lozenge_rules::variant::{MoveGroup, Stalemate, Variant};
use std::fmt::Write as _;
use std::sync::Arc;

/// A game that was translated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exported {
    /// The section.
    pub text: String,
    /// Everything that it does not express; empty: it is the same game.
    pub untranslated: Vec<Untranslated>,
}

/// Largest board of Fairy-Stockfish's large build.
const MAX_FILES: u8 = 12;
const MAX_RANKS: u8 = 10;

/// Writes the game as a section `[id]`.
#[must_use]
pub fn export(variant: &Arc<Variant>) -> Exported {
    let mut export = Export { variant, missing: Vec::new(), out: String::new() };
    export.board();
    export.pieces();
    export.promotion();
    export.goal();
    export.castling();
    export.draws();
    Exported { text: export.out, untranslated: export.missing }
}

struct Export<'a> {
    variant: &'a Arc<Variant>,
    missing: Vec<Untranslated>,
    out: String,
}

impl Export<'_> {
    fn cannot(&mut self, what: impl Into<String>, why: impl Into<String>) {
        self.missing.push(Untranslated { line: None, what: what.into(), why: why.into() });
    }

    fn set(&mut self, key: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.out, "{key} = {value}");
    }

    /// A key for both colors, where White's squares and Black's are lists.
    fn set_regions(&mut self, key: &str, squares: ByColor<String>) {
        for (color, squares) in ["White", "Black"].into_iter().zip(squares) {
            self.set(&format!("{key}{color}"), squares);
        }
    }

    fn list(&self, squares: &[Square]) -> String {
        let shape = self.variant.shape();
        match squares {
            // A key without a value would leave what the game above has.
            [] => "-".into(),
            _ => squares.iter().map(|&square| shape.name(square)).collect::<Vec<_>>().join(" "),
        }
    }

    fn board(&mut self) {
        let variant = self.variant;
        let shape = variant.shape();
        let _ = writeln!(self.out, "# {}", variant.name().replace('\n', " "));
        let _ = writeln!(self.out, "[{}]", variant.id());
        self.set("maxFile", shape.width());
        self.set("maxRank", shape.height());
        if shape.width() > MAX_FILES || shape.height() > MAX_RANKS {
            self.cannot("board", format!("boards have at most {MAX_FILES} files and {MAX_RANKS} ranks"));
        }
        if shape.wrap().files || shape.wrap().ranks {
            self.cannot("wrap", "edges are never joined, except for whole cylinders of some builds");
        }
        if variant.frames()[Color::White].forward != Vector::new(0, 1) {
            self.cannot("forward", "pawns and directions go up the files");
        }
        if variant.symmetry() != Symmetry::MirrorRanks {
            self.cannot("symmetry", "Black's moves are White's mirrored from rank to rank");
        }
        if variant.starts().len() > 1 {
            self.cannot("start", "a game has one starting position; the first is taken");
        }
        let fen = AnyPosition::start(variant).fen();
        let fields: Vec<&str> = fen.split(' ').take(6).collect();
        self.set("startFen", fields.join(" "));
    }

    fn pieces(&mut self) {
        let variant = self.variant;
        let start = AnyPosition::start(variant);
        let mut number = 0;
        let (mut pawns, mut starts) = (String::new(), ByColor::from_fn(|_| Vec::new()));
        let mut passes = String::new();
        for (role, info) in variant.roles().iter() {
            let letter = info.letter.to_ascii_lowercase();
            if info.wall.is_some() {
                self.cannot(
                    format!("roles.{}.wall", info.letter),
                    "walls are written by hand, as `mobilityRegion`",
                );
            }
            let mut moves = String::new();
            for MoveGroup { betza, condition, .. } in &info.moves {
                // First moves from some squares are those of the double step region.
                let first = betza.contains('i') && condition.edge.is_none() && condition.gain.is_none();
                if !(condition.is_always() || first) {
                    self.cannot(
                        format!("roles.{}", info.letter),
                        format!("`{betza}` depends on the square, which moves never do there"),
                    );
                    continue;
                }
                let en_passant =
                    betza.contains('i') || info.moves.iter().any(|group| group.betza.contains('i'));
                match betza::write(betza, en_passant && info.pawn) {
                    Ok(text) => moves.push_str(&text),
                    Err(why) => self.cannot(format!("roles.{}", info.letter), why),
                }
            }
            if info.royal {
                let king = if moves == "K" { letter.to_string() } else { format!("{letter}:{moves}") };
                self.set("king", king);
            } else {
                number += 1;
                self.set(&format!("customPiece{number}"), format!("{letter}:{moves}"));
            }
            if info.pawn {
                pawns.push(letter);
            }
            if moves.contains('i') {
                passes.push(letter);
                for color in Color::BOTH {
                    let own = variant.shape().squares().filter(|&square| {
                        start
                            .piece_at(square)
                            .is_some_and(|piece| piece.role() == role && piece.color() == color)
                    });
                    starts[color].extend(own);
                }
            }
        }
        if number > 25 {
            self.cannot("roles", "there are at most 25 pieces with moves of their own, besides the King");
        }
        if !variant.fusions().is_empty() {
            self.cannot("fusion", "pieces never become one");
        }
        self.set("nMoveRuleTypes", if pawns.is_empty() { "-" } else { &pawns });
        if passes.is_empty() {
            self.set("doubleStep", "false");
        } else {
            self.set("pawnTypes", &passes);
            self.set("enPassantTypes", &passes);
            let regions = starts.map(|squares| self.list(&squares));
            self.set_regions("doubleStepRegion", regions);
        }
    }

    fn letters(&self, roles: impl Iterator<Item = Role>) -> String {
        roles.map(|role| self.variant.roles().info(role).letter.to_ascii_lowercase()).collect()
    }

    fn promotion(&mut self) {
        let variant = self.variant;
        let Some((roles, on, to)) = variant.promotions().first() else {
            self.set("promotionPawnTypes", "-");
            return;
        };
        let mut all: Vec<Role> = Vec::new();
        for (other, squares, choice) in variant.promotions() {
            if squares != on || choice != to {
                self.cannot(
                    "promotion",
                    "all pieces are promoted on the same squares and to the same ones; the first are taken",
                );
            } else {
                all.extend(other.iter());
            }
        }
        all.dedup();
        let stays = roles.iter().any(|role| to.contains(role));
        let roles = self.letters(all.into_iter());
        let to = self.letters(to.iter());
        self.set("promotionPawnTypes", roles);
        self.set("promotionPieceTypes", to);
        if stays {
            self.cannot(
                "promotion",
                "a piece that may stay what it is must be written by hand, as `mandatoryPawnPromotion`",
            );
        }
        let regions = on.each_ref().map(|squares| self.list(squares));
        self.set_regions("promotionRegion", regions);
    }

    fn goal(&mut self) {
        let variant = self.variant;
        let Some((roles, on)) = variant.goals().first() else { return };
        if variant.goals().len() > 1 {
            self.cannot("goal", "there is one goal for one kind of piece; the first is taken");
        }
        if roles.len() > 1 {
            self.cannot("goal", "one kind of piece has a goal, or all have");
        }
        let letters = self.letters(roles.iter());
        self.set("flagPiece", letters.chars().take(1).collect::<String>());
        let regions = on.each_ref().map(|squares| self.list(squares));
        self.set_regions("flagRegion", regions);
    }

    fn castling(&mut self) {
        let variant = self.variant;
        let castlings = variant.usual_castlings();
        if castlings.is_empty() {
            self.set("castling", "false");
            return;
        }
        let shape = variant.shape();
        let place = |square: Square| -> Coord { shape.coord(square) };
        let mut pieces = String::new();
        let mut king_files: [Option<u8>; 2] = [None; 2];
        for info in &castlings {
            let (king, king_to, rook, rook_to) =
                (place(info.king.0), place(info.king.1), place(info.rook.0), place(info.rook.1));
            let along = king.rank == king_to.rank && rook.rank == king.rank && rook_to.rank == king.rank;
            let beside = rook_to.file.abs_diff(king_to.file) == 1;
            let short = king_to.file > king.file;
            let slot = &mut king_files[usize::from(!short)];
            let same = slot.is_none_or(|file| file == king_to.file);
            *slot = Some(king_to.file);
            let first = if info.color == Color::White { king.rank } else { shape.height() - 1 - king.rank };
            if !along || !beside || !same || info.under_attack {
                self.cannot(
                    "castling",
                    "the King castles along its rank, to the same file for both colors, with the rook beside it, not out of or through check",
                );
                continue;
            }
            let key = if short { "castlingKingsideFile" } else { "castlingQueensideFile" };
            let file = char::from(b'a' + king_to.file);
            if !self.out.contains(&format!("{key} = ")) {
                self.set(key, file);
            }
            if !self.out.contains("castlingRank = ") {
                self.set("castlingRank", first + 1);
            }
            // The piece that the King castles with stands in its place in the start, wherever the right is there.
            let partner = AnyPosition::start(variant).piece_at(info.rook.0);
            let letter = partner.map(|piece| variant.roles().info(piece.role()).letter.to_ascii_lowercase());
            if let Some(letter) = letter.filter(|letter| !pieces.contains(*letter)) {
                pieces.push(letter);
            }
        }
        self.set("castlingRookPieces", pieces);
    }

    fn draws(&mut self) {
        let draws = self.variant.draws();
        let number =
            |limit: lozenge_rules::variant::Limit| if limit.claim == 0 { limit.end } else { limit.claim };
        self.set("nFoldRule", number(draws.repetition));
        self.set("nMoveRule", number(draws.moves));
        self.set(
            "stalemateValue",
            match draws.stalemate {
                Stalemate::Draw => "draw",
                Stalemate::Loss => "loss",
                Stalemate::Win => "win",
            },
        );
    }
}
