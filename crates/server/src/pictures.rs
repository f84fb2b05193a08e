//! Pictures of positions, and games as PGN. Each is made once, one at a time, clients in turn, and cached as long as
//! there is room. Not here: how a board is drawn (`lozenge_picture`).

use crate::fair_queue::{Bounds, FairQueue, QueueFull, QueueTurn};
use axum::body::Bytes;
use lozenge_game::ClientAddress;
use lozenge_picture::{BoardView, Drawings, Scene, Theme, any_scene};
use lozenge_rules::position::GamePosition;
use quick_cache::sync::Cache;
use std::sync::Arc;

/// Memory for pictures that have been drawn, in bytes.
const MAX_BYTES: u64 = 24 << 20;
/// About how many there are then.
const ABOUT: usize = 1_000;

/// One PNG is drawn at a time: each takes a processor for a while, which games need, too. At some dozen a second the wait
/// for much over a second.
const PNG: Bounds = Bounds { slots: 1, waiting: 48, waiting_per_client: 8 };
/// Everything else takes a millisecond or two, and a page may want dozens at once.
const LIGHT: Bounds = Bounds { slots: 1, waiting: 512, waiting_per_client: 128 };

/// How wide a PNG is, in pixels.
const WIDTH: u32 = 800;

/// How a position is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Style {
    Png,
    /// From Black's side.
    FlippedPng,
    Svg,
    /// Without coordinates, for small pictures.
    PlainSvg,
}

/// The cached pictures.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// A position by the digest of its rules, the squares of the last move, and its style.
    Picture { rules: String, fen: String, last: Vec<u16>, style: Style },
    /// The report of a measurement in a language.
    Report { job: String },
    /// A game after this number of events, with its address.
    Pgn { address: String, seq: u64 },
}

#[derive(Clone, Debug)]
struct Weight;

impl quick_cache::Weighter<Key, Bytes> for Weight {
    fn weight(&self, key: &Key, picture: &Bytes) -> u64 {
        let key = match key {
            Key::Picture { rules, fen, last, .. } => rules.len() + fen.len() + 2 * last.len(),
            Key::Pgn { address, .. } => address.len(),
            Key::Report { job } => job.len(),
        };
        (picture.len() + key + 128) as u64
    }
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PictureError {
    /// Too many wait already, of this client or in all.
    #[error(transparent)]
    Full(#[from] QueueFull),
    /// Drawing failed.
    #[error("drawing a picture: {0}")]
    Drawing(String),
}

/// The pictures. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Pictures {
    cache: Arc<Cache<Key, Bytes, Weight>>,
    png: FairQueue,
    light: FairQueue,
}

impl Default for Pictures {
    fn default() -> Self {
        let cache = Arc::new(Cache::with_weighter(ABOUT, MAX_BYTES, Weight));
        Self { cache, png: FairQueue::new(PNG), light: FairQueue::new(LIGHT) }
    }
}

impl Pictures {
    /// A position as SVG; `rules` is the digest of its game.
    pub(crate) async fn svg(
        &self,
        client: ClientAddress,
        rules: String,
        position: GamePosition,
        drawings: Drawings,
        last: Vec<u16>,
        plain: bool,
    ) -> Result<Bytes, PictureError> {
        let style = if plain { Style::PlainSvg } else { Style::Svg };
        let key = Key::Picture { rules, fen: position.fen(), last: last.clone(), style };
        let draw = move || {
            let view = BoardView { coordinates: !plain, ..view(&position, drawings, &last) };
            let scene = Scene { theme: Theme::Clear, ..any_scene(&position, &view) };
            Ok(lozenge_picture::svg(&scene).into())
        };
        self.get_or_draw(&self.light, client, key, draw).await
    }

    /// A position as PNG, [`WIDTH`] pixels wide, perhaps from Black's side.
    pub(crate) async fn png(
        &self,
        client: ClientAddress,
        rules: String,
        position: GamePosition,
        drawings: Drawings,
        last: Vec<u16>,
        flipped: bool,
    ) -> Result<Bytes, PictureError> {
        let style = if flipped { Style::FlippedPng } else { Style::Png };
        let key = Key::Picture { rules, fen: position.fen(), last: last.clone(), style };
        let draw = move || {
            let view = BoardView { flipped, ..view(&position, drawings, &last) };
            let png = lozenge_picture::png(&any_scene(&position, &view), WIDTH);
            png.map(Bytes::from).map_err(|error| PictureError::Drawing(error.to_string()))
        };
        self.get_or_draw(&self.png, client, key, draw).await
    }

    /// A game as PGN, by the address of its page and the number of its last event.
    pub(crate) async fn pgn<E: From<PictureError>>(
        &self,
        client: ClientAddress,
        address: String,
        seq: u64,
        write: impl Future<Output = Result<Bytes, E>>,
    ) -> Result<Bytes, E> {
        let key = Key::Pgn { address, seq };
        match self.find_or_wait(&self.light, client, &key).await? {
            Ok(bytes) => Ok(bytes),
            Err(_turn) => {
                let bytes = write.await?;
                self.cache.insert(key, bytes.clone());
                Ok(bytes)
            }
        }
    }

    /// A report, by its measurement and language.
    pub(crate) async fn report(
        &self,
        client: ClientAddress,
        job: String,
        draw: impl FnOnce() -> String + Send + 'static,
    ) -> Result<Bytes, PictureError> {
        self.get_or_draw(&self.light, client, Key::Report { job }, move || Ok(draw().into())).await
    }

    async fn get_or_draw(
        &self,
        queue: &FairQueue,
        client: ClientAddress,
        key: Key,
        draw: impl FnOnce() -> Result<Bytes, PictureError> + Send + 'static,
    ) -> Result<Bytes, PictureError> {
        let turn = match self.find_or_wait(queue, client, &key).await? {
            Ok(bytes) => return Ok(bytes),
            Err(turn) => turn,
        };
        let cache = Arc::clone(&self.cache);
        // The turn is held until it is drawn, even if the client has gone.
        tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let bytes = draw()?;
            cache.insert(key, bytes.clone());
            Ok(bytes)
        })
        .await
        .map_err(|error| PictureError::Drawing(error.to_string()))?
    }

    /// A cached picture, or a turn to draw it.
    async fn find_or_wait(
        &self,
        queue: &FairQueue,
        client: ClientAddress,
        key: &Key,
    ) -> Result<Result<Bytes, QueueTurn>, PictureError> {
        if let Some(bytes) = self.cache.get(key) {
            return Ok(Ok(bytes));
        }
        let turn = queue.turn(client, 0).await?;
        // Another request may have drawn it meanwhile.
        Ok(self.cache.get(key).ok_or(turn))
    }
}

fn view(position: &GamePosition, drawings: Drawings, last: &[u16]) -> BoardView {
    let game = position.variant();
    let squares: Vec<_> = game.shape().squares().collect();
    let last_move = last.iter().filter_map(|&index| squares.get(usize::from(index)).copied()).collect();
    BoardView { last_move, theme: Theme::Light, drawings, ..BoardView::of_game(&game) }
}
