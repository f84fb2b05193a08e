//! Input from JavaScript: objects with options, and files where the program runs in Node.

use crate::fault;
use js_sys::{Error, Function, Object, Reflect, Uint8Array};
use lozenge_rules::variant::MAX_FILE_BYTES;
use wasm_bindgen::{JsCast as _, JsValue};

/// Greatest whole number that JavaScript counts exactly.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

/// An object with options, or nothing.
pub(crate) struct Options(JsValue);

impl Options {
    /// The options of a call.
    ///
    /// # Errors
    /// When it is not an object, or has an option that is not known.
    pub(crate) fn new(value: JsValue, known: &[&str]) -> Result<Self, Error> {
        if value.is_undefined() || value.is_null() {
            return Ok(Self(value));
        }
        let Some(object) = value.dyn_ref::<Object>() else {
            return Err(fault(format_args!(
                "expected an object with options, found {}",
                describe_value(&value)
            )));
        };
        for name in Object::keys(object).iter().filter_map(|name| name.as_string()) {
            if !known.contains(&name.as_str()) {
                let known = known.join(", ");
                return Err(fault(format_args!("unknown option `{name}`: expected one of {known}")));
            }
        }
        Ok(Self(value))
    }

    fn get(&self, name: &str) -> Option<JsValue> {
        let found = Reflect::get(&self.0, &name.into()).ok()?;
        (!found.is_undefined() && !found.is_null()).then_some(found)
    }

    /// A whole number.
    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, Error> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let whole = |number: &f64| number.fract() == 0.0 && (0.0..=MAX_SAFE_INTEGER).contains(number);
        match value.as_f64().filter(whole) {
            Some(number) => Ok(Some(number as u64)),
            None => Err(fault(format_args!(
                "expected `{name}` as a whole number, found {}",
                describe_value(&value)
            ))),
        }
    }

    /// A truth value.
    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, Error> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let expected =
            || fault(format_args!("expected `{name}` as true or false, found {}", describe_value(&value)));
        value.as_bool().map(Some).ok_or_else(expected)
    }

    /// A text.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Error> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let expected = || fault(format_args!("expected `{name}` as text, found {}", describe_value(&value)));
        value.as_string().map(Some).ok_or_else(expected)
    }
}

/// A value as an error message has it.
pub(crate) fn describe_value(value: &JsValue) -> String {
    let text = value.as_string().map(|text| format!("`{text}`"));
    let text = text.or_else(|| value.as_f64().map(|number| number.to_string()));
    text.unwrap_or_else(|| value.js_typeof().as_string().unwrap_or_default())
}

/// Reads a file by path: in Node alone, `None` elsewhere.
///
/// # Errors
/// Why it cannot be read: it is not there, too large or not text.
pub(crate) fn read_file(path: &str) -> Option<Result<String, String>> {
    let process = Reflect::get(&js_sys::global(), &"process".into()).ok()?;
    let load: Function = Reflect::get(&process, &"getBuiltinModule".into()).ok()?.dyn_into().ok()?;
    let files = load.call1(&process, &"node:fs".into()).ok()?;
    Some(read(&files, path))
}

fn read(files: &JsValue, path: &str) -> Result<String, String> {
    let call = |name: &str| -> Result<JsValue, JsValue> {
        let function: Function = Reflect::get(files, &name.into())?.dyn_into()?;
        function.call1(files, &path.into())
    };
    let about = call("statSync").map_err(|error| message(&error))?;
    let bytes = Reflect::get(&about, &"size".into()).ok().and_then(|size| size.as_f64()).unwrap_or(0.0);
    if bytes > MAX_FILE_BYTES as f64 {
        return Err(format!("expected at most {MAX_FILE_BYTES} bytes, found {bytes}"));
    }
    let bytes = call("readFileSync").map_err(|error| message(&error))?;
    String::from_utf8(Uint8Array::new(&bytes).to_vec()).map_err(|error| {
        format!("expected UTF-8 text, found something else at byte {}", error.utf8_error().valid_up_to() + 1)
    })
}

fn message(error: &JsValue) -> String {
    error.dyn_ref::<Error>().map_or_else(|| describe_value(error), |error| String::from(error.message()))
}
