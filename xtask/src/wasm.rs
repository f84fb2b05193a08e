//! `cargo xtask wasm`: the package for JavaScript, from `crates/wasm` into `target/npm/lozenge`, and its tests under Node. Not
//! here: how the site takes it (`crates/server/build.rs`).

use crate::process::{Failure, Outcome, cargo, missing, program, root, run as run_command};
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// `wasm`.
#[derive(Args)]
pub(crate) struct Options {
    /// Only build the package, without its tests.
    #[arg(long)]
    without_tests: bool,
}

const TARGET: &str = "wasm32-unknown-unknown";

/// Where a Rust compiler and its library may be besides the one that runs this: Debian's packages `rustc-web` and
/// `rust-web-src`.
const SYSTEM: &str = "/usr/bin/rustc";

/// Hint for the user where no compiler can build the module.
const INSTALL_HINT: &str =
    "rustup target add wasm32-unknown-unknown, or Debian's packages rustc-web and rust-web-src";

/// How the module can be compiled.
enum Toolchain {
    /// The compiler that runs this has the library for the target.
    Target,
    /// This compiler has the source of its library, which is compiled, too; the linker is that of another one, if it has
    /// none itself.
    Source { rustc: PathBuf, linker: Option<PathBuf> },
}

/// Builds the package and tests it.
pub(crate) fn run(options: &Options) -> Outcome {
    let Some(toolchain) = find() else {
        return Err(Failure::new(format!("no compiler for {TARGET} is installed ({INSTALL_HINT})")));
    };
    build(&toolchain)?;
    if options.without_tests { Ok(()) } else { test() }
}

/// The step of CI: builds the package and tests it, where a compiler for it is installed.
pub(crate) fn check() -> Outcome {
    if make()? { test() } else { Ok(()) }
}

/// Builds the package where a compiler for it is installed, and returns whether there is one.
pub(crate) fn make() -> Result<bool, Failure> {
    match find() {
        Some(toolchain) => build(&toolchain).map(|()| true),
        None => missing(&format!("a compiler for {TARGET}"), INSTALL_HINT).map(|()| false),
    }
}

/// The folder of the package, below that of Cargo's output.
pub(crate) fn package() -> PathBuf {
    output().join("npm/lozenge")
}

fn output() -> PathBuf {
    let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    root().join(folder)
}

/// The path that a compiler prints; `None` if the compiler fails or cannot be run.
fn printed(rustc: &Path, arguments: &[&str]) -> Option<PathBuf> {
    let output = program(rustc).args(arguments).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| PathBuf::from(text.trim()))
}

fn find() -> Option<Toolchain> {
    let own = std::env::var_os("RUSTC").map_or_else(|| PathBuf::from("rustc"), PathBuf::from);
    let has_library =
        printed(&own, &["--print", "target-libdir", "--target", TARGET]).is_some_and(|folder| {
            std::fs::read_dir(folder).is_ok_and(|mut files| {
                files.any(|file| {
                    file.is_ok_and(|file| file.file_name().to_string_lossy().starts_with("libstd-"))
                })
            })
        });
    if has_library {
        return Some(Toolchain::Target);
    }
    [own.clone(), SYSTEM.into()].into_iter().find_map(|rustc| {
        let sysroot = printed(&rustc, &["--print", "sysroot"])?;
        let source = sysroot.join("lib/rustlib/src/rust/library/std/Cargo.toml").is_file();
        source.then(|| Toolchain::Source { linker: linker(&[&rustc, &own]), rustc })
    })
}

/// The linker that comes with one of these compilers.
fn linker(compilers: &[&Path]) -> Option<PathBuf> {
    compilers.iter().find_map(|rustc| {
        let libraries = printed(rustc, &["--print", "target-libdir"])?;
        let linker = libraries.parent()?.join("bin/rust-lld");
        linker.is_file().then_some(linker)
    })
}

/// Compiles the module and writes the package.
fn build(toolchain: &Toolchain) -> Outcome {
    // A folder of its own, so that two compilers do not undo each other's work.
    let folder = output().join("wasm");
    let mut command = cargo(&["build", "-p", "lozenge-wasm", "--profile", "wasm", "--target", TARGET]);
    command.arg("--target-dir").arg(&folder);
    // The flags of this target are in `.cargo/config.toml`; those for other machines do not fit.
    command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    if let Toolchain::Source { rustc, linker } = toolchain {
        // RUSTC_BOOTSTRAP lets a stable compiler build the library, too.
        command.arg("-Zbuild-std=std,panic_abort").env("RUSTC_BOOTSTRAP", "1").env("RUSTC", rustc);
        if let Some(linker) = linker {
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
    }
    run_command(&mut command)?;
    let module = folder.join(TARGET).join("wasm/lozenge_wasm.wasm");
    let package = package();
    let failed = |what: &str, error: &dyn std::fmt::Display| Failure::new(format!("{what}: {error}"));
    if package.exists() {
        std::fs::remove_dir_all(&package).map_err(|error| failed("target/npm/lozenge", &error))?;
    }
    let mut bindgen =
        cargo(&["run", "--quiet", "--package", "xtask", "--features", "bindgen", "--bin", "bindgen", "--"]);
    run_command(bindgen.arg(&module).arg(&package))?;
    write_package(&package).map_err(|error| failed("target/npm/lozenge", &error))?;
    let bytes =
        std::fs::read(package.join("lozenge_bg.wasm")).map_err(|error| failed("the module", &error))?;
    println!("{}: a module of {} bytes", package.display(), bytes.len());
    Ok(())
}

/// Adds the files that are not generated: the entry for Node, the description, the licenses.
fn write_package(package: &Path) -> std::io::Result<()> {
    let source = root().join("crates/wasm/npm");
    for name in ["node.js", "README.md"] {
        std::fs::copy(source.join(name), package.join(name))?;
    }
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        std::fs::copy(root().join(name), package.join(name))?;
    }
    let about = std::fs::read_to_string(source.join("package.json"))?;
    std::fs::write(package.join("package.json"), about.replace("0.0.0", env!("CARGO_PKG_VERSION")))
}

/// Runs the package's tests in Node.
fn test() -> Outcome {
    run_command(node().arg("--test").arg("crates/wasm/tests/").env("LOZENGE_PACKAGE", package()))
}

/// Node, in the project's folder.
pub(crate) fn node() -> Command {
    program("node")
}
