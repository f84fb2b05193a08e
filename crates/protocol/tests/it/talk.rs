//! Both ends of a conversation with the engine, in memory.

use lozenge_protocol::games::{Games, LoadError};
use lozenge_rules::library::{self, AnyGame};
use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) struct Talk {
    /// The location in the test, for messages.
    pub(crate) place: String,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
    partial: Vec<u8>,
    thread: Option<JoinHandle<()>>,
}

impl Talk {
    pub(crate) fn new() -> Self {
        let (input, reading) = channel();
        let (writing, output) = channel();
        let games = Games::new(Box::new(|path| {
            let text =
                std::fs::read_to_string(path).map_err(|error| LoadError::File(format!("{path}: {error}")))?;
            Ok(AnyGame::parse(path, &text, &library::text)?.into())
        }));
        let from = BufReader::new(ChannelReader { reading, rest: Vec::new() });
        let thread = std::thread::spawn(move || lozenge_protocol::serve(from, ChannelWriter(writing), games));
        Self { place: String::new(), input: Some(input), output, partial: Vec::new(), thread: Some(thread) }
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &[u8]) {
        // A session that has ended does not listen.
        let _ = self.input.as_ref().expect("input after its end").send([line, b"\n"].concat());
    }

    /// Ends the input.
    pub(crate) fn end(&mut self) {
        self.input = None;
    }

    /// The next line; `None` when the session has ended.
    pub(crate) fn next(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.partial.iter().position(|&byte| byte == b'\n') {
                let rest = self.partial.split_off(end + 1);
                let mut line = std::mem::replace(&mut self.partial, rest);
                line.pop();
                return Some(String::from_utf8(line).unwrap());
            }
            match self.output.recv_timeout(TIMEOUT) {
                Ok(bytes) => self.partial.extend(bytes),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return None,
                Err(_) => panic!("{}: expected a line, found silence", self.place),
            }
        }
    }

    /// Lines up to and with the first that begins like this.
    pub(crate) fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(
                self.next().unwrap_or_else(|| panic!("expected `{start}`, found the end after {lines:?}")),
            );
            if lines.last().unwrap().starts_with(start) {
                return lines;
            }
        }
    }

    /// Ends the input. The session must end. Returns its last lines.
    pub(crate) fn finish(mut self) -> Vec<String> {
        self.input = None;
        let mut rest = Vec::new();
        while let Some(line) = self.next() {
            rest.push(line);
        }
        let since = Instant::now();
        let thread = self.thread.take().unwrap();
        while !thread.is_finished() {
            assert!(since.elapsed() < TIMEOUT, "expected the session to end");
            std::thread::sleep(Duration::from_millis(1));
        }
        thread.join().unwrap();
        rest
    }
}

struct ChannelReader {
    reading: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for ChannelReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.reading.recv().unwrap_or_default();
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

struct ChannelWriter(Sender<Vec<u8>>);

impl Write for ChannelWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
