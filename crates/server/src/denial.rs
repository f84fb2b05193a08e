//! Why a well-formed request is denied to a person. The pages have a text for each code; the messages here are for programs.

use lozenge_game::convert::word;

/// Why a request is denied. The code is the name in snake case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Denial {
    /// Only accounts have ratings.
    #[error("expected an account for a rated game, found a guest")]
    RatedNeedsAccount,
    /// Some features are for accounts only.
    #[error("expected an account, found a guest")]
    NeedsAccount,
    /// Rated games have fixed terms.
    #[error("expected a rated game to be between people, with a clock, from the game's own start")]
    RatedTerms,
    /// The host has not allowed it.
    #[error("expected a casual game: games that users have made are not rated")]
    RatedByUsers,
    /// A seek of one's own.
    #[error("expected another player's seek")]
    OwnSeek,
    /// A challenge to the challenger's own account.
    #[error("expected another player, found oneself")]
    OwnChallenge,
    /// There are too many challenges.
    #[error("expected no open challenge to this player, at most 10 sent and at most 30 received ones")]
    TooManyChallenges,
    /// A report of one's own line.
    #[error("expected another player's line, found your own")]
    OwnLine,
    /// The author may not comment.
    #[error("this account may not comment at present")]
    CommentsMuted,
    /// A game has its most comments.
    #[error("expected at most 1,000 comments on one game")]
    TooManyComments,
    /// The visitor may read the study only.
    #[error("expected a member who may edit")]
    StudyReadOnly,
    /// The study belongs to another user.
    #[error("expected a study of your own")]
    NotOwnStudy,
    /// The owner need not be a member.
    #[error("expected another player: the study is your own")]
    OwnStudy,
    /// A study has its most members.
    #[error("expected at most 30 members of a study")]
    TooManyMembers,
    /// There is no room for another study, chapter or edit.
    #[error(
        "expected at most 200 studies of one user, 64 chapters of a study, and 32 MiB of all chapters and their edits"
    )]
    TooManyStudies,
    /// Reviews and studies are of finished games.
    #[error("expected a game that is over")]
    GameInProgress,
    /// A vote for a puzzle that the user does not know.
    #[error("expected a puzzle that you have tried")]
    PuzzleNotTried,
    /// The password has the wrong length.
    #[error("expected a password of 8 to 200 characters")]
    PasswordLength,
    /// The password is one of those that are guessed first.
    #[error("expected another password, found one that is common or the name itself")]
    CommonPassword,
    /// Not an e-mail address.
    #[error("expected an e-mail address")]
    EmailAddress,
    /// Another account has the name.
    #[error("expected a name that is free, found one that is taken or looks like one")]
    NameTaken,
    /// The client has an account already.
    #[error("expected a guest, found a signed-in account")]
    SignedIn,
    /// The second factor is on.
    #[error("expected an account without a second factor, found one that has it")]
    SecondFactorOn,
    /// The second factor is off.
    #[error("expected an account with a second factor, found one without")]
    SecondFactorOff,
    /// The setup of the second factor has expired.
    #[error("expected a second factor that is being set up")]
    SecondFactorExpired,
    /// A user has the most tokens.
    #[error("expected at most 20 tokens of one user")]
    TooManyTokens,
    /// Only a new account may become a bot's.
    #[error("expected an account that has not played, to make it a bot's")]
    HasPlayed,
    /// A user has the most games.
    #[error("expected at most 20 games of one user that are not archived")]
    TooManyGames,
    /// A game has the most versions.
    #[error("expected at most 100 versions of one game")]
    TooManyVersions,
    /// Another public game has the name.
    #[error("expected another name: there is a public game of this name, or of one that looks like it")]
    GameNameTaken,
    /// A published game can be archived, not deleted.
    #[error("expected a draft, found a published game, which can be archived")]
    Published,
    /// A user has the most pictures.
    #[error("expected at most 200 pictures of one user")]
    TooManyPictures,
    /// A user has the most imported games.
    #[error("expected fewer imported games of one user")]
    TooManyImports,
    /// A measurement of this user is running.
    #[error("expected one measurement of one user at a time")]
    MeasurementRunning,
    /// The user has had the measurements of a day.
    #[error("expected at most 5 measurements of one user in a day")]
    TooManyMeasurements,
}

impl Denial {
    /// The HTTP status.
    pub(crate) fn status(self) -> u16 {
        match self {
            Self::RatedNeedsAccount
            | Self::NeedsAccount
            | Self::OwnSeek
            | Self::OwnLine
            | Self::CommentsMuted
            | Self::StudyReadOnly
            | Self::NotOwnStudy
            | Self::GameInProgress
            | Self::PuzzleNotTried => 403,
            Self::RatedTerms
            | Self::RatedByUsers
            | Self::OwnChallenge
            | Self::PasswordLength
            | Self::CommonPassword
            | Self::EmailAddress => 422,
            _ => 409,
        }
    }

    /// One word for programs, which does not change.
    pub(crate) fn code(self) -> String {
        word(&self)
    }

    /// The problem's title.
    pub(crate) fn title(self) -> &'static str {
        match self.status() {
            403 => "Not allowed",
            422 => "Invalid request",
            _ => "Conflict",
        }
    }
}
