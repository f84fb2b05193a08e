//! An engine as a child process: lines to it, lines from it with the moment at which they came, and
//! its end. Not here: the meaning of the lines.

use super::ClientError;
use crate::{InputLine, LineReader};
use std::io::{BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Lines that may wait to be read; then the engine blocks.
const READ_AHEAD: usize = 1024;
/// Most bytes of standard error that are stored: the last ones.
const MAX_STDERR_BYTES: usize = 2048;
/// How long a program may take to end after its input was closed.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);

/// A program to start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The program's path or name.
    pub path: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// A line and when it came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Received {
    /// The moment at which it was read.
    pub at: Instant,
    /// The line.
    pub line: InputLine,
}

/// A running program. Dropping this ends it.
#[derive(Debug)]
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Received>,
    stderr_tail: Arc<Mutex<Vec<u8>>>,
}

impl Process {
    /// Starts a program, in a process group of its own, so that Ctrl-C reaches only us.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(program: &Program) -> Result<Self, ClientError> {
        let fault = |error| ClientError::Start { program: program.path.display().to_string(), error };
        let mut command = Command::new(&program.path);
        command.args(&program.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(fault)?;
        let stdin = child.stdin.take();
        let (sender, lines) = mpsc::sync_channel(READ_AHEAD);
        let stderr_tail = Arc::new(Mutex::new(Vec::new()));
        if let Some(stdout) = child.stdout.take() {
            let reader = thread::Builder::new().name("engine output".into());
            reader.spawn(move || receive(stdout, &sender)).map_err(fault)?;
        }
        if let Some(stderr) = child.stderr.take() {
            let kept = Arc::clone(&stderr_tail);
            let reader = thread::Builder::new().name("engine errors".into());
            reader.spawn(move || keep_tail(stderr, &kept)).map_err(fault)?;
        }
        Ok(Self { child, stdin, lines, stderr_tail })
    }

    /// Writes a line, or several with newlines between.
    ///
    /// # Errors
    /// When the program reads no more.
    pub fn send(&mut self, line: &str) -> Result<(), ClientError> {
        let written = match &mut self.stdin {
            None => false,
            Some(stdin) => {
                stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush()).is_ok()
            }
        };
        if written { Ok(()) } else { Err(self.ended()) }
    }

    /// The next line, waited for until `until`; `None` when none has come by then.
    ///
    /// # Errors
    /// When the program has closed its output.
    pub fn receive(&mut self, until: Instant) -> Result<Option<Received>, ClientError> {
        match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(received) => Ok(Some(received)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }

    /// Ends the program.
    pub fn kill(&mut self) {
        // Both fail only where it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Number of the process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The error that describes how the program ended. A program that runs on without output is killed.
    fn ended(&mut self) -> ClientError {
        self.stdin = None;
        let status = match self.wait(EXIT_TIMEOUT) {
            Some(status) => status,
            None => {
                self.kill();
                "it closed its output".into()
            }
        };
        // The thread that reads standard error may need a moment to see the end.
        thread::sleep(Duration::from_millis(20));
        let stderr_tail = self.stderr_tail.lock().unwrap_or_else(PoisonError::into_inner);
        let stderr_tail = String::from_utf8_lossy(&stderr_tail).trim().replace('\n', " / ");
        ClientError::Ended { status, stderr_tail }
    }

    /// Waits for the program's end, at most `most`.
    fn wait(&mut self, most: Duration) -> Option<String> {
        let until = Instant::now() + most;
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status.to_string());
            }
            if Instant::now() >= until {
                return None;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Closing its input asks a program to end; kill one that does not.
        self.stdin = None;
        if self.wait(EXIT_TIMEOUT).is_none() {
            self.kill();
        }
    }
}

/// Forwards lines until the program closes its output or the receiver is gone.
fn receive(output: impl Read, sender: &SyncSender<Received>) {
    let mut reader = LineReader::new(BufReader::new(output));
    while let Ok(Some(line)) = reader.next_line() {
        if sender.send(Received { at: Instant::now(), line }).is_err() {
            return;
        }
    }
}

/// Keeps the last bytes.
fn keep_tail(mut output: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 1024];
    while let Ok(length) = output.read(&mut chunk) {
        if length == 0 {
            return;
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&chunk[..length]);
        let surplus = kept.len().saturating_sub(MAX_STDERR_BYTES);
        kept.drain(..surplus);
    }
}
