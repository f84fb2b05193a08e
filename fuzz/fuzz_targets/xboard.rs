//! Lines of XBoard's protocol: the engine answers any input and ends with it. Commands that take long (a
//! deep perft), take much memory or read files are left out.
#![no_main]
use libfuzzer_sys::fuzz_target;
use lozenge_protocol::games::Games;
use lozenge_protocol::serve;
use std::io::Cursor;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data).to_lowercase();
    if ["perft", "bench", "hash", "memory", "variantpath", "threads", "cores"]
        .iter()
        .any(|slow| text.contains(slow))
    {
        return;
    }
    let games =
        Games::new(Box::new(|_: &str| Err(lozenge_protocol::games::LoadError::File("no files here".into()))));
    // Short moves, so that many lines are tried.
    let lines = [&b"xboard\nsd 1\nst 0.01\n"[..], data].concat();
    serve(Cursor::new(lines), std::io::sink(), games);
});
