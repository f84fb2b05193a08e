//! Features of the evaluation: each has a weight for the middle game and one for
//! the end game. The evaluation is the sum of counts times weights, so a tuner can fit the weights
//! from the counts alone. Which features there are depends only on how many roles a game has and
//! on how many classes of squares its symmetries leave.

use super::taper::Taper;

/// Having the move.
pub(super) const TEMPO: usize = 0;
/// Two pieces, each bound to one half of the board, on different halves.
pub(super) const PAIR: usize = 1;
/// Steps by which the own King is nearer to where a passed pawn is promoted.
pub(super) const ESCORT: usize = 2;
/// A passed pawn that the enemy King alone cannot catch, when it has no officers left.
pub(super) const RUNNER: usize = 3;
/// Steps of a hunted King from the middle.
pub(super) const DRIVE: usize = 4;
/// Steps by which the hunting King is nearer than it could be.
pub(super) const APPROACH: usize = 5;
/// Squares that only one side attacks.
pub(super) const CONTROL: usize = 6;
/// Squares attacked by both sides, but not guarded by an enemy pawn.
pub(super) const RESTRICTED: usize = 7;
/// Pieces near the King: own pawns, then own officers, next to it; own pawns, then enemy pawns, two steps away.
pub(super) const SHELTER: usize = 8;
/// Pawns defended by another own pawn, then those with one on their way.
pub(super) const PAWN: usize = SHELTER + SHELTERS;
/// Attacks on squares around the enemy King, by number of attackers.
pub(super) const HITS: usize = PAWN + PAWN_TRAITS;
/// Attacked squares around the enemy King that only it defends, by number of attackers.
pub(super) const WEAK: usize = HITS + ATTACKERS;
/// Squares from which an officer could safely check the enemy King in one move, by its tier.
pub(super) const CHECKS: usize = WEAK + ATTACKERS;
/// Passed pawns by distance.
pub(super) const PASSED: usize = CHECKS + TIERS;
/// Passed pawns whose way is empty and not attacked, by distance.
pub(super) const FREE: usize = PASSED + DISTANCES;
/// Passed pawns whose way is empty and, where it is attacked, defended, by distance.
pub(super) const GUARDED: usize = FREE + DISTANCES;
/// Passed pawns with a piece on their way, by distance.
pub(super) const BLOCKED: usize = GUARDED + DISTANCES;
/// The King by its distance to its goal, in games where it has one.
pub(super) const RACE: usize = BLOCKED + DISTANCES;
/// The same for a King with a safe way there, when few pieces are left.
pub(super) const OPEN_RACE: usize = RACE + RACE_STEPS;
/// Officers that an own pawn defends, by their tier.
pub(super) const DEFENDED: usize = OPEN_RACE + RACE_STEPS;
/// Pieces attacked by a pawn, by their tier: those of the side to move, then those of the other side.
pub(super) const BY_PAWN: usize = DEFENDED + TIERS;
/// Pieces attacked by an officer of a lower tier, likewise.
pub(super) const BY_CHEAPER: usize = BY_PAWN + 2 * TIERS;
/// Pieces attacked and not defended, likewise.
pub(super) const HANGING: usize = BY_CHEAPER + 2 * TIERS;
/// How many features every game has.
const FIXED: usize = HANGING + 2 * TIERS;

/// Counts of pieces near the King.
const SHELTERS: usize = 4;
/// What is counted of pawns among pawns.
pub(super) const PAWN_TRAITS: usize = 2;
/// Attackers of a King, counted up to one less.
pub(super) const ATTACKERS: usize = 6;
/// Distances of passed pawns, from 1; the last stands for all farther ones.
pub(super) const DISTANCES: usize = 8;
/// Distances of a King to its goal, from 0; the last stands for all farther ones.
pub(super) const RACE_STEPS: usize = 10;
/// Tiers of pieces by value: pawns, then officers in three tiers.
pub(super) const TIERS: usize = 4;

/// A part of the evaluation as it is explained to people.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Term {
    /// The pieces themselves.
    Material,
    /// Placement on the board.
    Placement,
    /// How many squares officers reach.
    Mobility,
    /// Attacks on the King and its shelter.
    KingSafety,
    /// Pawns: passed, supported, running.
    Pawns,
    /// The King's way to its goal.
    Race,
    /// Attacked and hanging pieces.
    Threats,
    /// Pieces bound to one half of the board that complete each other.
    Pair,
    /// Driving a King to the edge in a won ending.
    Mating,
    /// Having the move.
    Tempo,
}

impl Term {
    /// All terms, in the order in which they are explained.
    pub const ALL: [Self; 10] = [
        Self::Material,
        Self::Placement,
        Self::Mobility,
        Self::KingSafety,
        Self::Pawns,
        Self::Race,
        Self::Threats,
        Self::Pair,
        Self::Mating,
        Self::Tempo,
    ];

    /// Its name, for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material => "Material",
            Self::Placement => "Placement",
            Self::Mobility => "Mobility",
            Self::KingSafety => "King safety",
            Self::Pawns => "Pawns",
            Self::Race => "Race to the goal",
            Self::Threats => "Threats",
            Self::Pair => "Pair",
            Self::Mating => "Mating",
            Self::Tempo => "Tempo",
        }
    }
}

/// Groups of features that every game has: name, first feature, how many, term.
const FIXED_GROUPS: [(&str, usize, usize, Term); 23] = [
    ("tempo", TEMPO, 1, Term::Tempo),
    ("pair", PAIR, 1, Term::Pair),
    ("escort", ESCORT, 1, Term::Pawns),
    ("runner", RUNNER, 1, Term::Pawns),
    ("drive", DRIVE, 1, Term::Mating),
    ("approach", APPROACH, 1, Term::Mating),
    ("control", CONTROL, 1, Term::Mobility),
    ("restricted", RESTRICTED, 1, Term::Mobility),
    ("shelter", SHELTER, SHELTERS, Term::KingSafety),
    ("pawns", PAWN, PAWN_TRAITS, Term::Pawns),
    ("hits", HITS, ATTACKERS, Term::KingSafety),
    ("weak", WEAK, ATTACKERS, Term::KingSafety),
    ("checks", CHECKS, TIERS, Term::KingSafety),
    ("passed", PASSED, DISTANCES, Term::Pawns),
    ("free", FREE, DISTANCES, Term::Pawns),
    ("guarded", GUARDED, DISTANCES, Term::Pawns),
    ("blocked", BLOCKED, DISTANCES, Term::Pawns),
    ("race", RACE, RACE_STEPS, Term::Race),
    ("open-race", OPEN_RACE, RACE_STEPS, Term::Race),
    ("defended", DEFENDED, TIERS, Term::Threats),
    ("by-pawn", BY_PAWN, 2 * TIERS, Term::Threats),
    ("by-cheaper", BY_CHEAPER, 2 * TIERS, Term::Threats),
    ("hanging", HANGING, 2 * TIERS, Term::Threats),
];

/// Some features that belong together, under one name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeightGroup {
    /// Its name, for example `mobility N`.
    pub name: String,
    /// The first of its features.
    pub first: usize,
    /// How many they are.
    pub len: usize,
    /// The term that explains them.
    pub term: Term,
}

/// Which features a game has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    pub(super) roles: usize,
    /// Classes of squares that are alike for the pieces of one side.
    pub(super) classes: usize,
    /// How many numbers of squares an officer can reach, 0 included.
    pub(super) reaches: usize,
}

impl Layout {
    pub(super) const fn material(self, role: usize) -> usize {
        FIXED + role
    }

    pub(super) const fn mobility(self, role: usize, squares: usize) -> usize {
        FIXED + self.roles + role * self.reaches + squares
    }

    pub(super) const fn square(self, role: usize, class: usize) -> usize {
        FIXED + self.roles * (1 + self.reaches) + role * self.classes + class
    }

    pub(super) const fn len(self) -> usize {
        self.square(self.roles, 0)
    }

    /// All groups; `letters` are those of the roles.
    pub(super) fn groups(self, letters: &[char]) -> Vec<WeightGroup> {
        let fixed = FIXED_GROUPS.iter().map(|&(name, first, len, term)| WeightGroup {
            name: name.into(),
            first,
            len,
            term,
        });
        let mut groups: Vec<WeightGroup> = fixed.collect();
        for (role, letter) in letters.iter().enumerate() {
            for (name, first, len, term) in [
                ("material", self.material(role), 1, Term::Material),
                ("mobility", self.mobility(role, 0), self.reaches, Term::Mobility),
                ("square", self.square(role, 0), self.classes, Term::Placement),
            ] {
                groups.push(WeightGroup { name: format!("{name} {letter}"), first, len, term });
            }
        }
        groups.sort_by_key(|group| group.first);
        groups
    }
}

/// Weights of the features of [`FIXED_GROUPS`] in an untuned game. `arrival_gain` is the gain of a pawn from its best
/// promotion, in centipawns.
pub(super) fn default_weights(layout: Layout, arrival_gain: i32) -> Vec<Taper> {
    let mut weights = vec![Taper::ZERO; layout.len()];
    let cp = Taper::centipawns;
    weights[TEMPO] = cp(14, 8);
    weights[PAIR] = cp(20, 35);
    weights[PAWN] = cp(5, 8);
    weights[PAWN + 1] = cp(-6, -12);
    weights[CONTROL] = cp(2, 0);
    weights[RESTRICTED] = cp(3, 0);
    weights[ESCORT] = cp(0, 4);
    weights[RUNNER] = cp(0, arrival_gain / 3);
    weights[DRIVE] = cp(0, 12);
    weights[APPROACH] = cp(0, 6);
    weights[SHELTER] = cp(9, 0);
    weights[SHELTER + 1] = cp(5, 0);
    weights[SHELTER + 3] = cp(-5, 0);
    for attackers in 2..ATTACKERS {
        weights[HITS + attackers] = cp(3, 1) * (attackers as i32 - 1).min(4);
        weights[WEAK + attackers] = cp(5, 1) * (attackers as i32 - 1).min(3);
    }
    let passed = [(30, 100), (20, 60), (12, 35), (6, 20), (3, 12), (1, 7), (0, 4), (0, 2)];
    for (distance, (middle, end)) in passed.into_iter().enumerate() {
        let scaled = |weight: i32| weight * arrival_gain.clamp(100, 1_200) / 800;
        weights[PASSED + distance] = cp(scaled(middle), scaled(end));
        weights[FREE + distance] = cp(scaled(middle) / 2, scaled(end) * 2 / 3);
        weights[GUARDED + distance] = cp(scaled(middle) / 3, scaled(end) / 3);
        weights[BLOCKED + distance] = -cp(scaled(middle) / 3, scaled(end) / 3);
    }
    for steps in 0..RACE_STEPS {
        let near = (RACE_STEPS - 1 - steps) as i32;
        weights[RACE + steps] = cp(0, near * near / 2);
        weights[OPEN_RACE + steps] = cp(0, near * near * 3);
    }
    for tier in 1..TIERS {
        weights[CHECKS + tier] = cp(8 + 14 * tier as i32, 0);
        weights[DEFENDED + tier] = cp(0, 5);
    }
    // Those with an attack on them lose, and more where the other side has the move.
    for (late, more) in [(0, 0), (TIERS, 8)] {
        weights[HANGING + late] = -cp(14 + more, 35 + 2 * more);
        for tier in 1..TIERS {
            let steps = tier as i32;
            weights[HANGING + late + tier] = -cp(24 + more, 16 + 2 * more);
            weights[BY_PAWN + late + tier] = -cp(30 + 8 * steps + more, 25 + 4 * steps + more);
            weights[BY_CHEAPER + late + tier] = -cp(16 * steps + more, 8 * steps + more);
        }
    }
    weights
}
