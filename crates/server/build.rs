//! Builds the pages' scripts and styles from `web/` with npm into the build folder, whenever their sources have
//! changed, and compresses the reports on built-in games. Without the feature `site` nothing is built and Node is not needed.

use brotli::enc::BrotliEncoderParams;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::SystemTime;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=locales");
    println!("cargo::rerun-if-changed=books");
    println!("cargo::rerun-if-changed=studies");
    println!("cargo::rerun-if-changed=puzzles");
    println!("cargo::rerun-if-changed=../../docs/reports");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("web");
    if let Err(error) = std::fs::create_dir_all(&out) {
        return fail(&format!("{}: {error}", out.display()));
    }
    let reports = out.with_file_name("reports");
    if let Err(error) = compress(Path::new("../../docs/reports"), &reports) {
        return fail(&format!("docs/reports: {error}"));
    }
    println!("cargo::rustc-env=LOZENGE_REPORTS={}", reports.display());
    println!("cargo::rustc-env=LOZENGE_WEB={}", out.display());
    if std::env::var_os("CARGO_FEATURE_SITE").is_none() {
        return ExitCode::SUCCESS;
    }
    // Of this build, not of the one that compiled this script: the folder may have been moved since.
    let Some(home) = std::env::var_os("CARGO_MANIFEST_DIR") else {
        return fail("expected to be run by cargo, which says where the crate is");
    };
    let web = Path::new(&home).join("../../web");
    for source in [
        "src",
        "styles",
        "fonts",
        "public",
        "openapi.json",
        "package.json",
        "package-lock.json",
        "tsconfig.json",
        "vite.config.ts",
    ] {
        let source = web.join(source);
        if source.exists() {
            println!("cargo::rerun-if-changed={}", source.display());
        }
    }
    // The engine for browsers, where it has been built (`cargo xtask wasm`) into the folder of all of Cargo's output. That is
    // watched as a whole, because a file that is not there would be taken for a changed one every time.
    let npm =
        out.ancestors().find(|folder| folder.join("CACHEDIR.TAG").exists()).map(|folder| folder.join("npm"));
    if let Some(npm) = &npm {
        if let Err(error) = create_unchanged(npm) {
            return fail(&format!("{}: {error}", npm.display()));
        }
        println!("cargo::rerun-if-changed={}", npm.display());
    }
    match build(&web, &out, npm.map(|npm| npm.join("lozenge"))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => fail(&fault),
    }
}

/// Creates a missing folder with an old date. Cargo would take one that is younger than the start of this script for a
/// changed one, and compile the server again with the next command.
fn create_unchanged(folder: &Path) -> std::io::Result<()> {
    if folder.exists() {
        return Ok(());
    }
    std::fs::create_dir_all(folder)?;
    // Where a folder cannot be opened (Windows), a second time is no harm.
    if let Ok(opened) = File::open(folder) {
        opened.set_modified(SystemTime::UNIX_EPOCH)?;
    }
    Ok(())
}

/// Compresses the reports of a folder into another.
fn compress(from: &Path, to: &Path) -> std::io::Result<()> {
    if to.exists() {
        std::fs::remove_dir_all(to)?;
    }
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.ends_with(".json") {
            continue;
        }
        let mut file = GzEncoder::new(File::create(to.join(name + ".gz"))?, Compression::best());
        file.write_all(&std::fs::read(path)?)?;
        file.finish()?;
    }
    Ok(())
}

fn build(web: &Path, out: &Path, engine: Option<PathBuf>) -> Result<(), String> {
    let lock = std::fs::read(web.join("package-lock.json"))
        .map_err(|error| format!("web/package-lock.json: {error}"))?;
    // Skip the installation if it was made for this lock file.
    let installed = web.join("node_modules/.lozenge-lock");
    if std::fs::read(&installed).ok().as_deref() != Some(&lock) {
        npm(web, &["ci", "--no-audit", "--no-fund"], None)?;
        std::fs::write(&installed, &lock).map_err(|error| format!("{}: {error}", installed.display()))?;
    }
    let folder = out.to_str().ok_or("the build folder's name is not UTF-8")?;
    npm(web, &["run", "build", "--", "--outDir", folder, "--emptyOutDir"], engine.as_deref())?;
    compress_beside(&out.join("assets")).map_err(|error| format!("{}: {error}", out.display()))
}

/// Compresses the texts and programs of a folder, each into a file beside it, so that the server need not do it.
fn compress_beside(folder: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        if ["js", "css", "svg", "json", "wasm"].contains(&extension.as_str()) {
            let content = std::fs::read(&path)?;
            let compressed = path.with_extension(format!("{extension}.gz"));
            let mut file = GzEncoder::new(File::create(compressed)?, Compression::best());
            file.write_all(&content)?;
            file.finish()?;
            let mut file = File::create(path.with_extension(format!("{extension}.br")))?;
            brotli::BrotliCompress(&mut content.as_slice(), &mut file, &BrotliEncoderParams::default())?;
        }
    }
    Ok(())
}

/// Runs npm. `engine` is where the engine for browsers is, if it has been built.
fn npm(folder: &Path, arguments: &[&str], engine: Option<&Path>) -> Result<(), String> {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).envs(engine.map(|engine| ("LOZENGE_NPM", engine)));
    let output = command.output().map_err(|error| {
        format!(
            "the site's pages are built with Node 20 or newer and its npm, which could not be started ({error}). \
             Install Node, or build without the site: --no-default-features"
        )
    })?;
    if output.status.success() {
        return Ok(());
    }
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    Err(format!("npm {} failed:\n{}\n{}", arguments.join(" "), said(&output.stdout), said(&output.stderr)))
}

fn fail(fault: &str) -> ExitCode {
    for line in fault.lines() {
        println!("cargo::error={line}");
    }
    ExitCode::FAILURE
}
