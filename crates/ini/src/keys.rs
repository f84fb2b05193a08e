//! Keys of `variants.ini`: those of named pieces, those without meaning for us, and those that a variant file cannot express.

/// The named pieces in Fairy-Stockfish's order: key, Betza, our name, our picture.
pub(crate) const NAMED_PIECES: &[(&str, &str, &str, &str)] = &[
    ("pawn", "fmWfceFifmnD", "Pawn", "pawn"),
    ("knight", "N", "Knight", "knight"),
    ("bishop", "B", "Bishop", "bishop"),
    ("rook", "R", "Rook", "rook"),
    ("queen", "Q", "Queen", "queen"),
    ("fers", "F", "Ferz", "ferz"),
    ("alfil", "A", "Alfil", "elephant"),
    ("fersAlfil", "FA", "Ferz-Alfil", "elephant"),
    ("silver", "FfW", "Silver", "silver"),
    ("aiwok", "RNF", "Aiwok", ""),
    ("bers", "RF", "Dragon King", ""),
    ("archbishop", "BN", "Archbishop", "archbishop"),
    ("chancellor", "RN", "Chancellor", "marshall"),
    ("amazon", "QN", "Amazon", ""),
    ("knibis", "mNcB", "Knibis", ""),
    ("biskni", "mBcN", "Biskni", ""),
    ("kniroo", "mNcR", "Kniroo", ""),
    ("rookni", "mRcN", "Rookni", ""),
    ("shogiPawn", "fW", "Soldier", "pawn"),
    ("lance", "fR", "Lance", ""),
    ("shogiKnight", "fN", "Shogi Knight", ""),
    ("gold", "WfF", "Gold", "gold"),
    ("dragonHorse", "BW", "Dragon Horse", ""),
    ("clobber", "cW", "Clobber", ""),
    ("breakthrough", "fmWfF", "Breakthrough Piece", ""),
    ("immobile", "", "Immobile", ""),
    ("cannon", "mRcpR", "Cannon", "cannon"),
    ("janggiCannon", "pR", "Hopper", ""),
    ("soldier", "fsW", "Soldier", "pawn"),
    ("horse", "nN", "Horse", ""),
    ("elephant", "nA", "Elephant", "elephant"),
    ("janggiElephant", "nZ", "Elephant", "elephant"),
    ("banner", "RcpRnN", "Banner", ""),
    ("wazir", "W", "Wazir", "wazir"),
    ("commoner", "K", "Commoner", "vizier"),
    ("centaur", "KN", "Centaur", ""),
];

/// How many custom pieces there are.
pub(crate) const CUSTOM_PIECES: usize = 25;

/// A key that a variant file cannot express.
pub(crate) struct Unsupported {
    pub(crate) key: &'static str,
    /// The value that changes nothing.
    pub(crate) neutral: &'static str,
    /// It changes nothing unless one of these keys has another value than its neutral one; empty: it always does.
    pub(crate) needs: &'static [&'static str],
    /// Why it cannot be expressed.
    pub(crate) why: &'static str,
}

const fn key(key: &'static str, neutral: &'static str, why: &'static str) -> Unsupported {
    Unsupported { key, neutral, needs: &[], why }
}

const fn part(
    key: &'static str,
    needs: &'static [&'static str],
    neutral: &'static str,
    why: &'static str,
) -> Unsupported {
    Unsupported { key, neutral, needs, why }
}

const DROPS: &[&str] = &["pieceDrops"];
const WALLS: &[&str] = &["wallingRule", "wallOrMove"];
const ROWS: &[&str] = &["connectN", "connectNxN", "collinearN", "connectRegion1White", "connectRegion1Black"];
const EXTINCTION: &[&str] = &["extinctionValue", "extinctionPseudoRoyal"];
const FLAGS: &[&str] = &["flagPieceCount"];
/// Marks the keys that no rule of the game depends on.
pub(crate) const NEVER: &[&str] = &["no rule"];

const NO_DROPS: &str = "pieces are never dropped";
const NO_WALLS: &str = "holes stay where they are";
const NO_ROWS: &str = "rows of pieces win nothing";
const ROYAL_ALONE: &str = "a side loses with its King alone";
const AT_ONCE: &str = "a goal wins at once";
const NO_PASS: &str = "no side may pass";
const DRAWN: &str = "a repetition is a draw";

/// Keys that a variant file cannot express, and those that do not change the rules.
pub(crate) const UNSUPPORTED: &[Unsupported] = &[
    part("pieceToCharTable", NEVER, "-", ""),
    part("variantTemplate", NEVER, "fairy", ""),
    part("pocketSize", NEVER, "0", ""),
    part("pieceValueMg", NEVER, "", ""),
    part("pieceValueEg", NEVER, "", ""),
    key("chess960", "false", "castlings are written with the King's destination"),
    key("twoBoards", "false", "there is one board"),
    key("doubleStepRank", "", "write `doubleStepRegionWhite` and `doubleStepRegionBlack`"),
    key("doubleStepRankMin", "", "write `doubleStepRegionWhite` and `doubleStepRegionBlack`"),
    key("tripleStepRegionWhite", "-", "first moves go over one square"),
    key("tripleStepRegionBlack", "-", "first moves go over one square"),
    key("sittuyinPromotion", "false", "a piece is promoted where it arrives"),
    key("promotionLimit", "-", "there is no limit to promotions"),
    key(
        "promotedPieceType",
        "-",
        "a piece is promoted when it arrives, not when it leaves, and may not choose to stay; write `[[promotion]]` by hand",
    ),
    part("piecePromotionOnCapture", &["promotedPieceType"], "false", "promotion does not depend on captures"),
    part("mandatoryPiecePromotion", &["promotedPieceType"], "false", "see `promotedPieceType`"),
    part("pieceDemotion", &["promotedPieceType"], "false", "see `promotedPieceType`"),
    key("blastOnCapture", "false", "a capture takes one piece"),
    key("blastImmuneTypes", "-", "a capture takes one piece"),
    key("mutuallyImmuneTypes", "-", "every piece may capture every other"),
    key("petrifyOnCaptureTypes", "-", "a capturing piece stays what it is"),
    key("petrifyBlastPieces", "false", "a capturing piece stays what it is"),
    part("castlingKingFile", NEVER, "e", ""),
    key("castlingDroppedPiece", "false", NO_DROPS),
    key("oppositeCastling", "false", "both sides may castle alike"),
    key("castlingWins", "-", "castling wins nothing"),
    key("checking", "true", "check must be possible"),
    part("dropChecks", DROPS, "true", NO_DROPS),
    key("mustCapture", "false", "captures are never forced"),
    key("mustDrop", "false", NO_DROPS),
    part("mustDropType", &["mustDrop"], "*", NO_DROPS),
    key("pieceDrops", "false", NO_DROPS),
    part("dropLoop", DROPS, "false", NO_DROPS),
    key("capturesToHand", "false", "captured pieces do not come back"),
    part("firstRankPawnDrops", DROPS, "false", NO_DROPS),
    part("promotionZonePawnDrops", DROPS, "false", NO_DROPS),
    key("enclosingDrop", "none", NO_DROPS),
    key("dropOnTop", "false", NO_DROPS),
    part("enclosingDropStart", DROPS, "-", NO_DROPS),
    part("dropRegionWhite", DROPS, "", NO_DROPS),
    part("dropRegionBlack", DROPS, "", NO_DROPS),
    part("whiteDropRegion", DROPS, "", NO_DROPS),
    part("blackDropRegion", DROPS, "", NO_DROPS),
    part("sittuyinRookDrop", DROPS, "false", NO_DROPS),
    part("dropOppositeColoredBishop", DROPS, "false", NO_DROPS),
    part("dropPromoted", DROPS, "false", NO_DROPS),
    part("dropNoDoubled", DROPS, "-", NO_DROPS),
    part("dropNoDoubledCount", DROPS, "1", NO_DROPS),
    part("shogiPawnDropMateIllegal", DROPS, "false", NO_DROPS),
    key("freeDrops", "false", NO_DROPS),
    key("immobilityIllegal", "false", "there is no rule about pieces that cannot move on"),
    key("gating", "false", "no piece enters the board during the game"),
    key("seirawanGating", "false", "no piece enters the board during the game"),
    key("wallingRule", "none", NO_WALLS),
    key("wallOrMove", "false", NO_WALLS),
    part("wallingRegion", WALLS, "", NO_WALLS),
    part("wallingRegionWhite", WALLS, "", NO_WALLS),
    part("wallingRegionBlack", WALLS, "", NO_WALLS),
    key("cambodianMoves", "false", "first moves belong to a piece's Betza"),
    key("diagonalLines", "-", "all squares have the same lines"),
    key("pass", "false", NO_PASS),
    key("passWhite", "false", NO_PASS),
    key("passBlack", "false", NO_PASS),
    key("passOnStalemate", "false", NO_PASS),
    key("passOnStalemateWhite", "false", NO_PASS),
    key("passOnStalemateBlack", "false", NO_PASS),
    key("makpongRule", "false", "the King may leave a check"),
    key("flyingGeneral", "false", "Kings may face each other"),
    key(
        "soldierPromotionRank",
        "1",
        "a piece moves alike everywhere unless its moves are written by squares",
    ),
    key("flipEnclosedPieces", "none", "pieces keep their color"),
    key("nFoldValue", "draw", DRAWN),
    part("nFoldValueAbsolute", &["nFoldValue"], "false", DRAWN),
    key("perpetualCheckIllegal", "false", "a repetition is a draw, also by perpetual check"),
    key("moveRepetitionIllegal", "false", DRAWN),
    key("chasingRule", "none", "chasing is not forbidden"),
    key("checkmateValue", "loss", "checkmate loses"),
    key("stalematePieceCount", "false", "pieces are not counted at the end"),
    key("shatarMateRule", "false", "every check may mate"),
    key("bikjangRule", "false", "Kings may face each other"),
    key("extinctionValue", "none", ROYAL_ALONE),
    key("extinctionPseudoRoyal", "false", "a side has one King"),
    part("extinctionClaim", EXTINCTION, "false", ROYAL_ALONE),
    part("extinctionPieceTypes", EXTINCTION, "-", ROYAL_ALONE),
    part("extinctionPieceCount", EXTINCTION, "0", ROYAL_ALONE),
    part("extinctionOpponentPieceCount", EXTINCTION, "0", ROYAL_ALONE),
    key("dupleCheck", "false", "a side has one King"),
    key("flagPieceCount", "1", "one piece on its goal wins"),
    part("flagPieceBlockedWin", FLAGS, "false", AT_ONCE),
    key("flagMove", "false", AT_ONCE),
    key("flagPieceSafe", "false", AT_ONCE),
    key("checkCounting", "false", "checks are not counted"),
    key("connectN", "0", NO_ROWS),
    key("connectNxN", "0", NO_ROWS),
    key("collinearN", "0", NO_ROWS),
    key("connectRegion1White", "-", NO_ROWS),
    key("connectRegion1Black", "-", NO_ROWS),
    part("connectRegion2White", ROWS, "-", NO_ROWS),
    part("connectRegion2Black", ROWS, "-", NO_ROWS),
    part("connectPieceTypes", ROWS, "*", NO_ROWS),
    part("connectHorizontal", ROWS, "true", NO_ROWS),
    part("connectVertical", ROWS, "true", NO_ROWS),
    part("connectDiagonal", ROWS, "true", NO_ROWS),
    part("connectValue", ROWS, "win", NO_ROWS),
    key("materialCounting", "none", "pieces are not counted at the end"),
    part("adjudicateFullBoard", &["materialCounting"], "false", "pieces are not counted at the end"),
    key("countingRule", "none", "pieces are not counted out"),
];
