//! A recorded session: what a machine said, so that it can be shown again, tested, and put in a book.

use crate::Setting;
use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The schema that this program writes and reads. Raised when an old recording can no longer be understood.
pub const SCHEMA: u32 = 1;

/// What a machine said in one session of one lab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// [`SCHEMA`]
    pub schema: u32,
    /// The lab's slug.
    pub lab: String,
    /// UTC date, such as 2026-11-30.
    pub recorded_on: String,
    /// The machine and the knobs.
    pub setting: Setting,
    /// In the lab's order.
    pub acts: Vec<RecordedAct>,
}

/// One act's evidence, or why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedAct {
    /// The act's id.
    pub id: String,
    /// As the act wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Value>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
}

/// Why a recording cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// Not JSON of this shape.
    #[error("it is not a recording: {0}")]
    Malformed(#[from] serde_json::Error),
    /// Another schema.
    #[error("it has schema {found}, and this program reads schema {SCHEMA}")]
    Schema {
        /// What it has.
        found: u64,
    },
    /// Another lab's.
    #[error("it is a recording of lab `{found}`, not of `{wanted}`")]
    Lab {
        /// What it has.
        found: String,
        /// What was asked for.
        wanted: String,
    },
}

impl Recording {
    /// Read a recording of lab `lab`; the schema is looked at before the shape, since another schema has another
    /// shape.
    pub fn parse(json: &str, lab: &str) -> Result<Recording, RecordingError> {
        let malformed = |why: String| RecordingError::Malformed(serde_json::Error::custom(why));
        let value: Value = serde_json::from_str(json)?;
        let schema = value.get("schema").and_then(Value::as_u64);
        match schema.ok_or_else(|| malformed("it has no schema number".into()))? {
            found if found == u64::from(SCHEMA) => {}
            found => return Err(RecordingError::Schema { found }),
        }
        let recording = Recording::deserialize(value)?;
        if recording.lab != lab {
            return Err(RecordingError::Lab { found: recording.lab, wanted: lab.into() });
        }
        for (index, act) in recording.acts.iter().enumerate() {
            if recording.acts[..index].iter().any(|earlier| earlier.id == act.id) {
                return Err(malformed(format!("act `{}` is there twice", act.id)));
            }
            if act.evidence.is_some() == act.unavailable.is_some() {
                return Err(malformed(format!("act `{}` needs evidence, or why there is none", act.id)));
            }
        }
        Ok(recording)
    }

    /// The recording as a file holds it: indented, keys always in the same order, one newline at the end.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        let mut json = serde_json::to_string_pretty(self)?;
        json.push('\n');
        Ok(json)
    }

    /// The recorded act of this id.
    pub fn act(&self, id: &str) -> Option<&RecordedAct> {
        self.acts.iter().find(|act| act.id == id)
    }
}

#[cfg(test)]
mod tests;
