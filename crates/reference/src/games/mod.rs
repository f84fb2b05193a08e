//! The games, one file each or one for a few that hardly differ.

mod capablanca;
mod diagonal;
mod diamond;
mod diamondback;
mod diamondring;
mod doublediamond;
mod legan;
mod orthodox;

use crate::game::Rules;

/// Every game that the walker knows.
pub(crate) static ALL: &[&dyn Rules] = &[
    &diagonal::Diagonal,
    &diamondback::Diamondback,
    &diamond::Diamond,
    &doublediamond::DoubleDiamond,
    &diamondring::DiamondRing,
    &orthodox::CHESS,
    &orthodox::CYLINDER,
    &orthodox::LOS_ALAMOS,
    &orthodox::GARDNER,
    &capablanca::Capablanca,
    &legan::Legan,
];

/// Their short names, in the same order.
pub(crate) static IDS: &[&str] = &[
    "diagonal",
    "diamondback",
    "diamond",
    "doublediamond",
    "diamondring",
    "chess",
    "cylinder",
    "losalamos",
    "gardner",
    "capablanca",
    "legan",
];
