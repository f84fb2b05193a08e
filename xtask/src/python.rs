//! The Python package: built by maturin into the Python that `LOZENGE_PYTHON` names, and tested there by pytest.

use crate::process::{Failure, Outcome, in_ci, program, root, run as run_command};

/// Builds the package and runs its tests; without a Python that has maturin and pytest it is left out, but not in CI.
pub(crate) fn check() -> Outcome {
    let Some(python) = std::env::var_os("LOZENGE_PYTHON") else {
        if in_ci() {
            return Err(Failure::new(
                "expected LOZENGE_PYTHON to name a Python with maturin and pytest".to_owned(),
            ));
        }
        println!("left out: LOZENGE_PYTHON names no Python with maturin and pytest");
        return Ok(());
    };
    let folder = root().join("crates/python");
    // `maturin develop` needs the environment that it installs into: the one of this Python.
    let environment = std::path::Path::new(&python).parent().and_then(std::path::Path::parent);
    let mut build = program(&python);
    build.args(["-m", "maturin", "develop", "--quiet"]).current_dir(&folder);
    if let Some(environment) = environment {
        build.env("VIRTUAL_ENV", environment);
    }
    run_command(&mut build)?;
    run_command(program(&python).args(["-m", "pytest", "--quiet"]).current_dir(&folder))
}
