//! FEN: what is read, what is written, what is refused.

use super::{complaint, walker};

#[test]
fn counters_may_be_missing_together() {
    let position = walker("chess", "4k3/8/8/8/8/8/8/R3K3 w Q -");
    assert_eq!(position.fen(), "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
    assert!(complaint("chess", "4k3/8/8/8/8/8/8/R3K3 w Q - 0").contains("fields"));
}

#[test]
fn rights_are_written_in_the_usual_order() {
    assert_eq!(
        walker("chess", "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 3 9").fen(),
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 9"
    );
}

#[test]
fn runs_of_two_digits_are_one_number() {
    let fen = "12/12/12/3k8/12/12/12/12/12/12/12/6K5 b - - 0 1";
    assert_eq!(walker("diamondring", fen).fen(), fen);
    assert!(complaint("chess", "4k12/8/8/8/8/8/8/4K3 w - - 0 1").contains("does not fit"));
}

#[test]
fn unrepresentable_fens_are_refused() {
    for (game, fen, part) in [
        ("chess", "", "fields"),
        ("chess", "8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has 0 kings"),
        ("chess", "4k3/8/8/8/8/8/4K3 w - - 0 1", "8 ranks"),
        ("chess", "4k4/8/8/8/8/8/8/4K3 w - - 0 1", "does not fit"),
        ("chess", "4k2/8/8/8/8/8/8/4K3 w - - 0 1", "has 7 places"),
        ("chess", "4k3r/8/8/8/8/8/8/4K3 w - - 0 1", "too long"),
        ("chess", "4k3/8/8/8/8/8/8/4K1M1 w - - 0 1", "no piece"),
        ("chess", "4k3/8/8/8/8/8/8/4K1é1 w - - 0 1", "no piece"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w KK - 0 1", "castling"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - i9 0 1", "not a square"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - x 1", "not a number"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - +1 1", "not a number"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 a1", "could have lost"),
        ("chess", "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1", "in check"),
        ("diagonal", "7k/8/8/8/8/8/8/K7 w K - 0 1", "castling"),
        ("diagonal", "7k/8/8/8/8/8/8/K7 w - e3 0 1", "no en passant"),
        ("doublediamond", "2**6k/**7/9/9/9/9/9/7**/K6** w - - 0 1", "hole"),
        ("doublediamond", "**6k/**7/9/9/9/9/9/*6**/K6** w - - 0 1", "not a hole"),
        ("doublediamond", "**6k/**7/9/9/9/9/9/7**/K6** w - - 0 1 b3", "no pawn on b3"),
    ] {
        let complaint = complaint(game, fen);
        assert!(complaint.contains(part), "{fen}: {complaint}");
    }
}
