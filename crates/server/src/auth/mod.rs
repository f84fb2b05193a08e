//! Extractors of a request's session or token. Not here: accounts themselves.

mod guard;
mod visitor;

pub(crate) use guard::CredentialGuard;
pub(crate) use visitor::Visitor;
