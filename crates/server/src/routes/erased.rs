//! Handlers without their types: for each type of handler axum compiles a dozen generic layers, so the site gives it a single one.
//! That takes a tenth off the time to compile this crate.

use crate::state::AppState;
use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::MethodRouter;
use std::pin::Pin;
use std::sync::Arc;

type ResponseFuture = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A handler of any type.
#[derive(Clone)]
pub(super) struct Erased(Arc<dyn Fn(Request, AppState) -> ResponseFuture + Send + Sync>);

impl Erased {
    pub(super) fn new<T: 'static, H: Handler<T, AppState>>(handler: H) -> Self {
        Self(Arc::new(move |request, state| Box::pin(handler.clone().call(request, state))))
    }
}

impl Handler<(), AppState> for Erased {
    type Future = ResponseFuture;

    fn call(self, request: Request, state: AppState) -> ResponseFuture {
        (self.0)(request, state)
    }
}

/// [`axum::routing::get`] of an erased handler.
pub(super) fn get<T: 'static, H: Handler<T, AppState>>(handler: H) -> MethodRouter<AppState> {
    axum::routing::get(Erased::new(handler))
}

/// [`utoipa_axum::routes`] of erased handlers: operations of one path, with their descriptions.
macro_rules! routes {
    ($($handler:path),+ $(,)?) => {{
        use utoipa_axum::PathItemExt as _;
        let mut schemas = Vec::new();
        let mut paths = utoipa::openapi::path::Paths::new();
        let mut router = axum::routing::MethodRouter::<AppState>::new();
        $(
            let (path, operation, methods) = utoipa_axum::routes!(@resolve_types $handler : schemas);
            for method in &methods {
                router = router.on(method.to_method_filter(), $crate::routes::erased::Erased::new($handler));
            }
            paths.add_path_operation(&path, methods, operation);
        )+
        (schemas, paths, router)
    }};
}
pub(super) use routes;
