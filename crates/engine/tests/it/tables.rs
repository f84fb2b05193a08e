//! Endgame tables in the search.

use lozenge_engine::{Engine, Limits, Score, SearchReport, Signals};
use lozenge_rules::library;
use lozenge_rules::position::{AnyPosition, Game};
use lozenge_tablebase::{Material, Resources, Tables, Value};
use std::sync::Arc;

fn tables(game: &str, class: &str) -> Arc<Tables> {
    let game = library::game(game).unwrap();
    let mut tables = Tables::new(&game);
    let material = Material::parse(&game, class).unwrap();
    tables.generate(&material, None, Resources { threads: 1, memory: 1 << 28 }, &mut |_| true).unwrap();
    Arc::new(tables)
}

/// A search of few plies, and the positions found in tables.
fn search(engine: &mut Engine, position: &AnyPosition) -> (SearchReport, u64) {
    let limits = Limits { depth: Some(3), ..Limits::default() };
    let mut hits = 0;
    let game = Game::from_position(position.clone());
    let report = engine.search(&game, &limits, &Signals::default(), &mut |info| hits = hits.max(info.tbhits));
    (report, hits)
}

#[test]
fn a_won_ending_is_won_on_the_quickest_way() {
    let tables = tables("diamond", "KAvK");
    let fen = "****k****/***3***/**5**/*7*/4*4/*7*/**1A3**/***3***/****K**** w - - 0 1";
    let mut position = AnyPosition::from_fen(tables.variant(), fen).unwrap();
    let mut engine = Engine::new(1);
    engine.set_tables(Some(Arc::clone(&tables)));
    let Some(Value::Win(mut left)) = tables.probe(&position).unwrap() else { panic!("a draw") };
    assert!(left > 8, "{left}");
    while left > 0 {
        let (report, hits) = search(&mut engine, &position);
        assert!(left == 1 || hits > 0, "{}", position.fen());
        let moves = u32::from(left).div_ceil(2);
        let expected = if left % 2 == 1 { Score::Wins(moves) } else { Score::Loses(moves) };
        assert_eq!(report.score, expected, "{}", position.fen());
        position = position.play(report.best.unwrap()).unwrap();
        left -= 1;
        let after = tables.probe(&position).unwrap().and_then(Value::distance);
        assert_eq!(after, Some(left), "{}", position.fen());
    }
    assert!(position.status().is_win());
}

#[test]
fn tables_of_another_game_change_nothing() {
    let game = library::game("diamond").unwrap();
    let fen = "****k****/***3***/**5**/*7*/4*4/*7*/**1A3**/***3***/****K**** w - - 0 1";
    let position = AnyPosition::from_fen(&game, fen).unwrap();
    let without = search(&mut Engine::new(1), &position).0;
    let mut engine = Engine::new(1);
    engine.set_tables(Some(tables("chess", "KRvK")));
    let (with, hits) = search(&mut engine, &position);
    assert_eq!((with.best, with.score, with.nodes, hits), (without.best, without.score, without.nodes, 0));
}
