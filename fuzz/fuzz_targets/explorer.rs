//! Entries of the opening explorer: no panic, no hang; both readers agree on which bytes are an entry, and an entry that is read is
//! the same when it is written and read again.
#![no_main]
use libfuzzer_sys::fuzz_target;
use lozenge_game::{ExplorerEntry, ExplorerFilter, ExplorerSum};

fuzz_target!(|data: &[u8]| {
    let filter = ExplorerFilter::default();
    let mut sum = ExplorerSum::default();
    let read = ExplorerEntry::decode(data);
    assert_eq!(sum.add(data, &filter).is_some(), read.is_some());
    let Some(mut entry) = read else { return };
    assert!(sum.moves.values().all(|counts| counts.games() > 0));
    sum.moves.values().for_each(|counts| {
        counts.average_rating();
    });
    let bytes = entry.encode();
    assert_eq!(ExplorerEntry::decode(&bytes).as_ref(), Some(&entry));
    entry.merge(&entry.clone());
    assert_eq!(ExplorerEntry::decode(&entry.encode()), Some(entry));
});
