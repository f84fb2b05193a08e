//! Betza notation: atoms or an error whose location is in the text.
#![no_main]
use libfuzzer_sys::fuzz_target;
use lozenge_rules::geometry::{Frame, Vector};
use lozenge_rules::variant::betza;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    match betza::parse(&text) {
        Err(error) => assert!(error.at <= text.len() && text.is_char_boundary(error.at)),
        Ok(atoms) => {
            for forward in Vector::EIGHT {
                for atom in &atoms {
                    let frame = Frame::first(forward);
                    let mut steps = atom.steps(frame);
                    assert!(steps.len() <= 8);
                    for leg in &atom.then {
                        steps = steps.iter().flat_map(|&before| leg.steps(frame, before)).take(8).collect();
                    }
                }
            }
        }
    }
});
