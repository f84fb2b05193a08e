//! Mail to the owners of accounts: links that confirm an address or set a new password. Only where the host has named a
//! mail server. Not here: which links are valid (`store`).

use crate::views::Texts;
use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Message, Tokio1Executor};
use std::time::Duration;

/// How long the mail server may take.
const SEND_TIMEOUT: Duration = Duration::from_secs(20);

/// Why mail cannot be sent as the host has set it up.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// The address of the mail server.
    #[error("expected a mail server as smtps://USER:PASSWORD@HOST or smtp://HOST:PORT: {0}")]
    Server(lettre::transport::smtp::Error),
    /// The sender.
    #[error("expected a sender such as `Lozenge <chess@chess.example>`: {0}")]
    Sender(lettre::address::AddressError),
}

/// A mail server, and who sends. Clones share it.
#[derive(Clone)]
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    sender: Mailbox,
    /// The site's address, which links begin with.
    site: String,
}

impl core::fmt::Debug for Mailer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        // The server's address has a password.
        f.debug_struct("Mailer")
            .field("sender", &self.sender)
            .field("site", &self.site)
            .finish_non_exhaustive()
    }
}

/// A kind of mail: the prefix of its texts, and the page of its link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Letter {
    texts: [&'static str; 3],
    page: &'static str,
}

/// An address is to be confirmed.
pub(crate) const CONFIRM: Letter = Letter {
    texts: ["letter-confirm-subject", "letter-confirm-first", "letter-confirm-last"],
    page: "confirm-email",
};
/// A new password is to be chosen.
pub(crate) const RESET: Letter =
    Letter { texts: ["letter-reset-subject", "letter-reset-first", "letter-reset-last"], page: "reset" };

impl Mailer {
    /// A mail server by its address, the sender, and the site's own address, without which there are no links.
    ///
    /// # Errors
    /// If one of them is malformed.
    pub fn new(smtp: &str, sender: &str, site: &str) -> Result<Self, MailError> {
        let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(smtp).map_err(MailError::Server)?;
        let transport = transport.timeout(Some(SEND_TIMEOUT)).build();
        let sender = sender.parse().map_err(MailError::Sender)?;
        Ok(Self { transport, sender, site: site.trim_end_matches('/').to_owned() })
    }

    /// Sends mail with a link, on a task of its own, so that the response time reveals nothing.
    pub(crate) fn send(&self, to: Address, name: &str, letter: Letter, secret: &str, texts: &Texts) {
        let [subject, first, last] = letter.texts;
        // Behind the `#` the secret is in no log and no `Referer`.
        let link = format!("{}/{}#{secret}", self.site, letter.page);
        let body = format!(
            "{}\n\n{}\n\n{link}\n\n{}\n",
            texts.with("letter-hello", "name", name),
            texts.with(first, "site", &self.site),
            texts.get(last)
        );
        let message = Message::builder()
            .from(self.sender.clone())
            .to(Mailbox::new(None, to))
            // Mail without one looks like spam.
            .message_id(Some(format!("<{}@{}>", lozenge_game::ids::other(), self.sender.email.domain())))
            .subject(texts.get(subject))
            .header(ContentType::TEXT_PLAIN)
            .body(body);
        let transport = self.transport.clone();
        tokio::spawn(async move {
            let sent = match message {
                Ok(message) => transport.send(message).await.map(drop).map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            match sent {
                Ok(()) => metrics::counter!("lozenge_mails_sent").increment(1),
                Err(error) => {
                    metrics::counter!("lozenge_mails_failed").increment(1);
                    tracing::error!(error, "a mail could not be sent");
                }
            }
        });
    }
}
