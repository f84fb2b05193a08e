//! The engine driven by a client library that others have written: python-chess. The script is
//! `python/play.py`; the library is installed by `.ci/run`.
//!
//! `LOZENGE_PYTHON` names a Python that must have it; without that, `python3` is tried, and if it has no
//! python-chess nothing is tested and the test prints so (in CI it fails).

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn games_driven_by_python_chess() {
    let configured = std::env::var_os("LOZENGE_PYTHON");
    let python = configured.clone().unwrap_or_else(|| "python3".into());
    let has_library = Command::new(&python)
        .args(["-c", "import chess.engine"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !has_library {
        let required = configured.is_some() || std::env::var_os("CI").is_some();
        assert!(!required, "expected {} to have the library python-chess", python.display());
        // Bypasses the test harness, which captures the output of a passing test.
        let skipped = "left out: games driven by python-chess, which `python3` does not have";
        writeln!(std::io::stderr(), "{skipped}").unwrap();
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/play.py");
    let output = Command::new(&python).arg(script).arg(env!("CARGO_BIN_EXE_lozenge")).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}\n{complaints}");
    assert!(printed.contains("all games played"), "{printed}\n{complaints}");
    // The library writes there what it could not make sense of; these it does not know.
    let unknown = ["feature sigterm=0", "output: 'setup ", "output: 'piece ", "output: 'stat01: "];
    let expected = |line: &str| unknown.iter().any(|unknown| line.contains(unknown));
    assert!(complaints.lines().all(expected), "{complaints}");
}
