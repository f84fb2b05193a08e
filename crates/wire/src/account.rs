//! Accounts, settings and tokens.

use crate::lessons::CourseProgress;
use crate::{Player, PuzzleRating, Speed};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Name and password, to register or sign in.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// 2 to 20 letters, digits, `_` or `-`; not a reserved name such as `me`.
    pub name: String,
    /// 8 to 200 characters.
    pub password: String,
    /// To sign in with a second factor: a code of the app, or a backup code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl core::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Credentials").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A change of password.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    /// The current password.
    pub old: String,
    /// The new password: 8 to 200 characters.
    pub new: String,
}

/// The client's own account.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Account {
    /// The player; none for a visitor without an account or game.
    pub player: Option<Player>,
    /// Their settings.
    pub settings: Settings,
    /// Their ratings.
    pub ratings: Vec<RatingEntry>,
    /// Security settings of the account; none for guests and tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub security: Option<Security>,
    /// A new recovery code: sent once, when the account is made or recovered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery_code: Option<String>,
}

/// The security settings of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Security {
    /// Whether it has a recovery code.
    pub recovery: bool,
    /// Whether signing in needs a second factor.
    pub second_factor: bool,
    /// Backup codes of the second factor that are left.
    pub backup_codes: u32,
    /// Whether this site can send mail.
    pub mail: bool,
    /// The confirmed e-mail address.
    pub email: Option<String>,
}

/// Settings of a player. Unknown settings are refused, and so are values that [`Settings::fault`] finds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// `light`, `dark`, or `auto` or none for the machine's.
    pub theme: Option<String>,
    /// `en`, `de` or none for the browser's.
    pub language: Option<String>,
    /// The board's colors: `heather`, `oak`, `lake`, `contrast`, or none for the default.
    pub board: Option<String>,
    /// Whether boards play sounds.
    pub sound: Option<bool>,
    /// Whether resigning and offering a draw take a second press; they do unless this is false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<bool>,
    /// The drawings of the pieces: `classic`, `medallion`, or none for the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pieces: Option<String>,
    /// Speed of the animation of moves: `none`, `fast`, `normal`, `slow`, or none for the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub animation: Option<String>,
    /// Whether a move entered on the board is played only after a second press.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm_moves: Option<bool>,
}

impl Settings {
    /// The error message, if a value is invalid.
    ///
    /// ```
    /// use lozenge_wire::Settings;
    ///
    /// let liked = Settings { theme: Some("dark".into()), ..Settings::default() };
    /// assert_eq!(liked.fault(), None);
    /// let odd = Settings { language: Some("klingon".into()), ..liked };
    /// assert_eq!(odd.fault().as_deref(), Some("language: expected one of en, de or none, found klingon"));
    /// ```
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let known: [(&str, &Option<String>, &[&str]); 5] = [
            ("theme", &self.theme, &["light", "dark", "auto"]),
            ("language", &self.language, &["en", "de"]),
            ("board", &self.board, &["heather", "oak", "lake", "contrast"]),
            ("pieces", &self.pieces, &["classic", "medallion"]),
            ("animation", &self.animation, &["none", "fast", "normal", "slow"]),
        ];
        known.into_iter().find_map(|(name, value, values)| {
            let found = value.as_deref().filter(|found| !values.contains(found))?;
            // The value may be long.
            let found: String = found.chars().filter(|c| !c.is_control()).take(40).collect();
            Some(format!("{name}: expected one of {} or none, found {found}", values.join(", ")))
        })
    }
}

/// The public profile of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Profile {
    /// The player.
    pub player: Player,
    /// When the account was made, in Unix milliseconds.
    pub created_at: i64,
    /// Ratings by game and speed.
    pub ratings: Vec<RatingEntry>,
    /// All finished games.
    #[serde(flatten)]
    pub all: Tally,
    /// The finished games by game and speed, those played most often first.
    pub statistics: Vec<Statistics>,
    /// Ratings in puzzles, the game with the most rated puzzles first.
    pub puzzles: Vec<PuzzleRating>,
    /// Progress in the courses of built-in games, the latest first.
    pub lessons: Vec<CourseProgress>,
}

/// Results of finished games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Tally {
    /// Games finished.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// A player's finished games of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Statistics {
    /// Id of the rules.
    pub variant: String,
    /// Name of the rules.
    pub variant_name: String,
    /// The class of clock.
    pub speed: Speed,
    /// Their results.
    #[serde(flatten)]
    pub all: Tally,
    /// How many play it, if not two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<u8>,
    /// Those with White; none of a game of four.
    pub white: Tally,
    /// Those with Black; none of a game of four.
    pub black: Tally,
    /// Half moves of a game, on average.
    pub average_plies: f64,
    /// The rating, if one of them was rated.
    pub rating: Option<RatingEntry>,
}

/// A rating: of a game of two by Glicko-2, of a game of four by Weng-Lin, whose volatility stays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingEntry {
    /// Id of the rules.
    pub variant: String,
    /// The class of clock.
    pub speed: Speed,
    /// The rating.
    pub rating: f64,
    /// Its deviation.
    pub deviation: f64,
    /// Its volatility.
    pub volatility: f64,
    /// Rated games.
    pub games: u32,
}

/// A scope of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Create and play games.
    Play,
    /// Play as a bot.
    Bot,
    /// Read settings and private games.
    Read,
}

/// A new token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewToken {
    /// A description.
    pub label: String,
    /// Its scopes.
    pub scopes: Vec<Scope>,
}

/// A token for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Token {
    /// Its id, to revoke it by.
    pub id: String,
    /// A description.
    pub label: String,
    /// Its scopes.
    pub scopes: Vec<Scope>,
    /// When it was made, in Unix milliseconds.
    pub created_at: i64,
    /// The token itself: only in the answer to its creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// A password, which confirms the client's identity.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// The password.
    pub password: String,
}

/// A recovery code: sent once.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct RecoveryCode {
    /// The code.
    pub recovery_code: String,
}

/// A recovery code, which replaces a forgotten password.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Recover {
    /// Name of the account.
    pub name: String,
    /// The recovery code. Case, spaces and hyphens do not matter.
    pub recovery_code: String,
    /// The new password: 8 to 200 characters.
    pub password: String,
    /// A code of the second factor, if the account has one.
    #[serde(default)]
    pub code: Option<String>,
}

/// A second factor that is being set up.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct SecondFactorSetup {
    /// The secret, in base 32, to be typed into an app.
    pub secret: String,
    /// The same as an address that apps know: `otpauth://totp/…`.
    pub uri: String,
    /// That address as a QR code, as SVG.
    pub qr: String,
}

/// A code of the second factor.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SecondFactorCode {
    /// Six digits of the app.
    pub code: String,
}

/// Password and second factor together.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FullProof {
    /// The password.
    pub password: String,
    /// A code of the app, or a backup code.
    pub code: String,
}

/// Backup codes of the second factor, each valid once: sent once.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct BackupCodes {
    /// The codes.
    pub backup_codes: Vec<String>,
}

/// An e-mail address for an account.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewEmail {
    /// The password.
    pub password: String,
    /// The address; none removes the current one.
    #[serde(default)]
    pub email: Option<String>,
}

/// The token of a link that was sent by mail.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MailLink {
    /// The fragment of the link, after the `#`.
    pub token: String,
}

/// A request for a password reset.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ForgottenPassword {
    /// The confirmed e-mail address of the account.
    pub email: String,
}

/// A new password by a link that was sent by mail.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResetPassword {
    /// The fragment of the link, after the `#`.
    pub token: String,
    /// The new password: 8 to 200 characters.
    pub password: String,
    /// A code of the second factor, if the account has one.
    #[serde(default)]
    pub code: Option<String>,
}
