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

use crate::variant::Rules;

/// Every game that the walker knows.
pub(crate) static ALL: &[&dyn Rules] = &[
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
pub(crate) static IDS: &[&str] = &[
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
