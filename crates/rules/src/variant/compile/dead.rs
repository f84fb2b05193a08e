//! Validates the material that the file lists as dead.

use super::Compiler;
use crate::piece::{Color, Piece, Role};
use crate::variant::def::Text;
use crate::variant::document::At;
use crate::variant::roles::Roles;

/// Most pieces of dead material, kings included.
const MAX_PIECES: usize = 6;

/// The separator between the material of the two sides.
const AGAINST: &str = " v ";

impl Compiler<'_> {
    /// Dead material such as `KN v K`, for both colors, as sorted piece indices.
    pub(super) fn dead(&mut self, roles: &Roles, royal: Option<Role>) -> Vec<Vec<u8>> {
        let mut dead = Vec::new();
        for text in &self.def.draws.dead {
            let Some([first, second]) = self.material(roles, royal, text) else { continue };
            for (white, black) in [(&first, &second), (&second, &first)] {
                let side = |color: Color, roles: &[Role]| {
                    roles.iter().map(move |&role| Piece::new(color, role).index() as u8).collect::<Vec<_>>()
                };
                let mut material = [side(Color::White, white), side(Color::Black, black)].concat();
                material.sort_unstable();
                if !dead.contains(&material) {
                    dead.push(material);
                }
            }
        }
        dead
    }

    /// The pieces of both sides, each side with its King; otherwise a fault at the side that is wrong.
    fn material(&mut self, roles: &Roles, royal: Option<Role>, text: &Text) -> Option<[Vec<Role>; 2]> {
        let mut sides = text.value.split(AGAINST);
        let (Some(first), Some(second), None) = (sides.next(), sides.next(), sides.next()) else {
            self.wrong(text, "two sides with ` v ` between, such as `KN v K`");
            return None;
        };
        let before = self.faults.len();
        let second_at = text.at.byte + first.len() + AGAINST.len();
        let sides = [(text.at.byte, first), (second_at, second)].map(|(byte, side)| {
            let at = At { byte, ..text.at };
            self.side(roles, royal, &Text { at, value: side.to_owned() })
        });
        let count: usize = sides.iter().map(Vec::len).sum();
        if self.faults.len() == before && count > MAX_PIECES {
            self.fault(text.at, format!("at most {MAX_PIECES} pieces on both sides"), count.to_string());
        }
        (self.faults.len() == before).then_some(sides)
    }

    /// The pieces of one side.
    fn side(&mut self, roles: &Roles, royal: Option<Role>, text: &Text) -> Vec<Role> {
        let mut side = Vec::new();
        let mut all_known = true;
        for (offset, letter) in text.value.char_indices() {
            match roles.role(letter) {
                Some(role) => side.push(role),
                None => {
                    all_known = false;
                    if !self.may_be_unreadable(letter) {
                        let at = At { byte: text.at.byte + offset, ..text.at };
                        self.fault(at, "letters of this game's pieces", format!("`{letter}`"));
                    }
                }
            }
        }
        // The piece that is the King may be among those that could not be read.
        if let Some(king) = royal.filter(|_| all_known) {
            let kings = side.iter().filter(|&&role| role == king).count();
            if kings != 1 {
                let letter = roles.info(king).letter;
                let found = match (kings, text.value.is_empty()) {
                    (_, true) => "no pieces".to_owned(),
                    (0, _) => format!("none in `{}`", text.value),
                    _ => format!("{kings} in `{}`", text.value),
                };
                self.fault(text.at, format!("one king, `{letter}`, on each side"), found);
            }
        }
        side
    }
}
