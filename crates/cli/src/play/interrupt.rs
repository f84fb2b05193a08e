//! Ctrl-C: while the engine thinks it has to play at once; at any other time the program ends. (The
//! line editor takes Ctrl-C itself.)

use lozenge_engine::Signals;
use std::sync::{Mutex, Once, PoisonError};

/// The search that Ctrl-C stops.
static THINKING: Mutex<Option<Signals>> = Mutex::new(None);

/// Exit status of a program that Ctrl-C has ended, as shells write it.
const INTERRUPTED: i32 = 130;

/// Has Ctrl-C handled from now on.
pub(crate) fn install() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without a handler Ctrl-C ends the program at any time, which is bearable.
        let _ = ctrlc::set_handler(|| {
            let thinking = THINKING.lock().unwrap_or_else(PoisonError::into_inner);
            match &*thinking {
                Some(signals) => signals.stop(),
                None => std::process::exit(INTERRUPTED),
            }
        });
    });
}

/// Does `work` while Ctrl-C gives these signals.
pub(crate) fn stopping<T>(signals: &Signals, work: impl FnOnce() -> T) -> T {
    let set = |value| *THINKING.lock().unwrap_or_else(PoisonError::into_inner) = value;
    set(Some(signals.clone()));
    let done = work();
    set(None);
    done
}
