//! How the large tables lie in memory, and how a table is cleared. Two hints to the machine change nothing that a
//! program can see, only how long it waits. The hints are measured together in `docs/strength.md`.

use std::sync::atomic::AtomicU64;

/// A page that a processor finds quickly, in bytes: tables smaller than this have nothing to gain.
const LARGE_PAGE: usize = 2 << 20;

/// Asks the system to back a table with large pages. A table is read at random addresses; with small pages
/// the processor must first look up where each page is. A system without large pages uses small ones.
pub(crate) fn prefer_large_pages<T>(table: &mut [T]) {
    let bytes = size_of_val(table);
    if bytes < LARGE_PAGE {
        return;
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        // The system wants whole pages: those that lie inside the table.
        let page = rustix::param::page_size();
        let skipped = table.as_ptr().cast::<u8>().align_offset(page);
        let whole = bytes.saturating_sub(skipped) / page * page;
        let start = table.as_mut_ptr().cast::<u8>().wrapping_add(skipped);
        // SAFETY: the range lies inside a table that is borrowed exclusively, and this advice changes neither
        // its contents nor whether it may be used, only which pages back it.
        #[allow(
            unsafe_code,
            reason = "there is no safe form of this advice for memory that is already there"
        )]
        // Refused advice is no error: nothing has changed then.
        let _ = unsafe { madvise(start.cast(), whole, Advice::LinuxHugepage) };
    }
    #[cfg(not(target_os = "linux"))]
    let _ = table;
}

/// Words that one thread wipes at least: 8 MiB, so that threads are worth starting.
const MIN_PART: usize = 1 << 20;

/// Makes all words 0, a large table by as many threads as the machine runs at once.
pub(crate) fn wipe(words: &mut [AtomicU64]) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let part = words.len().div_ceil(threads).max(MIN_PART);
    let wipe_part = |words: &mut [AtomicU64]| words.iter_mut().for_each(|word| *word.get_mut() = 0);
    let shared = std::thread::scope(|scope| {
        let mut parts = words.chunks_mut(part);
        let own = parts.next();
        let start = |part| std::thread::Builder::new().spawn_scoped(scope, move || wipe_part(part)).is_ok();
        // All are started before this one does its own.
        let started = parts.all(start);
        own.map(wipe_part);
        started
    });
    if !shared {
        // The system had no thread to give.
        wipe_part(words);
    }
}

/// Prefetches an address that will soon be read.
#[inline]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the address is that of a reference, and a prefetch reads nothing that the program could see.
        // Every x86-64 processor has it.
        #[allow(unsafe_code, reason = "there is no safe form of a prefetch")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(place).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_hints_keep_the_contents() {
        let mut table = vec![7u64; LARGE_PAGE];
        prefer_large_pages(&mut table);
        prefer_large_pages(&mut table[5..]);
        prefer_large_pages(&mut table[..3]);
        prefetch(&table[9]);
        assert!(table.iter().all(|&number| number == 7));
    }

    #[test]
    fn wipe_clears_the_last_word() {
        for length in [0, 1, MIN_PART, 3 * MIN_PART + 5] {
            let mut table: Vec<AtomicU64> = (1..=length as u64).map(AtomicU64::new).collect();
            wipe(&mut table);
            assert!(table.iter_mut().all(|word| *word.get_mut() == 0), "{length}");
        }
    }
}
