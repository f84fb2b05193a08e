//! The pages of studies.

use super::{PageFrame, data, escaped, game_names};
use askama::Template;
use lozenge_store::{ChapterRow, write_json};
use lozenge_wire::study::{StudyStart, StudySummary, StudyVisibility};
use lozenge_wire::{Board, GameName, VariantSummary};
use serde::Serialize;

/// The search form of the list of studies.
#[derive(Clone, Debug)]
pub(crate) struct StudyForm {
    /// Words to search for.
    pub(crate) words: String,
    /// Which: `all`, `mine` or `liked`.
    pub(crate) of: &'static str,
    /// The owner; empty for any owner.
    pub(crate) owner: String,
    /// How they are sorted: `new` or `liked`.
    pub(crate) sort: &'static str,
    /// Where the next page begins, if there is one, as the query of its address.
    pub(crate) next: Option<String>,
    /// Whether the reader has an account.
    pub(crate) account: bool,
}

#[derive(Template)]
#[template(path = "studies.html")]
struct StudiesPage<'a> {
    frame: PageFrame,
    studies: &'a [StudySummary],
    variants: &'a [VariantSummary],
    form: StudyForm,
}

impl StudiesPage<'_> {
    /// The three lists, with their names.
    fn lists(&self) -> [(&'static str, String); 3] {
        ["all", "mine", "liked"].map(|of| (of, self.frame.t(&format!("studies-{of}"))))
    }

    fn sorts(&self) -> [(&'static str, String, bool); 2] {
        ["new", "liked"].map(|sort| (sort, self.frame.t(&format!("sort-{sort}")), sort == self.form.sort))
    }

    /// The names of a study's games.
    fn games(&self, study: &StudySummary) -> String {
        let name = |id: &String| {
            let known = self.variants.iter().find(|variant| variant.id == *id);
            known.map_or_else(|| id.trim_start_matches('~').to_owned(), |variant| variant.name.clone())
        };
        study.variants.iter().map(name).collect::<Vec<_>>().join(", ")
    }

    /// A study's owner, length and likes, and its visibility unless it is public, in a line.
    fn line(&self, study: &StudySummary) -> String {
        let owner = match &study.owner {
            Some(owner) => self.frame.texts.with("made-by", "name", owner.as_str()),
            None => self.frame.t("study-of-site"),
        };
        let chapters = self.frame.count("study-chapters", &study.chapters.into());
        let likes = (study.likes > 0).then(|| self.frame.count("likes", &study.likes.into()));
        let hidden = match study.visibility {
            StudyVisibility::Public => None,
            StudyVisibility::Unlisted => Some(self.frame.t("study-unlisted")),
            StudyVisibility::Private => Some(self.frame.t("study-private")),
        };
        [Some(owner), Some(chapters), likes, hidden].into_iter().flatten().collect::<Vec<_>>().join(" · ")
    }
}

/// Studies.
pub(crate) fn studies(
    frame: PageFrame,
    studies: &[StudySummary],
    variants: &[VariantSummary],
    form: StudyForm,
) -> askama::Result<String> {
    StudiesPage { frame, studies, variants, form }.render()
}

/// The initial data of the form for a new study.
#[derive(Debug, Serialize)]
pub(crate) struct NewStudyData {
    /// Whether the reader has an account.
    pub(crate) account: bool,
    /// The game that its first chapter is made of.
    pub(crate) game: Option<String>,
    pub(crate) variant: Option<String>,
    pub(crate) fen: Option<String>,
    /// The games that there are.
    pub(crate) games: Vec<GameName>,
}

#[derive(Template)]
#[template(path = "study_new.html")]
struct NewStudyPage {
    frame: PageFrame,
    data: String,
}

/// A form for a new study.
pub(crate) fn new_study(frame: PageFrame, new: &NewStudyData) -> askama::Result<String> {
    NewStudyPage { frame, data: data(new) }.render()
}

/// A study with one of its chapters.
pub(crate) struct StudyPageData {
    /// Without the chapter.
    pub(crate) start: StudyStart,
    /// The chapter, and the same as JSON.
    pub(crate) chapter: Option<(ChapterRow, String)>,
    /// The chapter's board.
    pub(crate) board: Option<Board>,
}

#[derive(Template)]
#[template(path = "study.html")]
struct StudyPage {
    frame: PageFrame,
    start: StudyStart,
    board: String,
    data: String,
    variants: String,
}

/// A study with one of its chapters.
pub(crate) fn study(
    frame: PageFrame,
    page: StudyPageData,
    variants: &[VariantSummary],
) -> askama::Result<String> {
    let board = page.board.map_or_else(|| "null".into(), |board| frame.board(board));
    let variants = game_names(variants);
    let (chapter, text) = page.chapter.as_ref().map(|(row, text)| (row, text.as_str())).unzip();
    let frame = frame.with_study_card(&page.start, chapter);
    let variants = data(&variants);
    let data = escaped(start_text(&page.start, text));
    StudyPage { board, data, variants, start: page.start, frame }.render()
}

#[derive(Template)]
#[template(path = "study_embed.html")]
struct EmbeddedStudyPage {
    frame: PageFrame,
    start: StudyStart,
    board: String,
    data: String,
}

/// A chapter of a study, to be shown in a frame of another site.
pub(crate) fn embedded_study(frame: PageFrame, page: StudyPageData) -> askama::Result<String> {
    let board = page.board.map_or_else(|| "null".into(), |board| frame.board(board));
    let data = escaped(start_text(&page.start, page.chapter.as_ref().map(|(_, text)| text.as_str())));
    EmbeddedStudyPage { board, data, start: page.start, frame }.render()
}

/// The JSON of a [`StudyStart`] with a chapter that is text already.
fn start_text(start: &StudyStart, chapter: Option<&str>) -> String {
    let StudyStart { study, chapter: _, variant_name, account, playing } = start;
    let (study, name) = (write_json(study), write_json(variant_name));
    let chapter = chapter.unwrap_or("null");
    format!(
        "{{\"study\":{study},\"chapter\":{chapter},\"variant_name\":{name},\"account\":{account},\"playing\":{playing}}}"
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;
    use lozenge_wire::analysis::{Notes, Tree};
    use lozenge_wire::study::{Chapter, Study};

    #[test]
    fn start_with_a_chapter_as_text_is_that_of_the_wire() {
        let summary = StudySummary {
            id: "id".into(),
            name: "\"chapter\":null".into(),
            owner: None,
            visibility: StudyVisibility::Public,
            tags: Vec::new(),
            language: None,
            variants: Vec::new(),
            chapters: 1,
            likes: 0,
            updated_at: 0,
        };
        let study = Study {
            summary,
            about: String::new(),
            translations: Vec::new(),
            members: Vec::new(),
            list: Vec::new(),
            seq: 7,
            writable: false,
            own: false,
            member: None,
            hidden: false,
            liked: true,
        };
        let tree = Tree {
            variant: "chess".into(),
            digest: "0".into(),
            fen: "8".into(),
            check: None,
            tags: Vec::new(),
            notes: Notes::default(),
            nodes: Vec::new(),
        };
        let chapter = Chapter { id: "one".into(), name: "One".into(), seq: 7, tree };
        let mut start =
            StudyStart { study, chapter: None, variant_name: "Chess".into(), account: true, playing: false };
        assert_eq!(start_text(&start, None), write_json(&start));
        let text = start_text(&start, Some(&write_json(&chapter)));
        start.chapter = Some(chapter);
        assert_eq!(text, write_json(&start));
    }
}
