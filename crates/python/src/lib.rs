//! The Python package `lozenge`: thin classes around the rules and the engine. `python/lozenge/__init__.pyi` describes them for people.
//!
//! Not here: anything that decides what is legal or good.

mod engine;
mod position;
mod variant;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pyo3::create_exception!(lozenge, LozengeError, PyValueError, "Not a game, position or move.");

/// The exception with the message of the command line.
fn fault(error: impl std::fmt::Display) -> PyErr {
    LozengeError::new_err(error.to_string())
}

/// Interval at which a long computation lets Python handle signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Computes on another thread without the GIL; Ctrl-C calls `stop` and raises when the work has ended.
fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &(dyn Fn() + Sync),
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let done = AtomicBool::new(false);
    py.detach(|| {
        std::thread::scope(|scope| {
            let main = std::thread::current();
            let done = &done;
            let worker = scope.spawn(move || {
                let found = work();
                done.store(true, Ordering::Release);
                main.unpark();
                found
            });
            let mut raised = Ok(());
            while !done.load(Ordering::Acquire) {
                std::thread::park_timeout(SIGNAL_INTERVAL);
                if worker.is_finished() {
                    break;
                }
                if raised.is_ok() {
                    raised = Python::attach(|py| py.check_signals());
                    if raised.is_err() {
                        stop();
                    }
                }
            }
            let found = worker.join();
            raised?;
            found.map_err(|_| fault("the computation failed"))
        })
    })
}

/// The module behind the package.
#[pymodule]
fn _lozenge(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("LozengeError", module.py().get_type::<LozengeError>())?;
    module.add_class::<variant::Variant>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<engine::Engine>()?;
    module.add_class::<engine::Analysis>()?;
    module.add_class::<engine::Line>()?;
    module.add_function(wrap_pyfunction!(variant::variants, module)?)?;
    module.add_function(wrap_pyfunction!(variant::import_ini, module)?)?;
    module.add_function(wrap_pyfunction!(variant::export_ini, module)?)?;
    module.add_function(wrap_pyfunction!(position::read_pgn, module)?)
}
