//! UCI lines: the engine answers any input and ends with it. Commands that take long (a deep perft,
//! the benchmark) or read files are left out.
#![no_main]
use libfuzzer_sys::fuzz_target;
use lozenge_protocol::games::Games;
use lozenge_protocol::serve;
use std::io::Cursor;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data).to_lowercase();
    if ["perft", "bench", "hash", "variantpath", "threads"].iter().any(|slow| text.contains(slow)) {
        return;
    }
    let games =
        Games::new(Box::new(|_: &str| Err(lozenge_protocol::games::LoadError::File("no files here".into()))));
    serve(Cursor::new(data.to_vec()), std::io::sink(), games);
});
