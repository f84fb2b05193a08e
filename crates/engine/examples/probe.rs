#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used)]
use lozenge_engine::*;
use lozenge_rules::{notation::uci, position::*, variant::library};
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    match args[1].as_str() {
        "values" => {
            for id in library::ids() {
                let v = library::game(id).unwrap();
                let t = Instant::now();
                let values = Values::new(&v);
                let t = t.elapsed();
                print!("{id:14} {t:?} branching {}:", values.branching());
                for (role, info) in v.men().iter() {
                    print!(" {}={}", info.letter, values.material(role));
                }
                println!();
            }
        }
        "search" => {
            let v = library::game(&args[2]).unwrap();
            let p = match args.get(4) {
                Some(f) => AnyPosition::from_fen(&v, f).unwrap(),
                None => AnyPosition::start(&v),
            };
            let g = Game::from_position(p);
            let mut e = Engine::new(64);
            let limits = Limits { depth: Some(args[3].parse().unwrap()), ..Limits::default() };
            let r = e.search(&g, &limits, &Signals::default(), &mut |i| {
                let pv: Vec<String> = i.pv.iter().map(|&m| uci::write(&v, m)).collect();
                println!(
                    "d{}/{} {:?} n{} {:?} {:.0} knps hf{} {}",
                    i.depth,
                    i.seldepth,
                    i.score,
                    i.nodes,
                    i.time,
                    i.nodes as f64 / i.time.as_secs_f64() / 1e3,
                    i.hashfull,
                    pv.join(" ")
                );
            });
            println!("{r:?}");
        }
        "play" => {
            let nodes: u64 = args[3].parse().unwrap();
            let every: usize = args[4].parse().unwrap();
            let v = library::game(&args[2]).unwrap();
            let mut g = Game::new(&v);
            let mut e = Engine::new(16);
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let mut seed = 12345u64 + args.get(5).map_or(0, |s| s.parse().unwrap());
            for ply in 0..300 {
                if let Some(o) = g.outcome() {
                    println!("ply {ply}: {o}");
                    break;
                }
                let r = e.search(&g, &limits, &Signals::default(), &mut |_| {});
                let mut best = r.best.unwrap();
                if ply < 6 {
                    let ms = g.position().legal_moves();
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    best = ms[(seed >> 33) as usize % ms.len()];
                }
                if ply % every == 0 {
                    println!(
                        "{ply} {:?} d{} {} {}",
                        r.score,
                        r.depth,
                        uci::write(&v, best),
                        g.position().fen()
                    );
                }
                g.play(best).unwrap();
            }
            println!("{}", g.position().fen());
        }
        _ => {}
    }
}
