//! The preview of a shared link on other sites and in messengers: title, description and picture of a board (Open Graph,
//! Twitter card). Not here: the pictures.

use super::PageFrame;
use super::puzzles::picture_query;
use lozenge_store::ChapterRow;
use lozenge_wire::study::StudyStart;
use lozenge_wire::{Game, Puzzle};
use url::form_urlencoded::byte_serialize;

/// Longest description, in characters: sites show about as much.
const MAX_DESCRIPTION: usize = 200;

/// The preview of a page.
#[derive(Clone, Debug)]
pub(crate) struct ShareCard {
    pub(crate) title: String,
    pub(crate) description: String,
    /// Path of the page.
    pub(crate) path: String,
    /// Path of a picture as PNG, with an equally long width and height.
    pub(crate) picture: String,
}

/// The path of the picture of a game's position; the start without a FEN.
fn picture(variant: &str, fen: Option<&str>) -> String {
    let query = fen.map(|fen| format!("?fen={}", byte_serialize(fen.as_bytes()).collect::<String>()));
    format!("/api/variants/{variant}/picture.png{}", query.unwrap_or_default())
}

/// A text in one line, cut at the end of a word.
fn shortened(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= MAX_DESCRIPTION {
        return text;
    }
    let cut: String = text.chars().take(MAX_DESCRIPTION).collect();
    let end = cut.rfind(' ').unwrap_or(cut.len());
    format!("{}…", cut[..end].trim_end_matches([',', '.', ';', ':']))
}

impl PageFrame {
    /// The frame of a page with this card.
    pub(super) fn with_card(mut self, title: &str, description: &str, path: &str, picture: String) -> Self {
        self.card = Some(ShareCard {
            title: title.to_owned(),
            description: shortened(description),
            path: path.to_owned(),
            picture,
        });
        self
    }

    pub(super) fn with_home_card(self) -> Self {
        let (title, lead) = (format!("Lozenge · {}", self.t("tagline")), self.t("lead"));
        self.with_card(&title, &lead, "/", picture("diamond", None))
    }

    pub(super) fn with_game_card(self, game: &Game) -> Self {
        let players: Vec<String> = self.players(game).into_iter().map(|(_, player)| player).collect();
        let title = format!("{} · {}", players.join(" – "), game.variant_name);
        let clock = super::clock_text(&self.texts, game.clock);
        let rated = self.t(if game.rated { "rated" } else { "casual" });
        let description = format!("{} {clock} · {rated}", self.standing(game));
        let path = format!("/game/{}", game.id);
        self.with_card(&title, &description, &path, format!("/api/games/{}/picture.png", game.id))
    }

    pub(super) fn with_puzzle_card(self, puzzle: &Puzzle) -> Self {
        let title = format!("{} · {}", self.t("puzzle"), puzzle.variant_name);
        let description = format!("{}. {}", self.to_move(puzzle), self.t("puzzle-task"));
        let path = format!("/puzzles/{}", puzzle.id);
        let picture = format!("{}?{}", picture(&puzzle.variant, None), picture_query(puzzle));
        self.with_card(&title, &description, &path, picture)
    }

    pub(super) fn with_study_card(self, start: &StudyStart, chapter: Option<&ChapterRow>) -> Self {
        let (study, summary) = (&start.study, &start.study.summary);
        let owner = match &summary.owner {
            Some(owner) => self.texts.with("made-by", "name", owner.as_str()),
            None => self.t("study-of-site"),
        };
        let chapters = self.count("study-chapters", &summary.chapters.into());
        let about = [study.about.as_str(), &owner, &chapters];
        let description = about.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
        let picture = match chapter {
            // A later version of a user's game may have another board.
            Some(chapter) => picture(&chapter.digest, Some(&chapter.fen)),
            None => picture("diamond", None),
        };
        let path = format!("/study/{}", summary.id);
        self.with_card(&summary.name, &description, &path, picture)
    }

    pub(super) fn with_learn_card(self) -> Self {
        let (title, lead) = (self.t("learn-title"), self.t("learn-lead"));
        self.with_card(&title, &lead, "/learn", picture("diamond", None))
    }

    /// The card of the course of a game that stands at this address.
    pub(super) fn with_course_card(self, name: &str, about: &str, address: &str) -> Self {
        let title = self.course_title(name);
        self.with_card(&title, about, &format!("/learn/{address}"), picture(address, None))
    }

    /// The card of a page about a game that stands at this address.
    pub(super) fn with_page_card(self, title: &str, about: &str, path: &str, address: &str) -> Self {
        self.with_card(title, about, path, picture(address, None))
    }

    /// The card of the rules of a game that stands at this path.
    pub(super) fn with_rules_card(self, name: &str, about: &str, path: &str, address: &str) -> Self {
        self.with_card(name, about, path, picture(address, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_descriptions_end_with_a_whole_word() {
        assert_eq!(shortened(" A board\n without an edge. "), "A board without an edge.");
        let long = "Boards that stand on a corner. ".repeat(20);
        let short = shortened(&long);
        assert!(short.chars().count() <= MAX_DESCRIPTION + 1, "{short}");
        let kept = short.strip_suffix('…').unwrap();
        assert!(long.strip_prefix(kept).unwrap().starts_with([' ', '.']), "{short}");
        assert_eq!(shortened(&"ß".repeat(300)).chars().count(), MAX_DESCRIPTION + 1);
    }
}
