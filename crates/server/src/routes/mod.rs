//! All routes, and which clients may call them. Handlers are thin: the work is in `games`, `account` and `store`.

mod accounts;
mod analyse;
mod analysis_pages;
mod assets;
mod bots;
mod challenges;
mod chat;
mod community;
mod connection;
mod document;
mod erased;
mod explorer;
mod gallery;
mod game_list;
mod game_rules;
mod game_terms;
mod games;
mod games_of_four;
mod health;
mod input;
mod lab;
mod leaderboards;
mod learn_pages;
mod lessons;
mod lines;
mod live;
mod lobby;
mod mail;
mod origin;
mod own_data;
mod page;
mod pages;
mod piece_pictures;
mod play;
mod player_page;
mod positions;
mod push;
mod puzzle_pages;
mod puzzles;
mod replay;
mod reviews;
mod security;
mod socket;
mod studies;
mod studio;
mod study_access;
mod study_chapters;
mod study_pages;
mod study_socket;
mod tables;
mod tokens;
mod trees;
mod variants;
mod websocket;

use crate::budgets::Operation;
use crate::error::AppError;
use crate::prebuilt::Prebuilt;
use crate::state::AppState;
use crate::views::OperationGroup;
use axum::Router;
use axum::body::HttpBody as _;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use lozenge_game::text::has_control_in_percent;
use std::sync::{Arc, LazyLock};
use tower_http::limit::RequestBodyLimitLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use erased::routes;
pub(crate) use health::{is_health_check, metrics_router};
pub(crate) use origin::same_origin;
pub(crate) use page::show_faults;
pub(crate) use reviews::resume as resume_reviews;

/// Content security policy of pages: they load and run only the site's own files.
pub(crate) const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
     media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
     form-action 'self'; frame-ancestors 'none'";

/// The same for pages that other sites may show in a frame.
pub(crate) const EMBED_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
     media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *";

/// Largest body of a request, in bytes, and of one that brings the PGN of a whole study.
const MAX_BODY: usize = 64 << 10;
const MAX_STUDY_BODY: usize = 1_200_000;

/// General part of the API's description; operations and types add themselves.
#[derive(OpenApi)]
#[openapi(
    info(title = "Lozenge", description = "Chess on diamond boards: games, live and by correspondence."),
    components(schemas(lozenge_wire::Event, lozenge_wire::Command, lozenge_wire::Problem,
        lozenge_wire::analysis::AnalysisEvent, lozenge_wire::analysis::AnalysisStart, lozenge_wire::analysis::EditorStart,
        lozenge_wire::study::StudyStart, lozenge_wire::study::StudyEvent, lozenge_wire::study::StudyCommand,
        lozenge_wire::PuzzleStart, lozenge_wire::ExplorerSource, lozenge_wire::GameName)),
    tags(
        (name = "games", description = "Games: make, read, play"),
        (name = "variants", description = "The games that can be played, and their boards"),
        (name = "analysis", description = "Positions and their moves, the engine's lines, reviews of games"),
        (name = "studio", description = "Games of one's own: drafts, pictures of pieces"),
        (name = "studies", description = "Studies: chapters with trees of moves that several people edit at once"),
        (name = "account", description = "Your account"),
        (name = "players", description = "Players among each other: leaderboards, challenges"),
        (name = "explorer", description = "Statistics of the moves played from a position"),
        (name = "tables", description = "Endgame tables: the value of positions with few pieces"),
        (name = "puzzles", description = "Puzzles: choose, solve, vote"),
        (name = "lobby", description = "Seeks: games that are looked for"),
        (name = "programs", description = "Bots and boards: streams and moves in the manner of lichess")
    )
)]
struct Api;

fn api() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(Api::openapi())
        .routes(routes!(variants::list, studio::publish))
        .routes(routes!(studio::validate))
        .routes(routes!(variants::show))
        .routes(routes!(variants::board))
        .routes(routes!(variants::picture))
        .routes(routes!(variants::picture_png))
        .routes(routes!(variants::diagram))
        .routes(routes!(game_rules::show))
        .routes(routes!(positions::show))
        .routes(routes!(positions::faults))
        .routes(routes!(analyse::analyse))
        .routes(routes!(trees::read))
        .routes(routes!(trees::write))
        .routes(routes!(reviews::import))
        .routes(routes!(reviews::show, reviews::begin, reviews::cancel))
        .routes(routes!(community::like_variant, community::unlike_variant))
        .routes(routes!(community::comments, community::comment))
        .routes(routes!(community::remove))
        .routes(routes!(community::report_variant))
        .routes(routes!(studies::list, studies::make))
        .routes(routes!(studies::show, studies::change, studies::delete))
        .routes(routes!(community::like_study, community::unlike_study))
        .routes(routes!(community::report_study))
        .routes(routes!(studies::copy))
        .routes(routes!(studies::set_member, studies::remove_member))
        .routes(routes!(study_chapters::make))
        .routes(routes!(study_chapters::pgn))
        .routes(routes!(study_chapters::show, study_chapters::change, study_chapters::delete))
        .routes(routes!(study_chapters::chapter_pgn))
        .routes(routes!(study_socket::edit))
        .routes(routes!(study_socket::open))
        .routes(routes!(lab::of_rules, lab::measure))
        .routes(routes!(lab::report))
        .routes(routes!(lab::show, lab::cancel))
        .routes(routes!(lab::stream))
        .routes(routes!(piece_pictures::list, piece_pictures::send))
        .routes(routes!(piece_pictures::show, piece_pictures::delete))
        .routes(routes!(studio::drafts, studio::make))
        .routes(routes!(studio::show, studio::change, studio::delete))
        .routes(routes!(game_list::list, games::make))
        .routes(routes!(game_list::export))
        .routes(routes!(live::list))
        .routes(routes!(live::stream))
        .routes(routes!(games::show))
        .routes(routes!(games::join))
        .routes(routes!(games::pgn))
        .routes(routes!(games::fen))
        .routes(routes!(games::picture_svg))
        .routes(routes!(games::picture_png))
        .routes(routes!(games::reach))
        .routes(routes!(games::qr))
        .routes(routes!(play::act))
        .routes(routes!(play::hint))
        .routes(routes!(play::stream))
        .routes(routes!(socket::open))
        .routes(routes!(chat::report))
        .routes(routes!(accounts::me))
        .routes(routes!(accounts::register))
        .routes(routes!(accounts::sign_in))
        .routes(routes!(accounts::sign_out))
        .routes(routes!(accounts::settings))
        .routes(routes!(accounts::password))
        .routes(routes!(accounts::sign_out_everywhere))
        .routes(routes!(accounts::delete))
        .routes(routes!(security::renew))
        .routes(routes!(security::recover))
        .routes(routes!(security::begin))
        .routes(routes!(security::confirm))
        .routes(routes!(security::renew_backup_codes))
        .routes(routes!(security::switch_off))
        .routes(routes!(mail::change))
        .routes(routes!(mail::confirm))
        .routes(routes!(mail::forgotten))
        .routes(routes!(mail::reset))
        .routes(routes!(own_data::show))
        .routes(routes!(accounts::profile))
        .routes(routes!(accounts::ratings))
        .routes(routes!(leaderboards::show))
        .routes(routes!(explorer::show))
        .routes(routes!(tables::list))
        .routes(routes!(tables::show))
        .routes(routes!(tables::drills))
        .routes(routes!(tables::draw_drill))
        .routes(routes!(lessons::show))
        .routes(routes!(lessons::attempt))
        .routes(routes!(lessons::progress))
        .routes(routes!(puzzles::next))
        .routes(routes!(puzzles::daily))
        .routes(routes!(puzzles::streak))
        .routes(routes!(puzzles::storm))
        .routes(routes!(puzzles::themes))
        .routes(routes!(puzzles::history))
        .routes(routes!(puzzles::show))
        .routes(routes!(puzzles::attempt))
        .routes(routes!(puzzles::hint))
        .routes(routes!(puzzles::vote))
        .routes(routes!(challenges::list))
        .routes(routes!(challenges::send))
        .routes(routes!(challenges::accept))
        .routes(routes!(challenges::decline))
        .routes(routes!(challenges::cancel))
        .routes(routes!(push::show, push::subscribe))
        .routes(routes!(push::unsubscribe))
        .routes(routes!(tokens::list, tokens::make))
        .routes(routes!(tokens::revoke))
        .routes(routes!(lobby::list, lobby::seek))
        .routes(routes!(lobby::open_games))
        .routes(routes!(lobby::withdraw))
        .routes(routes!(lobby::accept))
        .routes(routes!(lobby::stream))
        .routes(routes!(bots::events))
        .routes(routes!(bots::game))
        .routes(routes!(bots::play))
        .routes(routes!(bots::chat))
        .routes(routes!(bots::act))
}

/// The operations whose requests may be larger.
fn large_api() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(study_chapters::import))
}

/// The description of the API (OpenAPI 3.1), as it is served and as the pages' types are made from.
#[must_use]
pub fn openapi() -> utoipa::openapi::OpenApi {
    split_api().2
}

/// The operations, those whose requests may be larger, and the description of all.
fn split_api() -> (Router<AppState>, Router<AppState>, utoipa::openapi::OpenApi) {
    let (router, mut document) = api().split_for_parts();
    let (large, more) = large_api().split_for_parts();
    document.merge(more);
    document::complete(&mut document);
    (router, large, document)
}

/// The operations of the API as its page shows them. They never change while the program runs.
fn operations() -> &'static [OperationGroup] {
    static OPERATIONS: LazyLock<Vec<OperationGroup>> =
        LazyLock::new(|| crate::views::api_groups(&serde_json::to_value(openapi()).unwrap_or_default()));
    &OPERATIONS
}

/// All addresses. They are made once, for the tests open many sites.
pub(crate) fn router() -> Router<AppState> {
    static ROUTER: LazyLock<Router<AppState>> = LazyLock::new(make_router);
    ROUTER.clone()
}

fn make_router() -> Router<AppState> {
    let (api, large, document) = split_api();
    let document = serde_json::to_string(&document).unwrap_or_default();
    let document = Arc::new(Prebuilt::new("application/json", document));
    let serve_document = move |headers: HeaderMap| {
        let document = Arc::clone(&document);
        async move { document.answer(&headers) }
    };
    api.route("/api/openapi.json", erased::get(serve_document))
        .merge(health::router())
        .merge(assets::router())
        .merge(pages::router())
        .merge(analysis_pages::router())
        .merge(study_pages::router())
        .merge(puzzle_pages::router())
        .merge(learn_pages::router())
        .layer(RequestBodyLimitLayer::new(MAX_BODY))
        .merge(large.layer(RequestBodyLimitLayer::new(MAX_STUDY_BODY)))
        .fallback(page::not_found)
}

/// Whether a request asks for something without changing anything.
fn reads(request: &Request) -> bool {
    matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS)
}

/// Completes a request that changes data even if its client disconnects: a game is
/// not left between what is in memory and what is on the disk.
pub(crate) async fn run_to_completion(mut request: Request, next: Next) -> Response {
    if reads(&request) {
        return next.run(request).await;
    }
    // Dropped with this future, which the connection drops when the client has gone.
    let (_connection, disconnect) = tokio::sync::watch::channel(());
    request.extensions_mut().insert(input::ClientDisconnect(disconnect));
    match tokio::spawn(next.run(request)).await.map_err(tokio::task::JoinError::try_into_panic) {
        Ok(response) => response,
        Err(Ok(panic)) => std::panic::resume_unwind(panic),
        Err(Err(_)) => AppError::Internal("the server is closing".into()).into_response(),
    }
}

/// Headers of all responses: errors are problem documents, accounts are sent with `Cache-Control: no-store`, and all
/// else with `private, no-cache` by default, because it may depend on the client. Proxies must not buffer streams.
pub(crate) async fn common(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let (api, own) =
        (path.starts_with("/api/"), path.starts_with("/api/account") || path.starts_with("/api/tokens"));
    let mut response = next.run(request).await;
    if let Some(problem) =
        crate::error::plain_error_problem(&response).filter(|problem| api || problem.status < 500)
    {
        response = crate::error::with_problem(response, problem);
    }
    let headers = response.headers_mut();
    if own {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    // Other sites may show pictures of boards.
    if headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"image/")) {
        headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
    }
    if headers.get(header::CONTENT_SECURITY_POLICY).is_none_or(|policy| policy != EMBED_POLICY) {
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("private, no-cache"));
    // A body of unknown length is a stream. nginx would hold its events back until a buffer is full.
    if response.body().size_hint().exact().is_none() {
        response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    }
    response
}

/// Refuses too many requests from one user, token or network.
pub(crate) async fn rate_limit(
    State(state): State<AppState>,
    request: Request,
    next: Next,
) -> Result<Response, AppError> {
    // No address has one.
    if has_control_in_percent(request.uri().to_string().as_bytes()) {
        return Err(AppError::NotFound("page of this address"));
    }
    let client = state.client_address(request.extensions(), request.headers());
    if !reads(&request) {
        if state.banned.contains(client.individual()) {
            return Err(AppError::Banned);
        }
        let headers = request.headers();
        let token = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        // Sessions and tokens are shorter than this, and only what is made up is longer.
        let key = |credential: &str| credential.chars().take(100).collect::<String>();
        let credentials = [token, session_of(headers)].into_iter().flatten().map(key);
        state.budgets.charge_write(credentials, client)?;
    } else if !is_health_check(request.uri().path()) {
        state.budgets.charge_network(operation_of(request.uri().path()), client)?;
    }
    Ok(next.run(request).await)
}

/// The price of a request that reads, whatever else its handler charges.
fn operation_of(path: &str) -> Operation {
    if path.starts_with("/assets/") {
        Operation::Asset
    } else if path.starts_with("/api/") || path.contains('.') {
        Operation::Read
    } else {
        Operation::Page
    }
}

/// The session cookie of a request, among other cookies.
fn session_of(headers: &HeaderMap) -> Option<&str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(';')).find_map(|cookie| cookie.trim().strip_prefix("lozenge="))
}

/// A handler's answer.
pub(crate) type AppResult<T> = Result<T, AppError>;

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Extension;
    use axum::body::Body;
    use axum::routing::post;
    use std::sync::Arc;
    use tokio::sync::Notify;
    use tower::ServiceExt as _;

    #[tokio::test]
    async fn request_completes_after_its_client_disconnects() {
        let (begun, completed) = (Arc::<Notify>::default(), Arc::<Notify>::default());
        let notify = (Arc::clone(&begun), Arc::clone(&completed));
        let wait = move |Extension(input::ClientDisconnect(mut disconnect)): Extension<
            input::ClientDisconnect,
        >| async move {
            notify.0.notify_one();
            while disconnect.changed().await.is_ok() {}
            notify.1.notify_one();
        };
        let router: Router =
            Router::new().route("/", post(wait)).layer(axum::middleware::from_fn(run_to_completion));
        let request = Request::post("/").body(Body::empty()).expect("a request");
        tokio::select! {
            answer = router.oneshot(request) => panic!("answered: {answer:?}"),
            () = begun.notified() => {}
        }
        completed.notified().await;
    }
}
