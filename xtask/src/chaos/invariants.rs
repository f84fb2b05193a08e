//! The invariants of the record after a run, whatever failed: a linear check of each game against the observations of its
//! players, and a check of the jobs.

use super::history::Observations;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// An event of a game in the database.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) seq: u64,
    pub(super) event: Value,
}

/// The record of all games.
pub(super) type Record = BTreeMap<String, Vec<Row>>;

/// A half move of a game as a server gives it that has replayed the record: the move, and the position after it.
pub(super) type Replayed = Vec<(String, String)>;

/// The record from lines of `game`, `seq` and event, separated by tabs, in order.
pub(super) fn read(lines: &str) -> Result<Record, String> {
    let mut record = Record::new();
    for line in lines.lines() {
        let mut columns = line.splitn(3, '\t');
        let row = columns.next().zip(columns.next()).zip(columns.next());
        let parsed = row.and_then(|((game, seq), event)| {
            let event = serde_json::from_str(event).ok()?;
            Some((game, Row { seq: seq.parse().ok()?, event }))
        });
        let (game, row) = parsed.ok_or_else(|| format!("expected an event of a game, found {line}"))?;
        record.entry(game.to_owned()).or_default().push(row);
    }
    Ok(record)
}

/// The moves of a record, in order. Players of this test take nothing back.
fn moves(rows: &[Row]) -> Vec<(u64, &str)> {
    let played = rows.iter().filter(|row| row.event["fact"] == "moved");
    played.filter_map(|row| Some((row.seq, row.event["uci"].as_str()?))).collect()
}

/// The epochs of games in the course of a run.
#[derive(Debug, Default)]
pub(super) struct Epochs(HashMap<String, u64>);

impl Epochs {
    /// Notes the epochs as they are now, from lines of game and epoch: none has fallen since.
    pub(super) fn note(&mut self, lines: &str) -> Vec<String> {
        let mut faults = Vec::new();
        for line in lines.lines() {
            let read =
                line.split_once('\t').and_then(|(game, epoch)| Some((game, epoch.parse::<u64>().ok()?)));
            let Some((game, epoch)) = read else {
                faults.push(format!("expected a game and its epoch, found {line}"));
                continue;
            };
            let before = self.0.insert(game.to_owned(), epoch);
            if let Some(before) = before.filter(|before| *before > epoch) {
                faults.push(format!("{game}: epoch {epoch} follows {before}"));
            }
        }
        faults
    }

    /// How often games went to another server.
    pub(super) fn changes(&self) -> u64 {
        self.0.values().sum()
    }
}

/// Faults of the record alone: holes, events after the end.
pub(super) fn record_faults(record: &Record) -> Vec<String> {
    let mut faults = Vec::new();
    for (game, rows) in record {
        for (expected, row) in (1..).zip(rows) {
            if row.seq != expected {
                faults.push(format!("{game}: expected event {expected}, found {}", row.seq));
                break;
            }
        }
        let ends: Vec<u64> =
            rows.iter().filter(|row| row.event["fact"] == "finished").map(|row| row.seq).collect();
        if ends.len() > 1 {
            faults.push(format!("{game} ends {} times, by the events {ends:?}", ends.len()));
        }
        if let (Some(end), Some((seq, played))) = (ends.first(), moves(rows).last())
            && seq > end
        {
            faults.push(format!("{game}: {played} is event {seq}, after the end at {end}"));
        }
    }
    faults
}

/// Contradictions between the players' observations and the record: an acknowledged or received fact is not recorded.
pub(super) fn observation_faults(
    observations: &HashMap<String, Observations>,
    record: &Record,
) -> Vec<String> {
    let mut faults = Vec::new();
    for (game, observations) in observations {
        let Some(rows) = record.get(game) else {
            faults.push(format!("{game}: players saw it, but it is not recorded"));
            continue;
        };
        let moves = moves(rows);
        for (ply, played) in &observations.moves {
            let recorded = usize::try_from(*ply).ok().and_then(|ply| moves.get(ply)).map(|(_, uci)| *uci);
            if recorded != Some(played) {
                faults.push(format!(
                    "{game}: {played} was acknowledged as ply {ply}, recorded is {recorded:?}"
                ));
            }
        }
        if let Some(side) = observations.resigned
            && !rows.iter().any(|row| row.event["fact"] == "finished" && row.event["reason"] == "resign")
        {
            faults.push(format!("{game}: the resignation of {side} was acknowledged, and is not recorded"));
        }
        let last = rows.last().map_or(0, |row| row.seq);
        for (seq, state) in &observations.states {
            let plies = moves.iter().filter(|(at, _)| at <= seq).count() as u64;
            if *seq > last || state.ply != plies {
                faults.push(format!(
                    "{game}: a player received {} plies at event {seq}, recorded are {plies} of {last} events",
                    state.ply
                ));
            }
        }
    }
    faults.sort();
    faults
}

/// Faults of a game as a server has replayed it: other moves than recorded, or other positions than players received.
pub(super) fn replay_faults(
    game: &str,
    replayed: &Replayed,
    rows: &[Row],
    observations: &Observations,
) -> Vec<String> {
    let recorded: Vec<&str> = moves(rows).into_iter().map(|(_, uci)| uci).collect();
    let played: Vec<&str> = replayed.iter().map(|(uci, _)| uci.as_str()).collect();
    if recorded != played {
        return vec![format!("{game}: recorded are {recorded:?}, replayed {played:?}")];
    }
    let mut faults = Vec::new();
    for (seq, state) in &observations.states {
        let at = usize::try_from(state.ply).ok().and_then(|ply| replayed.get(ply.checked_sub(1)?));
        if let Some((_, fen)) = at.filter(|(_, fen)| *fen != state.fen) {
            faults.push(format!("{game}: a player received {} at event {seq}, replayed is {fen}", state.fen));
        }
    }
    faults
}

/// Faults of jobs, from lines of id, state and number of results; jobs may be open still.
pub(super) fn job_faults(lines: &str, may_be_open: bool) -> Vec<String> {
    let mut faults = Vec::new();
    for line in lines.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        match columns.as_slice() {
            [_, "done", "1"] | [_, "cancelled", "0"] => {}
            [_, "waiting" | "leased", "0"] if may_be_open => {}
            [id, "dead", _] => faults.push(format!("{id} was set aside")),
            [id, state, results] => faults.push(format!("{id} is {state} and has {results} results")),
            _ => faults.push(format!("expected a job, found {line}")),
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::super::history::ObservedState;
    use super::*;

    const GAME: &str = "g\t1\t{\"fact\":\"joined\"}\ng\t2\t{\"fact\":\"moved\",\"uci\":\"a1a2\"}\n\
        g\t3\t{\"fact\":\"moved\",\"uci\":\"b1b2\"}\ng\t4\t{\"fact\":\"finished\",\"reason\":\"resign\"}\n";

    fn observations(moves: &[(u64, &str)], states: &[(u64, u64)]) -> HashMap<String, Observations> {
        let states =
            states.iter().map(|&(seq, ply)| (seq, ObservedState { ply, fen: format!("after {ply}") }));
        let moves = moves.iter().map(|&(ply, uci)| (ply, uci.to_owned()));
        let observations =
            Observations { moves: moves.collect(), states: states.collect(), ..Observations::default() };
        HashMap::from([("g".to_owned(), observations)])
    }

    #[test]
    fn valid_record_has_no_faults() {
        let record = read(GAME).unwrap();
        let observations = observations(&[(0, "a1a2"), (1, "b1b2")], &[(1, 0), (2, 1), (3, 2), (4, 2)]);
        assert_eq!(record_faults(&record), [""; 0]);
        assert_eq!(observation_faults(&observations, &record), [""; 0]);
        let replayed = [("a1a2", "after 1"), ("b1b2", "after 2")].map(|(uci, fen)| (uci.into(), fen.into()));
        assert_eq!(replay_faults("g", &replayed.into(), &record["g"], &observations["g"]), [""; 0]);
    }

    #[test]
    fn faults_of_a_record_are_found() {
        let faults = |text: &str| record_faults(&read(text).unwrap()).join("; ");
        assert!(faults(&GAME.replace("g\t3", "g\t5")).contains("expected event 3, found 5"));
        let twice = GAME.replace("{\"fact\":\"joined\"}", "{\"fact\":\"finished\"}");
        assert!(faults(&twice).contains("ends 2 times") && faults(&twice).contains("after the end"));
        assert!(read("g\tx\t{}").is_err());
    }

    #[test]
    fn observations_missing_in_the_record_are_found() {
        let record = read(GAME).unwrap();
        let faults = |observations: &HashMap<String, Observations>| {
            observation_faults(observations, &record).join("; ")
        };
        assert!(faults(&observations(&[(1, "c1c2")], &[])).contains("c1c2 was acknowledged as ply 1"));
        assert!(faults(&observations(&[(2, "c1c2")], &[])).contains("recorded is None"));
        assert!(faults(&observations(&[], &[(5, 2)])).contains("2 plies at event 5"));
        assert!(faults(&observations(&[], &[(2, 2)])).contains("2 plies at event 2"));
        let other = HashMap::from([("h".to_owned(), Observations::default())]);
        assert!(faults(&other).contains("it is not recorded"));
        let replayed = vec![("a1a2".to_owned(), "after 1".to_owned()), ("b1b2".into(), "another".into())];
        let observations = observations(&[], &[(3, 2)]);
        assert!(
            replay_faults("g", &replayed, &record["g"], &observations["g"])
                .join("")
                .contains("replayed is another")
        );
        assert!(!replay_faults("g", &Vec::new(), &record["g"], &observations["g"]).is_empty());
    }

    #[test]
    fn decreasing_epochs_are_found() {
        let mut epochs = Epochs::default();
        assert_eq!(epochs.note("a\t1\nb\t0\n"), [""; 0]);
        assert_eq!(epochs.note("a\t3\nb\t0\nc\t1\n"), [""; 0]);
        assert_eq!(epochs.changes(), 4);
        assert_eq!(epochs.note("a\t2\n"), ["a: epoch 2 follows 3"]);
        assert_eq!(epochs.note("nothing").len(), 1);
    }

    #[test]
    fn every_job_has_one_result() {
        assert_eq!(job_faults("a\tdone\t1\nb\tcancelled\t0\n", false), [""; 0]);
        let lines = "a\tdone\t0\nb\tdone\t2\nc\tleased\t0\nd\tdead\t0\n";
        assert_eq!((job_faults(lines, false).len(), job_faults(lines, true).len()), (4, 3));
    }
}
