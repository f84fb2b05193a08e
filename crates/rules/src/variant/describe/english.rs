//! Every text in English.

mod moves;

use super::document::Subject;
use super::motion::Spot;
use super::text::{
    Area, Attacks, BlackSide, CastlingWay, Forward, History, Line, Mark, Name, StartName, Text, file_letter,
};
use crate::variant::{Condition, Limit, Stalemate};

/// A text in English.
///
/// ```
/// use lozenge_rules::variant::describe::{english, text::Text};
/// assert_eq!(english(&Text::NoCastling), "There is no castling.");
/// ```
#[must_use]
pub fn english(text: &Text) -> String {
    match text {
        Text::Heading(subject) => heading(*subject).into(),
        Text::InventedBy { author, year: Some(year) } => format!("Invented by {author}, {year}."),
        Text::InventedBy { author, year: None } => format!("Invented by {author}."),
        Text::PublishedIn(year) => format!("First published in {year}."),
        Text::Source(source) => format!("Source: {source}."),
        Text::About(text) | Text::Reading { text, .. } => text.clone(),
        Text::Size { squares, files, ranks, gaps } => size(*squares, (*files, *ranks), *gaps),
        Text::Holes(holes) => holes_inside(holes),
        Text::Joined { files, ranks } => joined(*files, *ranks),
        Text::Forward(way) => forward(way),
        Text::BlackSide(side) => black_side(side),
        Text::Start(None) => "The starting position.".into(),
        Text::Start(Some(StartName { name, .. })) => format!("The starting position ({name})."),
        Text::Capitals => "Capitals are White's pieces, small letters Black's.".into(),
        Text::Starts(starts) => several_starts(starts),
        Text::Distances => "How far each square is from White's camp, which is marked 0; for Black the numbers are \
                            mirrored:"
            .into(),
        Text::Legend(marks) => legend(marks),
        Text::Piece(name) => name.0.clone(),
        Text::Moves(moves) => moves::moves(moves),
        Text::Immobile => "Cannot move.".into(),
        Text::Fused([Name(one), Name(other)]) => format!(
            "{one} and {other} in one: moves and captures as both. Either part may leave the other behind."
        ),
        Text::Longest(steps) => format!(
            "A move that turns has at most {} steps in all and comes to no square twice.",
            number(*steps)
        ),
        Text::Closed(closed) => format!(
            "Closed to it: {}. It neither ends there nor passes there; a leap is judged by where it ends.",
            area(closed)
        ),
        Text::Notation(moves) => notation(moves),
        Text::DrawnFrom(square) => format!("from {square}"),
        Text::DrawnAmongPieces => "with pieces in the way".into(),
        Text::DrawnElsewhere => "Elsewhere accordingly.".into(),
        Text::Aim => "White moves first. A move may not leave one's own King attacked. Who is in check and has no \
                      legal move is checkmated and has lost."
            .into(),
        Text::Goal { pieces, on: [white, black] } => format!(
            "A white {pieces} that arrives on {} by a legal move wins at once, and so does a black {pieces} on {}.",
            spots(white, "or"),
            spots(black, "or"),
            pieces = names(pieces, "or"),
        ),
        Text::Promotion { pieces, on: [white, black], to } => format!(
            "A white {} that arrives on {}, or a black one on {}, must be promoted to {}.",
            names(pieces, "or"),
            spots(white, "or"),
            spots(black, "or"),
            article(&names(to, "or")),
        ),
        Text::Promotions { pieces, to, turned } => promotions(pieces, to, *turned),
        Text::NoPromotion => "There is no promotion.".into(),
        Text::Fusing(fusions) => fusing(fusions),
        Text::Splitting => "Splitting: one part of a compound may leave it, by its own move without capture to an \
                            empty square, and the other part stays. The letter of the part that leaves is written \
                            behind the move (e4e6r, in game records Qe6R). Neither fusing nor splitting is a \
                            capture, and neither restarts the count of moves."
            .into(),
        Text::EnPassant(pieces) => format!(
            "En passant: directly after {piece} has made its first move of two squares, {piece} of the other side that \
             could capture on the square it crossed may do so, as if it had gone only one square.",
            piece = article(&names(pieces, "or")),
        ),
        Text::NoCastling => "There is no castling.".into(),
        Text::Castling(color, ways) => {
            let ways: Vec<String> = ways.iter().map(castling).collect();
            format!("Castling, {color}: {}.", ways.join("; "))
        }
        Text::CastlingTerms { king, history, attacks } => castling_terms(king, *history, *attacks),
        Text::Stalemate(outcome) => stalemate(*outcome).into(),
        Text::Repetition(limit) => repetition(*limit),
        Text::MoveCount { limit, pawns } => move_count(*limit, pawns),
        Text::Dead(material) => dead(material),
        Text::Id => "id".into(),
        Text::StartLabel(None) => "start".into(),
        Text::StartLabel(Some(number)) => format!("start {number}"),
    }
}

fn heading(subject: Subject) -> &'static str {
    match subject {
        Subject::Board => "The board",
        Subject::Pieces => "The pieces",
        Subject::Rules => "The rules",
        Subject::Readings => "How unclear places are read",
        Subject::Programs => "For programs",
    }
}

fn size(squares: usize, (files, ranks): (u8, u8), gaps: bool) -> String {
    format!(
        "{} on {} (a to {}) and {}{}.",
        count(squares, "square", "squares"),
        count(files.into(), "file", "files"),
        file_letter(files.saturating_sub(1)),
        count(ranks.into(), "rank", "ranks"),
        if gaps { "; where nothing is drawn there is no square" } else { "" },
    )
}

fn holes_inside(holes: &[String]) -> String {
    let which = match holes {
        [one] => format!("{one} is"),
        _ => format!("Each of {} is", list(holes, "and")),
    };
    format!(
        "{which} a hole inside the board: pieces that slide stop there as at the edge, pieces that leap pass over it."
    )
}

fn joined(files: Option<char>, ranks: Option<u8>) -> String {
    let files = files.map(|last| format!("file {last} is next to file a"));
    let ranks = ranks.map(|last| format!("rank {last} is next to rank 1"));
    match (files, ranks) {
        (Some(files), Some(ranks)) => format!("There is no edge: {files} and {ranks} (a torus)."),
        (Some(files), None) => format!("The side edges are joined: {files} (a cylinder)."),
        (None, Some(ranks)) => format!("The near and far edges are joined: {ranks}."),
        (None, None) => "No edges are joined.".into(),
    }
}

fn forward(forward: &Forward) -> String {
    match forward {
        Forward::Straight(line) => {
            let side = match line {
                Line::Up(rank) => format!("up the board, toward rank {rank}"),
                Line::Down => "down the board, toward rank 1".into(),
                Line::Right(file) => format!("to the right, toward file {file}"),
                Line::Left => "to the left, toward file a".into(),
            };
            format!("For White forward is {side}.")
        }
        Forward::Corner { from, to, left, right, sides: [start, end] } => {
            let along = |line: &Line| match line {
                Line::Up(_) => "up a file",
                Line::Down => "down a file",
                Line::Right(_) => "to the right along a rank",
                Line::Left => "to the left along a rank",
            };
            format!(
                "The game is played from corner to corner: for White straight forward is along the diagonals from \
                 {from} toward {to}, half left forward is {}, half right forward is {}, and sideways is along the \
                 diagonals that run from {start} to {end}.",
                along(left),
                along(right),
            )
        }
    }
}

fn black_side(side: &BlackSide) -> String {
    let so = |example: &Option<[String; 2]>| {
        example.as_ref().map_or_else(String::new, |[one, other]| format!(", so that {one} becomes {other}"))
    };
    let how = match side {
        BlackSide::Turned(example) => format!("is White's turned by 180 degrees{}", so(example)),
        BlackSide::MirroredRanks(last) => format!("mirrors White's: rank 1 becomes rank {last}"),
        BlackSide::MirroredFiles(last) => format!("mirrors White's: file a becomes file {last}"),
        BlackSide::MirroredDiagonal { diagonal: [from, to], example } => {
            format!("mirrors White's in the diagonal from {from} to {to}{}", so(example))
        }
    };
    format!("Black's side {how}.")
}

fn several_starts(starts: &[StartName]) -> String {
    let named: Vec<String> = starts.iter().map(|start| format!("{}: {}", start.number, start.name)).collect();
    format!(
        "There are {} starting positions ({}). The first is drawn; a new game chooses one by lot unless told.",
        number(starts.len()),
        named.join("; ")
    )
}

fn legend(marks: &[Mark]) -> String {
    let said = |mark: &Mark| {
        let words = match mark {
            Mark::Either => "moves or captures there",
            Mark::Quiet => "moves there without capturing",
            Mark::Capture => "only captures there",
            Mark::First => "moves there as its first move",
            Mark::Over => "goes there across one piece on the way",
            Mark::Blocker => "is a piece in the way",
            Mark::Victim => "one that it captures, if it is an enemy",
        };
        format!("{} {words}", mark.sign())
    };
    let marks: Vec<String> = marks.iter().map(said).collect();
    format!(
        "Each is drawn as White's, alone on the board: {}. Betza is the notation of the moves in the game's file.",
        marks.join("; ")
    )
}

/// The Betza text, with the conditions of its parts.
fn notation(moves: &[(String, Condition)]) -> String {
    let part = |(betza, condition): &(String, Condition)| {
        if condition.is_always() {
            betza.clone()
        } else {
            format!("{betza} ({})", moves::condition(condition))
        }
    };
    let parts: Vec<String> = moves.iter().map(part).collect();
    format!("Betza: {}", parts.join("; "))
}

fn promotions(pieces: &[Name], to: &[(Vec<Spot>, Vec<Name>)], turned: bool) -> String {
    let zone =
        |(on, to): &(Vec<Spot>, Vec<Name>)| format!("on {} {}", spots(on, "or"), article(&names(to, "or")));
    let zones: Vec<String> = to.iter().map(zone).collect();
    format!(
        "A white {} must be promoted when it arrives on certain squares; what it becomes depends on the square: {}. \
         For Black the same squares {} count.",
        names(pieces, "or"),
        zones.join("; "),
        if turned { "turned by 180 degrees" } else { "mirrored" }
    )
}

fn fusing(fusions: &[([Name; 2], Name)]) -> String {
    let make = |([Name(one), Name(other)], into): &([Name; 2], Name)| {
        format!("{one} and {other} make {}", article(&into.0))
    };
    let pairs: Vec<String> = fusions.iter().map(make).collect();
    format!(
        "Fusing: a piece may move onto a piece of its own side, as if it captured it, and the two become one: {}. A \
         compound does not fuse any further. The move is written as any other, from square to square (e4e6), in \
         game records without the sign of a capture (Re6).",
        pairs.join("; ")
    )
}

fn castling(way: &CastlingWay) -> String {
    let label = if way.short { "short (O-O)" } else { "long (O-O-O)" };
    let (Name(king), [a, b]) = &way.king;
    let (Name(rook), [c, d]) = &way.rook;
    if way.trades() {
        format!("{label}, {king} {a} and {rook} {c} trade places")
    } else {
        format!("{label}, {king} {a} to {b} and {rook} {c} to {d}")
    }
}

fn castling_terms(Name(king): &Name, history: History, attacks: Attacks) -> String {
    let history = match history {
        History::Unmoved => format!("{king} and rook must not have moved before"),
        History::Forgotten => "history does not matter: it is enough that both stand on their squares".into(),
        History::Mixed => {
            "some castlings need a right that is lost when King or rook moves, see the starting position"
                .into()
        }
    };
    let may = match attacks {
        Attacks::Free => "may castle out of check and across attacked squares, but may not end in check",
        Attacks::Strict => "may not castle out of check, across an attacked square or into check",
        Attacks::Ends => "may not end in check",
    };
    format!(
        "For castling {history}; all squares between the two and on their ways must be empty; the {king} {may}."
    )
}

fn stalemate(outcome: Stalemate) -> &'static str {
    match outcome {
        Stalemate::Draw => "Who is not in check but has no legal move is stalemated, and the game is drawn.",
        Stalemate::Loss => "Who is not in check but has no legal move is stalemated and has lost.",
        Stalemate::Win => "Who is not in check but has no legal move is stalemated and has won.",
    }
}

fn repetition(limit: Limit) -> String {
    let times = |count: u32| match count {
        1 => "once".to_owned(),
        2 => "twice".into(),
        count => format!("{} times", number(count as usize)),
    };
    match limit {
        Limit { claim: 0, end: 0 } => "Repetition of positions does not draw the game.".into(),
        Limit { claim: 0, end } => {
            format!("A position that occurs {} ends the game as a draw.", times(end))
        }
        Limit { claim, end: 0 } => {
            format!("A player may claim a draw when the position has occurred {}.", times(claim))
        }
        Limit { claim, end } => format!(
            "A player may claim a draw when the position has occurred {}; the {} occurrence ends the game as a draw.",
            times(claim),
            ordinal(end)
        ),
    }
}

fn move_count(limit: Limit, pawns: &[Name]) -> String {
    let or_pawn = match pawns {
        [] => String::new(),
        pawns => format!(" or a move of {}", article(&names(pawns, "or"))),
    };
    let idle = format!("moves by each side without a capture{or_pawn}");
    match limit {
        Limit { claim: 0, end: 0 } => "There is no limit to the number of moves.".into(),
        Limit { claim: 0, end } => format!("{end} {idle} end the game as a draw."),
        Limit { claim, end: 0 } => format!("After {claim} {idle} a player may claim a draw."),
        Limit { claim, end } => format!(
            "After {claim} {idle} a player may claim a draw; {end} such moves by each side end the game as a draw."
        ),
    }
}

fn dead(material: &[[Vec<Name>; 2]]) -> String {
    let against =
        |[one, other]: &[Vec<Name>; 2]| format!("{} against {}", names(one, "and"), names(other, "and"));
    let material: Vec<String> = material.iter().map(against).collect();
    match &material[..] {
        [] => "No position counts as dead for its material: even a bare King plays on.".into(),
        material => format!(
            "The game is drawn at once when nobody can win any more with the pieces that are left: {}.",
            list(material, "or")
        ),
    }
}

/// An area: what it names, then its squares.
fn area(Area { named, squares }: &Area) -> String {
    let mut items: Vec<String> = named.iter().map(spot).collect();
    if !squares.is_empty() {
        items.push(spots(squares, "and"));
    }
    list(&items, "and")
}

fn spots(all: &[Spot], joint: &str) -> String {
    list(&all.iter().map(spot).collect::<Vec<_>>(), joint)
}

fn spot(spot: &Spot) -> String {
    match spot {
        Spot::File(file) => format!("file {file}"),
        Spot::Rank(rank) => format!("rank {rank}"),
        Spot::Run(from, to) => format!("{from} to {to}"),
        Spot::Square(square) => square.clone(),
        Spot::Region { name, enemy: true } => format!("the enemy's {name}"),
        Spot::Region { name, enemy: false } => format!("the own {name}"),
    }
}

fn names(names: &[Name], joint: &str) -> String {
    list(&names.iter().map(|name| name.0.clone()).collect::<Vec<_>>(), joint)
}

/// `a, b and c`.
fn list(items: &[String], joint: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {joint} {last}", first.join(", ")),
    }
}

/// A number in words up to twelve.
fn number(number: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

fn ordinal(number: u32) -> String {
    match number {
        2 => "second".into(),
        3 => "third".into(),
        4 => "fourth".into(),
        5 => "fifth".into(),
        6 => "sixth".into(),
        number => format!("{number}th"),
    }
}

/// `8 files`, `1 file`.
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// `a Rook`, `an Elephant`.
fn article(name: &str) -> String {
    let vowel = name.chars().next().is_some_and(|first| "AEIOUaeiou".contains(first));
    format!("{} {name}", if vowel { "an" } else { "a" })
}
