//! A recorded session: what a machine said, so that it can be shown again, tested, and put in a book.
//!
//! SKELETON: fields are fixed, bodies to be written.

use crate::Setting;
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
    /// Read a recording of lab `lab`; the schema is looked at before the shape.
    pub fn parse(_json: &str, _lab: &str) -> Result<Recording, RecordingError> {
        todo!()
    }

    /// The recorded act of this id.
    pub fn act(&self, id: &str) -> Option<&RecordedAct> {
        self.acts.iter().find(|act| act.id == id)
    }
}
