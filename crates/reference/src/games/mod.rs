//! The games, one file each or one for a few that hardly differ.

mod cannon_lake;
mod capablanca;
mod diagonal;
mod diamond;
mod diamondback;
mod diamondring;
mod doublediamond;
mod fusion_chess;
mod gryphon_cylinder;
mod legan;
mod orthodox;
mod ring_flat;
mod ring_fusion;
mod ring_gryphon;
mod ring_mitregi;
mod ring_scout;
mod ring_wildeurasian;
mod ring_wolf;

use crate::variant::{Rules, Variant};

/// Every game that the walker knows.
static ALL: &[&dyn Rules] = &[
    &diagonal::Diagonal,
    &diamondback::Diamondback,
    &diamond::Diamond,
    &doublediamond::DoubleDiamond,
    &diamondring::DiamondRing,
    &ring_flat::Flat,
    &ring_mitregi::Mitregi,
    &ring_gryphon::Gryphon,
    &ring_scout::Scout,
    &ring_wolf::Wolf,
    &ring_wildeurasian::Wildeurasian,
    &ring_fusion::Fusion,
    &orthodox::CHESS,
    &orthodox::CYLINDER,
    &orthodox::LOS_ALAMOS,
    &orthodox::GARDNER,
    &capablanca::Capablanca,
    &legan::Legan,
    &cannon_lake::CannonLake,
    &gryphon_cylinder::GryphonCylinder,
    &fusion_chess::FusionChess,
];

/// Their short names, in the same order.
static IDS: &[&str] = &[
    "diagonal",
    "diamondback",
    "diamond",
    "doublediamond",
    "diamondring",
    "diamondring-flat",
    "diamondring-mitregi",
    "diamondring-gryphon",
    "diamondring-scout",
    "diamondring-wolf",
    "diamondring-wildeurasian",
    "diamondring-fusion",
    "chess",
    "cylinder",
    "losalamos",
    "gardner",
    "capablanca",
    "legan",
    "cannonlake",
    "gryphoncylinder",
    "fusionchess",
];

impl Variant {
    /// The game with this id; `None` if the walker does not have it.
    pub fn by_id(id: &str) -> Option<Variant> {
        ALL.iter().find(|rules| rules.id() == id).map(|rules| Variant { rules: *rules })
    }

    /// The ids of all games of the walker.
    pub fn ids() -> &'static [&'static str] {
        IDS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walker::Walker;

    #[test]
    fn the_list_of_names_is_the_list_of_games() {
        let ids: Vec<&str> = ALL.iter().map(|rules| rules.id()).collect();
        assert_eq!(ids, Variant::ids());
        assert!(Variant::by_id("no such game").is_none());
    }

    #[test]
    fn every_start_position_reads_back_as_written() {
        for id in Variant::ids() {
            let game = Variant::by_id(id).unwrap();
            for fen in game.start_fens() {
                assert_eq!(Walker::from_fen(&game, &fen).unwrap().fen(), fen, "{id}");
            }
        }
    }
}
