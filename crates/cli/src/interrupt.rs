//! Ctrl-C during long work. Not here: Ctrl-C at a prompt (`play`).

use std::sync::atomic::{AtomicBool, Ordering};

/// Set once Ctrl-C was pressed.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C end the work in order; a second one ends the program. The flag is set once it was pressed.
pub(crate) fn end_by_interrupt() -> &'static AtomicBool {
    // Without a handler Ctrl-C ends the program at once, which loses no more than the games being played.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    &INTERRUPTED
}

/// Whether Ctrl-C was pressed.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
