//! Variant files that users send: validated on the threads of costly work, networks in turn, within bounds on size, memory
//! and moves, so that games being played never wait for them. Not here: where they are stored.

mod drawings;

pub(crate) use drawings::{Drawings, named as drawn_pictures};

use crate::heavy::{HeavyError, HeavyKind, HeavyWork};
use lozenge_game::ClientAddress;
use lozenge_game::convert;
pub(crate) use lozenge_game::convert::is_digest;
use lozenge_live::games::Variants;
use lozenge_picture::Cleaned;
use lozenge_rules::library::AnyGame;
use lozenge_rules::position::{AnyPosition, GamePosition, MultiTurn};
use lozenge_rules::variant::top_level_text;
use lozenge_store::{RulesRow, Store, StoreError};
use lozenge_wire::VariantFault;
use std::time::{Duration, Instant};

/// Largest file, in bytes: with its escapes it fits into a request.
pub(crate) const MAX_SOURCE: usize = 48 << 10;
/// Most memory for the tables of a game, in bytes.
const MAX_TABLES: usize = 24 << 20;
/// Most legal moves of a starting position.
const MAX_MOVES: usize = 1_000;
/// How long the moves of the starting positions, and the replies to them, may take to be generated.
const START_TIME: Duration = Duration::from_secs(1);

/// Why a file or picture is not checked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StudioError {
    /// The work was not done.
    #[error(transparent)]
    Heavy(#[from] HeavyError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The SVG is no picture.
    #[error("{0}")]
    Svg(String),
}

/// Checks files. Clones share its threads.
#[derive(Clone, Debug)]
pub(crate) struct Studio {
    store: Store,
    variants: Variants,
    drawings: Drawings,
    heavy: HeavyWork,
}

/// A file without faults.
#[derive(Clone, Debug)]
pub(crate) struct CheckedVariant {
    /// The game, its digest as its id.
    pub(crate) game: AnyGame,
    pub(crate) digest: String,
    /// The id that the file gives the game.
    pub(crate) file_id: String,
    /// The file, what it extends named by its digest, and the texts that it extends.
    pub(crate) texts: Vec<String>,
    /// The rules that it extends.
    pub(crate) parent: Option<RulesRow>,
}

/// A file without faults, or its faults.
pub(crate) type CheckResult = Result<CheckedVariant, Vec<VariantFault>>;

impl Studio {
    pub(crate) fn new(store: Store, variants: Variants, drawings: Drawings, heavy: HeavyWork) -> Self {
        Self { store, variants, drawings, heavy }
    }

    /// Makes a picture of a piece of an SVG.
    ///
    /// # Errors
    /// If too much waits already, or the SVG is no picture.
    pub(crate) async fn clean(&self, client: ClientAddress, svg: String) -> Result<Cleaned, StudioError> {
        let cleaned =
            self.heavy.run(client, HeavyKind::Picture, move || lozenge_picture::clean(&svg)).await?;
        cleaned.map_err(|fault| StudioError::Svg(fault.to_string()))
    }

    /// Checks a file of a user, whose private games it may extend.
    ///
    /// # Errors
    /// If too much waits already, or the database fails.
    pub(crate) async fn check(
        &self,
        client: ClientAddress,
        reader: Option<&str>,
        source: String,
    ) -> Result<CheckResult, StudioError> {
        if source.len() > MAX_SOURCE {
            let message = format!("expected at most {MAX_SOURCE} bytes, found {}", source.len());
            return Ok(Err(vec![fault_at_start(message)]));
        }
        let extended = top_level_text(&source, "extends");
        let parent = match &extended {
            Some((name, _)) => self.parent(reader, name).await?,
            None => None,
        };
        let own = match (&parent, extended) {
            (Some(rules), Some((name, span))) => pinned(&source, &name, span, &rules.digest),
            _ => source.clone(),
        };
        let texts: Vec<String> =
            std::iter::once(own).chain(parent.iter().flat_map(|rules| rules.texts.clone())).collect();
        let digest = convert::digest_of(&texts);
        let file_id = top_level_text(&source, "id").map(|(id, _)| id);
        let known = self.variants.draft(&digest);
        let result = match (known, &file_id) {
            (Some(game), Some(_)) => Ok(game),
            _ => {
                let (id, texts, source) = (digest.clone(), texts.clone(), source.clone());
                self.heavy.run(client, HeavyKind::Variant, move || compile(&id, &source, &texts)).await?
            }
        };
        let result = match result {
            Ok(game) => self.with_pictures(&source, game).await?,
            faulty => faulty,
        };
        Ok(result.map(|game| {
            self.variants.keep_draft(&digest, game.clone());
            CheckedVariant { game, digest, file_id: file_id.unwrap_or_default(), texts, parent }
        }))
    }

    /// A game all of whose pictures are here, or the faults of those that are not.
    async fn with_pictures(
        &self,
        source: &str,
        game: AnyGame,
    ) -> Result<Result<AnyGame, Vec<VariantFault>>, StoreError> {
        let mut missing = Vec::new();
        for digest in drawn_pictures(game.roles()) {
            if self.drawings.get(&digest).await?.is_none() {
                missing.push(missing_picture(source, &digest));
            }
        }
        Ok(if missing.is_empty() { Ok(game) } else { Err(missing) })
    }

    /// The rules that a file extends by a name: a built-in game's, those of a published game, or those with a digest.
    async fn parent(&self, reader: Option<&str>, name: &str) -> Result<Option<RulesRow>, StoreError> {
        if let Some(game) = self.variants.any_game(name) {
            return Ok(Some(RulesRow {
                digest: self.variants.any_digest(&game),
                variant: game.id().into(),
                name: game.name().into(),
                texts: game.texts().to_vec(),
            }));
        }
        let digest = match name.strip_prefix('~') {
            Some(slug) => {
                let row = self.store.variant_by_slug(slug).await?;
                row.filter(|row| row.is_open_to(reader)).and_then(|row| row.digest)
            }
            None => is_digest(name).then(|| name.to_owned()),
        };
        match digest {
            Some(digest) => self.store.rules(&digest).await,
            None => Ok(None),
        }
    }
}

/// A file that names what it extends by the digest, so that a later version of that changes nothing.
fn pinned(source: &str, name: &str, span: std::ops::Range<usize>, digest: &str) -> String {
    let (before, after) = (&source[..span.start], &source[span.end..]);
    let rest_of_line = after.lines().next().unwrap_or_default();
    let bare = name != digest && rest_of_line.trim().is_empty() && !name.contains(['\n', '\r']);
    let comment = if bare { format!(" # {name}") } else { String::new() };
    format!("{before}\"{digest}\"{comment}{after}")
}

/// Compiles a file and checks its starting positions. `texts` are the file with what it extends named by its digest, which
/// changes no place but that name's end, and the texts that it extends.
fn compile(id: &str, source: &str, texts: &[String]) -> Result<AnyGame, Vec<VariantFault>> {
    let Some((own, extended)) = texts.split_first() else {
        return Err(vec![fault_at_start("expected a file, found none".into())]);
    };
    let game = AnyGame::parse_published(id, own, extended)
        .map_err(|error| lozenge_analysis::faults::all(source, &error))?;
    if top_level_text(source, "id").is_none() {
        return Err(vec![fault_at_start(
            "expected the key `id` (a short name in small letters), found none".into(),
        )]);
    }
    let bytes = game.table_bytes();
    if bytes > MAX_TABLES {
        let message = format!("expected moves whose tables take at most {MAX_TABLES} bytes, found {bytes}");
        return Err(vec![fault_at_start(message)]);
    }
    let begun = Instant::now();
    for start in starts(&game) {
        let moves = start.legal_moves();
        if moves.len() > MAX_MOVES {
            let message =
                format!("expected at most {MAX_MOVES} legal moves at the start, found {}", moves.len());
            return Err(vec![fault_at_start(message)]);
        }
        for played in moves {
            if begun.elapsed() > START_TIME {
                let message =
                    "expected a game whose first moves and replies can be listed in a second, found more";
                return Err(vec![fault_at_start(message.into())]);
            }
            let _replies = start.play_unchecked(MultiTurn::Move(played)).legal_moves();
        }
    }
    Ok(game)
}

/// The starting positions of a game.
fn starts(game: &AnyGame) -> Vec<GamePosition> {
    match game {
        AnyGame::Two(variant) => (0..variant.starts().len())
            .filter_map(|number| AnyPosition::start_number(variant, number).map(GamePosition::Two))
            .collect(),
        AnyGame::Four(_) => vec![GamePosition::start(game)],
    }
}

/// The search tags of a game: the size of its board, how its edges are joined, its players, its other features, its pieces.
pub(crate) fn tags(game: &AnyGame) -> Vec<String> {
    let shape = game.shape();
    let (width, height) = (shape.width(), shape.height());
    let mut tags = vec![format!("{width}x{height}")];
    let mut tag = |present: bool, word: &str| {
        if present {
            tags.push(word.to_owned());
        }
    };
    let wrap = shape.wrap();
    tag(wrap.files && wrap.ranks, "torus");
    tag(wrap.files != wrap.ranks, "cylinder");
    tag(shape.len() < usize::from(width) * usize::from(height), "holes");
    tag(lozenge_picture::is_diamond(game.first_pair()), "diamond");
    match game {
        AnyGame::Two(variant) => {
            tag(!variant.goals().is_empty(), "goal");
            tag(!variant.castlings().is_empty(), "castling");
            tag(!variant.fusions().is_empty(), "fusion");
        }
        AnyGame::Four(game) => {
            tag(!game.castlings().is_empty(), "castling");
            tag(game.seats().len() == 3, "three-players");
            tag(game.seats().len() == 4, "four-players");
            tag(game.is_teams(), "teams");
        }
    }
    for (_, info) in game.roles().iter() {
        tag(info.id.chars().all(|c| c.is_alphanumeric() || c == '-'), &info.id);
    }
    tags
}

/// A fault of the file as a whole.
fn fault_at_start(message: String) -> VariantFault {
    VariantFault { line: 1, column: 1, message, from: 0, to: 0, suggestion: None }
}

/// The fault of a picture that is not here, where the file names it.
fn missing_picture(source: &str, digest: &str) -> VariantFault {
    let start = source.find(digest).unwrap_or(0);
    let before = &source[..start];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let units = |text: &str| text.encode_utf16().count() as u32;
    let (from, length) = (units(before), if start == 0 { 0 } else { digest.len() as u32 });
    VariantFault {
        line: before.matches('\n').count() as u32 + 1,
        column: before[line_start..].chars().count() as u32 + 1,
        message: format!("expected a picture that was sent to this site, found `{digest}`"),
        from,
        to: from + length,
        suggestion: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    #[test]
    fn a_pinned_file_names_the_digest_and_keeps_everything_else() {
        let source = "# mine\nextends = 'chess'  # orthodox\nid = \"own\"\n";
        let (name, span) = top_level_text(source, "extends").expect("it extends chess");
        let own = pinned(source, &name, span, "0123");
        assert_eq!(own, "# mine\nextends = \"0123\"  # orthodox\nid = \"own\"\n");
        let source = "extends = \"chess\"\n";
        let (name, span) = top_level_text(source, "extends").expect("it extends chess");
        assert_eq!(pinned(source, &name, span, "0123"), "extends = \"0123\" # chess\n");
    }

    #[test]
    fn tags_name_board_and_pieces() {
        let of = |id: &str| tags(&library::any_game(id).expect("built in"));
        assert!(of("diamondring").starts_with(&["12x12".into(), "torus".into()]), "{:?}", of("diamondring"));
        assert!(of("cylinder").contains(&"cylinder".to_owned()));
        assert!(of("cannonlake").contains(&"holes".to_owned()));
        assert!(of("capablanca").contains(&"archbishop".to_owned()));
        assert!(of("threearmies").contains(&"three-players".to_owned()));
        let teams = of("diamondring-teams");
        assert!(
            ["four-players", "teams"].iter().all(|tag| teams.iter().any(|found| found == tag)),
            "{teams:?}"
        );
    }
}
