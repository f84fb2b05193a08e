//! Positions made for levels: pieces put on an empty board, validated as any position is.

use crate::learner::{self, LEARNER, Learned as _, NEXT, own};
use crate::random::Random;
use lozenge_rules::geometry::Square;
use lozenge_rules::library::AnyGame;
use lozenge_rules::position::{
    AnyMultiPosition, AnyPosition, Cell, GamePosition, Move, MultiStatus, Piece, Role, Setup,
};
use lozenge_rules::seat::{BySeat, OwnedPiece, Seat};
use lozenge_rules::setup::multi::{self, MultiSetup};
use lozenge_rules::variant::{MultiVariant, Reach, Variant};
use std::cell::{self, OnceCell};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A game, with what most levels ask of it.
pub(crate) struct Sandbox {
    pub(crate) game: AnyGame,
    /// `None` where the start cannot be read, which a compiled game rules out.
    empty: Option<Empty>,
    start: GamePosition,
    /// All squares in order.
    pub(crate) squares: Vec<Square>,
    /// The kinds of pieces at the start, other than the King and pawns, the farthest-reaching first.
    pub(crate) officers: Vec<Role>,
    /// The players without whom the game would be over.
    needed: Vec<Seat>,
    /// Where each piece reaches from each square of the empty board, found at the first question: for pieces that turn on
    /// their way this takes most of a course's time. By role and owner.
    reaches: Vec<BySeat<OnceCell<Vec<Reach>>>>,
    /// Positions that may still be made for the stage.
    work: cell::Cell<u32>,
}

/// The board without pieces.
enum Empty {
    Two(Arc<Variant>, Setup),
    Four(Arc<MultiVariant>, MultiSetup),
}

impl Sandbox {
    pub(crate) fn new(game: &AnyGame) -> Self {
        let start = GamePosition::start(game);
        let squares: Vec<Square> = game.shape().squares().collect();
        let needed = match game {
            AnyGame::Four(game) if game.is_teams() => game.seats().iter().collect(),
            _ => vec![LEARNER, NEXT],
        };
        let mut sandbox = Self {
            game: game.clone(),
            empty: Empty::of(&start),
            start,
            squares,
            officers: Vec::new(),
            needed,
            reaches: game.roles().iter().map(|_| BySeat::default()).collect(),
            work: cell::Cell::new(0),
        };
        let roles = sandbox.start_roles();
        let officer = |role: &Role| {
            let info = sandbox.tables().roles().info(*role);
            !info.royal && !info.pawn
        };
        let mut officers: Vec<Role> = roles.into_iter().filter(officer).collect();
        officers.sort_by_cached_key(|&role| core::cmp::Reverse(sandbox.mobility(role)));
        sandbox.officers = officers;
        sandbox
    }

    /// The tables of the learner's pieces.
    pub(crate) fn tables(&self) -> &Variant {
        self.game.first_pair()
    }

    /// The same game with this difference, lines of a file that extends its own; `None` if there is no such game.
    pub(crate) fn changed(&self, difference: &str) -> Option<AnyGame> {
        let file = format!("extends = \"original\"\nid = \"changed\"\nname = \"Changed\"\n{difference}");
        AnyGame::parse_extending("changed", &file, self.game.texts()).ok()
    }

    /// All players.
    pub(crate) fn seats(&self) -> Vec<Seat> {
        match &self.game {
            AnyGame::Two(_) => vec![LEARNER, NEXT],
            AnyGame::Four(game) => game.seats().iter().collect(),
        }
    }

    /// The Kings of all players.
    pub(crate) fn all_kings(&self, role: Role) -> Vec<OwnedPiece> {
        self.seats().into_iter().map(|seat| OwnedPiece { owner: Some(seat), role }).collect()
    }

    /// Begins a stage, which may make at most `work` positions. The limit bounds the time for games with many kinds of
    /// pieces on large boards, and is the same on every machine.
    pub(crate) fn begin_stage(&self, work: u32) {
        self.work.set(work);
    }

    /// Pays for positions; `None` if the stage has no more work left.
    pub(crate) fn spend(&self, positions: usize) -> Option<()> {
        let left = self.work.get().checked_sub(u32::try_from(positions).ok()?)?;
        self.work.set(left);
        Some(())
    }

    /// The game's first start.
    pub(crate) fn start(&self) -> &GamePosition {
        &self.start
    }

    pub(crate) fn king(&self) -> Option<Role> {
        self.tables().roles().royal()
    }

    /// The kinds of pieces that the learner has at the start.
    pub(crate) fn start_roles(&self) -> BTreeSet<Role> {
        let pieces = self.squares.iter().filter_map(|&square| self.start.piece(square));
        pieces.filter(|piece| piece.owner == Some(LEARNER)).map(|piece| piece.role).collect()
    }

    /// Where a player's pieces of a kind stand at the start.
    pub(crate) fn start_squares(&self, piece: OwnedPiece) -> Vec<Square> {
        self.squares.iter().copied().filter(|&square| self.start.piece(square) == Some(piece)).collect()
    }

    /// The tables that have a player's piece, and the piece in them. A dead piece moves nowhere, but reads as the learner's.
    fn known(&self, piece: OwnedPiece) -> (&Variant, Piece) {
        let owner = piece.owner.unwrap_or(LEARNER);
        match &self.game {
            AnyGame::Two(game) => (game, Piece::new(learner::color(owner), piece.role)),
            AnyGame::Four(game) => {
                let (pair, color) = game.pair(owner);
                (pair, Piece::new(color, piece.role))
            }
        }
    }

    /// Where a piece reaches from a square of the empty board.
    pub(crate) fn reach(&self, piece: OwnedPiece, from: Square) -> &Reach {
        let (tables, known) = self.known(piece);
        let all = || self.squares.iter().map(|&from| tables.reach(known, from)).collect();
        let owner = piece.owner.unwrap_or(LEARNER);
        &self.reaches[piece.role.index()][owner].get_or_init(all)[from.index()]
    }

    /// The squares among other pieces to which a piece of the learner moves, and those where it captures.
    pub(crate) fn reach_among(
        &self,
        role: Role,
        from: Square,
        pieces: &[Square],
    ) -> (Vec<Square>, Vec<Square>) {
        let (tables, known) = self.known(own(role));
        tables.reach_among(known, from, pieces)
    }

    /// How far a piece reaches on the empty board, from all squares together.
    pub(crate) fn mobility(&self, role: Role) -> usize {
        let reaches = self.squares.iter().map(|&from| self.reach(own(role), from));
        reaches.map(|reach| reach.quiet.len() + reach.capture.len()).sum()
    }

    /// A position of these pieces; `None` if the game does not allow it. Players without a King are out.
    pub(crate) fn position(&self, pieces: &[(Square, OwnedPiece)], mover: Seat) -> Option<GamePosition> {
        self.spend(1)?;
        self.empty.as_ref()?.with(pieces, mover, self.king())
    }

    /// The position after a move of the learner with the learner to move again, paid for.
    pub(crate) fn again(&self, position: &GamePosition, played: Move) -> Option<GamePosition> {
        self.spend(1)?;
        position.again(played)
    }

    /// A piece of the learner among Kings that are out of its way, and other pieces as given.
    pub(crate) fn scene(
        &self,
        hero: (Square, Role),
        others: &[(Square, OwnedPiece)],
    ) -> Option<GamePosition> {
        let mut pieces = vec![(hero.0, own(hero.1))];
        pieces.extend_from_slice(others);
        if let Some(king) = self.king() {
            for &seat in self.needed.iter().filter(|&&seat| seat != LEARNER || hero.1 != king) {
                let king = OwnedPiece { owner: Some(seat), role: king };
                if !others.iter().any(|(_, piece)| *piece == king) {
                    pieces.push((self.corner(king, hero, &pieces)?, king));
                }
            }
        }
        self.position(&pieces, LEARNER).filter(|position| !position.is_check())
    }

    /// A square for a King where the hero rarely attacks it: its own starting square if that is as good as any.
    fn corner(
        &self,
        king: OwnedPiece,
        hero: (Square, Role),
        others: &[(Square, OwnedPiece)],
    ) -> Option<Square> {
        let starts = self.start_squares(king);
        let mut attackers = vec![0_u16; self.squares.len()];
        for &from in &self.squares {
            self.reach(own(hero.1), from).capture.iter().for_each(|to| attackers[to.index()] += 1);
        }
        let is_other = king.owner != Some(LEARNER);
        let attacked_now = &self.reach(own(hero.1), hero.0).capture;
        let near = |square: Square| {
            let around = &self.reach(king, square).capture;
            around.contains(&hero.0)
                || others.iter().any(|&(at, piece)| piece.role == king.role && around.contains(&at))
        };
        let taken = |square: Square| square == hero.0 || others.iter().any(|&(at, _)| at == square);
        let free = self.squares.iter().copied().filter(|&square| !taken(square) && !near(square));
        free.filter(|square| !is_other || !attacked_now.contains(square))
            .min_by_key(|&square| (attackers[square.index()], !starts.contains(&square)))
    }

    /// Random pieces on random squares, one try. Kings that the game needs are added.
    pub(crate) fn scatter(
        &self,
        random: &mut Random,
        pieces: &[OwnedPiece],
        mover: Seat,
    ) -> Option<GamePosition> {
        let mut pieces = pieces.to_vec();
        if let Some(role) = self.king() {
            let kings = self.needed.iter().map(|&seat| OwnedPiece { owner: Some(seat), role });
            let missing: Vec<OwnedPiece> = kings.filter(|king| !pieces.contains(king)).collect();
            pieces.extend(missing);
        }
        let mut placed: Vec<(Square, OwnedPiece)> = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let square = random.pick(&self.squares)?;
            if placed.iter().any(|&(at, _)| at == square) {
                return None;
            }
            placed.push((square, piece));
        }
        self.position(&placed, mover)
    }
}

impl Empty {
    fn of(start: &GamePosition) -> Option<Self> {
        Some(match start {
            GamePosition::Two(start) => {
                let mut empty = start.setup();
                clear(&mut empty.cells);
                empty.rights = 0;
                empty.en_passant = None;
                empty.en_passant_pawn = None;
                empty.moved.clear();
                empty.halfmove_clock = 0;
                empty.fullmove_number = 1;
                Self::Two(Arc::clone(start.variant()), empty)
            }
            GamePosition::Four(start) => {
                let mut empty = multi::parse(start.variant().fen_context(), &start.fen()).ok()?;
                clear(&mut empty.cells);
                empty.rights = 0;
                empty.offers.clear();
                Self::Four(Arc::clone(start.variant()), empty)
            }
        })
    }

    /// The position of some pieces; `None` if the game does not allow it, or is over in it.
    fn with(&self, pieces: &[(Square, OwnedPiece)], mover: Seat, king: Option<Role>) -> Option<GamePosition> {
        match self {
            Self::Two(game, empty) => {
                let mut setup = empty.clone();
                for &(square, piece) in pieces {
                    let at = game.shape().coord(square);
                    if setup.at(at) != Some(Cell::Empty) {
                        return None;
                    }
                    let color = learner::color(piece.owner?);
                    setup.set(at, Cell::Piece(Piece::new(color, piece.role)));
                }
                setup.turn = learner::color(mover);
                AnyPosition::from_setup(game, &setup).ok().map(GamePosition::Two)
            }
            Self::Four(game, empty) => {
                let mut setup = empty.clone();
                let width = usize::from(game.shape().width());
                for &(square, piece) in pieces {
                    let at = game.shape().coord(square);
                    let cell = setup.cells.get_mut(usize::from(at.rank) * width + usize::from(at.file))?;
                    if *cell != Cell::Empty {
                        return None;
                    }
                    *cell = Cell::Piece(piece);
                }
                let has_king = |seat: &Seat| {
                    pieces.iter().any(|(_, piece)| piece.owner == Some(*seat) && Some(piece.role) == king)
                };
                setup.out = game.seats().iter().filter(|seat| !has_king(seat)).collect();
                setup.turn = mover;
                four(game, &setup).map(GamePosition::Four)
            }
        }
    }
}

fn clear<P>(cells: &mut [Cell<P>]) {
    for cell in cells.iter_mut().filter(|cell| matches!(cell, Cell::Piece(_))) {
        *cell = Cell::Empty;
    }
}

/// A position of three or four in which the player to move has a move and all players of the setup are living.
pub(crate) fn four(game: &Arc<MultiVariant>, setup: &MultiSetup) -> Option<AnyMultiPosition> {
    let position = AnyMultiPosition::from_fen(game, &multi::write(game.fen_context(), setup)).ok()?;
    let is_unresolved = position.turn() == setup.turn && position.living() == setup.living();
    (is_unresolved && !matches!(position.status(), MultiStatus::Decided | MultiStatus::Stalemate))
        .then_some(position)
}
