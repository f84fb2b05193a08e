//! The variants: today's rules by id, and the rules that older games were played by, by digest.

use lozenge_game::convert;
use lozenge_rules::library::{self, AnyGame};
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::{MultiVariant, Variant};
use lozenge_store::{RulesRow, Store, StoreError};
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use rand::RngExt as _;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;

/// A random one of a variant's starts, from which a new game begins by default.
pub fn draw_start(variant: &Arc<Variant>) -> AnyPosition {
    let drawn = rand::rng().random_range(0..variant.starts().len().max(1));
    AnyPosition::start_number(variant, drawn).unwrap_or_else(|| AnyPosition::start(variant))
}

/// The start of a rematch: drawn again if the first game began from one of the variant's own starts.
pub(super) fn start_again(start: &AnyPosition) -> AnyPosition {
    let (variant, fen) = (start.variant(), start.fen());
    let mut own = (0..variant.starts().len()).filter_map(|number| AnyPosition::start_number(variant, number));
    if own.any(|own| own.fen() == fen) { draw_start(variant) } else { start.clone() }
}

/// Memory for the tables of games that are not built in, in bytes, while they are not played.
const MAX_BYTES: u64 = 128 << 20;
/// About how many games there are then.
const ABOUT: usize = 256;

/// Which rules: the id under which they are played, and the digest of their texts.
type Key = (String, String);

#[derive(Clone, Debug)]
struct Weight;

impl Weighter<Key, AnyGame> for Weight {
    fn weight(&self, (id, digest): &Key, game: &AnyGame) -> u64 {
        let texts: usize = game.texts().iter().map(String::len).sum();
        (game.table_bytes() + texts + id.len() + digest.len() + 1_024) as u64
    }
}

type Compiled = Cache<Key, AnyGame, Weight>;

/// The seats of a game, as the lobby lists them.
#[derive(Clone, Debug)]
pub(super) struct GameTable {
    /// Name of the rules.
    pub(super) name: Arc<str>,
    /// How many play.
    pub(super) seats: usize,
    pub(super) is_teams: bool,
}

/// Most of them in memory: more than there are games in the lobby, so that reading it compiles each game once.
const MAX_TABLES: usize = 4_000;

/// Variants by id and by digest. Clones share them.
#[derive(Clone, Debug)]
pub struct Variants {
    own: Arc<[AnyGame]>,
    /// The digests of the built-in games, by id.
    digests: Arc<Mutex<HashMap<String, String>>>,
    compiled: Arc<Compiled>,
    tables: Arc<Cache<Key, GameTable>>,
    /// One game is compiled at a time, so that games being played have the other processors.
    compiler: Arc<Semaphore>,
}

impl Default for Variants {
    fn default() -> Self {
        Self {
            own: Arc::new([]),
            digests: Arc::default(),
            compiled: Arc::new(bounded(MAX_BYTES)),
            tables: Arc::new(Cache::new(MAX_TABLES)),
            compiler: Arc::new(Semaphore::new(1)),
        }
    }
}

/// A cache that holds at most `bytes`, in one shard: each game may take much of it.
fn bounded(bytes: u64) -> Compiled {
    let options = OptionsBuilder::new()
        .estimated_items_capacity(ABOUT)
        .weight_capacity(bytes)
        .shards(1)
        .build()
        .expect("both capacities are given");
    Cache::with_options(options, Weight, DefaultHashBuilder::default(), DefaultLifecycle::default())
}

impl Variants {
    /// With games of the host's own, which are built in here.
    pub fn with(own: Vec<AnyGame>) -> Self {
        Self { own: own.into(), ..Self::default() }
    }

    /// The built-in games of two, the host's own last.
    pub fn all(&self) -> Vec<Arc<Variant>> {
        let own = self.own.iter().filter_map(AnyGame::two).cloned();
        library::ids().filter_map(library::game).chain(own).collect()
    }

    /// A built-in game of two.
    pub fn game(&self, id: &str) -> Option<Arc<Variant>> {
        self.any_game(id)?.two().cloned()
    }

    /// The built-in games of three and four, the host's own last.
    pub fn multi_games(&self) -> Vec<Arc<MultiVariant>> {
        let own = self.own.iter().filter_map(AnyGame::four).cloned();
        library::multi_ids().filter_map(library::multi_game).chain(own).collect()
    }

    /// A built-in game for any number of players.
    pub fn any_game(&self, id: &str) -> Option<AnyGame> {
        library::any_game(id).or_else(|| self.own.iter().find(|game| game.id() == id).cloned())
    }

    /// All built-in games, those of two first.
    pub fn all_games(&self) -> Vec<AnyGame> {
        let of_more = self.multi_games().into_iter().map(AnyGame::Four);
        self.all().into_iter().map(AnyGame::Two).chain(of_more).collect()
    }

    /// The built-in game whose rules have a digest.
    pub fn with_digest(&self, digest: &str) -> Option<AnyGame> {
        self.all_games().into_iter().find(|game| self.any_digest(game) == digest)
    }

    /// The digest of a variant's rules; that of a built-in one is computed once.
    pub fn digest(&self, variant: &Variant) -> String {
        let built_in = self.game(variant.id()).is_some_and(|game| std::ptr::eq(&*game, variant));
        if built_in { self.known_digest(variant.id(), variant.texts()) } else { convert::digest(variant) }
    }

    /// The digest of the rules of a game for any number of players.
    pub fn any_digest(&self, game: &AnyGame) -> String {
        match game {
            AnyGame::Two(variant) => self.digest(variant),
            AnyGame::Four(game) => {
                let known = self.any_game(game.id());
                if known.as_ref().and_then(AnyGame::four).is_some_and(|known| Arc::ptr_eq(known, game)) {
                    self.known_digest(game.id(), game.texts())
                } else {
                    convert::digest_of(game.texts())
                }
            }
        }
    }

    fn known_digest(&self, id: &str, texts: &[String]) -> String {
        let mut digests = self.digests.lock().unwrap_or_else(PoisonError::into_inner);
        digests.entry(id.into()).or_insert_with(|| convert::digest_of(texts)).clone()
    }

    /// An unpublished game of a user, by its digest, as long as there is room for it.
    pub fn draft(&self, digest: &str) -> Option<AnyGame> {
        self.compiled.get(&(digest.to_owned(), digest.to_owned()))
    }

    /// Keeps a draft in memory for its readers: its id is its digest.
    pub fn keep_draft(&self, digest: &str, game: AnyGame) {
        self.compiled.insert((digest.to_owned(), digest.to_owned()), game);
    }

    /// Saves the variant's texts, so that its games can be replayed even if its file changes.
    pub async fn save(&self, store: &Store, variant: &Arc<Variant>) -> Result<String, StoreError> {
        self.save_any(store, &AnyGame::Two(Arc::clone(variant))).await
    }

    /// The same for any number of players.
    pub async fn save_any(&self, store: &Store, game: &AnyGame) -> Result<String, StoreError> {
        let digest = self.any_digest(game);
        let rules = RulesRow {
            digest: digest.clone(),
            variant: game.id().into(),
            name: game.name().into(),
            texts: game.texts().to_vec(),
        };
        store.keep_rules(&rules).await?;
        Ok(digest)
    }

    /// The rules of a game of two with a digest, as [`any_rules`](Self::any_rules).
    pub async fn rules(&self, store: &Store, id: &str, digest: &str) -> Result<Arc<Variant>, StoreError> {
        let four = || StoreError::Content { expected: "the rules of a game of two", found: digest.into() };
        self.any_rules(store, id, digest).await?.two().cloned().ok_or_else(four)
    }

    /// The rules with a digest, under the id of their games: the built-in ones if they are the same, otherwise those in
    /// the database.
    pub async fn any_rules(&self, store: &Store, id: &str, digest: &str) -> Result<AnyGame, StoreError> {
        if let Some(game) = self.any_game(id).filter(|game| self.any_digest(game) == digest) {
            return Ok(game);
        }
        let unknown = || StoreError::Content { expected: "the rules of a game", found: digest.into() };
        let load = async {
            let row = store.rules(digest).await?.ok_or_else(unknown)?;
            let id = id.to_owned();
            let permit = Arc::clone(&self.compiler).acquire_owned().await.map_err(|_| StoreError::Closed)?;
            let compiled = tokio::task::spawn_blocking(move || {
                let _permit = permit;
                compile(&id, &row.texts)
            });
            compiled.await.ok().flatten().ok_or_else(unknown)
        };
        self.compiled.get_or_insert_async(&(id.to_owned(), digest.to_owned()), load).await
    }
}

impl Variants {
    /// The seats of games by some rules, which are not compiled again for each list.
    pub(super) async fn table(&self, store: &Store, id: &str, digest: &str) -> Result<GameTable, StoreError> {
        let load = async {
            let game = self.any_rules(store, id, digest).await?;
            Ok::<_, StoreError>(GameTable {
                name: game.name().into(),
                seats: game.players().into(),
                is_teams: game.four().is_some_and(|game| game.is_teams()),
            })
        };
        self.tables.get_or_insert_async(&(id.to_owned(), digest.to_owned()), load).await
    }
}

/// Compiles saved texts.
fn compile(id: &str, texts: &[String]) -> Option<AnyGame> {
    AnyGame::parse_texts(id, texts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A version of a game: chess, with something to tell versions apart.
    fn version(about: &str) -> Arc<Variant> {
        let text = format!("extends = \"chess\"\nid = \"own\"\nname = \"Own Chess\"\nabout = \"{about}\"\n");
        Variant::parse("own", &text, &library::text).expect("chess under another name")
    }

    #[test]
    fn saved_texts_compile_to_the_same_rules() {
        for id in library::ids() {
            let variant = library::game(id).expect("built in");
            let again = compile(id, variant.texts()).expect("it was compiled before");
            assert_eq!(convert::digest_of(again.texts()), convert::digest(&variant), "{id}");
            assert_eq!(again.id(), id);
        }
    }

    #[test]
    fn stored_texts_with_the_key_men_still_compile() {
        let variant = library::game("capablanca").expect("built in");
        let texts: Vec<String> =
            variant.texts().iter().map(|text| text.replace("pieces = ", "men = ")).collect();
        let again = compile("capablanca", &texts).expect("the same rules");
        assert_eq!(again.two().expect("for two").promotions(), variant.promotions());
        assert!(again.texts()[0].contains("\nmen = "));
    }

    #[test]
    fn versions_of_one_id_have_digests_of_their_own() {
        let variants = Variants::default();
        let digests = ["first", "second"].map(|about| variants.digest(&version(about)));
        assert_ne!(digests[0], digests[1]);
        let chess = library::game("chess").expect("built in");
        assert_eq!(variants.digest(&chess), convert::digest(&chess));
    }

    #[test]
    fn games_of_four_keep_the_id_they_were_stored_under() {
        for id in library::multi_ids() {
            let game = library::any_game(id).expect("built in");
            let again = compile("~own", game.texts()).expect("it was compiled before");
            assert_eq!((again.id(), again.name(), again.players()), ("~own", game.name(), game.players()));
            let seats = again.four().expect("for more than two").seats();
            assert!(
                seats.iter().all(|seat| again.four().is_some_and(|game| game.pair(seat).0.id() == "~own"))
            );
            assert_eq!(Variants::default().any_digest(&again), convert::digest_of(game.texts()), "{id}");
        }
    }

    #[test]
    fn text_mentioning_an_id_is_not_that_game() {
        let texts = [
            "extends = \"middle\"\nid = \"own\"\nname = \"Own Chess\"\n".to_owned(),
            "extends = \"chess\"\nid = \"middle\"\nname = \"Middle\"\nabout = \"\"\"\nid = \"chess\"\n\"\"\"\n".to_owned(),
            library::text("chess").expect("built in"),
        ];
        let game = compile("~own", &texts).expect("the third text is chess");
        assert_eq!((game.id(), game.two().expect("for two").starts().len()), ("~own", 1));
    }

    #[tokio::test]
    async fn compiled_rules_take_bounded_memory() {
        let cache = bounded(1 << 20);
        for number in 0..50 {
            let variant = version(&format!("version {number}"));
            let key = (variant.id().to_owned(), convert::digest(&variant));
            cache.insert(key, AnyGame::Two(variant));
            assert!(cache.weight() <= 1 << 20);
        }
        assert!(cache.len() < 50, "{} games of {} bytes", cache.len(), cache.weight());
    }

    #[tokio::test]
    async fn each_version_is_played_by_its_own_rules() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let store = Store::open(&Store::sqlite_url(folder.path())).await.expect("a database");
        let variants = Variants::default();
        for about in ["first", "second"] {
            let digest = variants.save(&store, &version(about)).await.expect("saved");
            let again = variants.rules(&store, "~own", &digest).await.expect("its rules");
            assert_eq!((again.about(), again.id()), (about, "~own"));
        }
        assert_eq!(variants.compiled.len(), 2);
        store.close().await;
    }
}
