//! Who sends a request: the extractors of its session or token. Not here: accounts themselves.

mod guard;
mod visitor;

pub(crate) use guard::CredentialGuard;
pub(crate) use visitor::Visitor;
