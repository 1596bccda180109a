//! A request that was read, before its answer.

use std::sync::Arc;

use serde_json::Value;

use base::cancel::Cancellation;
use host::fault::caught;
use host::files::Readable;
use report::api::{ApiAnswer, ApiResult};
use report::json::json;

use super::kept::KeptWork;
use super::methods::{self, refused};
use super::request::{ApiMethod, ApiRequest, WorkLength, bad};
use super::work::{ApiWork, AskedRequest, Hear};

/// A request that was read, the options for its answer, and what ends the work.
pub(in super::super) struct ApiQuestion {
    asked: AskedRequest,
    cancellation: Cancellation,
}

impl ApiQuestion {
    /// The question in `line`, or the answer with the reason why it is no request.
    pub(in super::super) fn read(line: &[u8]) -> Result<Self, String> {
        let refused = |id, reason: &str| with_id(id, refused(&bad(reason)));
        let value: Value = match serde_json::from_slice(line) {
            Ok(value) => value,
            Err(error) => return Err(refused(Value::Null, &format!("it is no JSON: {error}"))),
        };
        if !value.is_object() {
            return Err(refused(Value::Null, "it is no JSON object"));
        }
        let id = value.get("id").cloned().unwrap_or(Value::Null);
        let asked = asked(value, id.clone()).map_err(|reason| refused(id, &reason))?;
        Ok(Self {
            asked,
            cancellation: Cancellation::new(),
        })
    }

    pub(super) fn id(&self) -> &Value {
        &self.asked.id
    }

    /// The token by which the work is ended from outside.
    pub(in super::super) fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    /// The length of the work: others should not have to wait for what takes long.
    pub(in super::super) fn takes(&self) -> WorkLength {
        self.asked.request.takes()
    }

    /// True if lines about the work are wanted before the answer.
    pub(in super::super) fn wants_news(&self) -> bool {
        self.asked.request.progress
    }

    /// The id of the request that this one stops, if it is there to stop one.
    pub(super) fn stops(&self) -> Option<&Value> {
        self.asked.request.stops.as_ref()
    }

    /// The answer with this `result`.
    pub(super) fn answered(&self, result: ApiResult) -> String {
        with_id(self.asked.id.clone(), methods::plain(result))
    }

    /// The answer, in one line without the newline. A failure is an answer too. Lines about the
    /// work go to `hear` before, if they are wanted.
    pub(in super::super) fn answer(
        self,
        readable: &Readable,
        kept: Option<&mut KeptWork>,
        hear: Hear,
    ) -> String {
        json(&self.reported(readable, kept, hear))
    }

    /// The answer as data; see [`Self::answer`].
    pub(in super::super) fn reported(
        self,
        readable: &Readable,
        kept: Option<&mut KeptWork>,
        hear: Hear,
    ) -> ApiAnswer {
        let id = self.asked.id.clone();
        let work = ApiWork::begin(self.asked, &self.cancellation, hear);
        let answer = work.watched(&work.task, || {
            caught(|| methods::answer(&work, readable, kept))
        });
        let answer = answer.unwrap_or_else(|problem| refused(&problem.into()));
        ApiAnswer { id, ..answer }
    }
}

/// The request with this id that `value` is. Fails with the reason why it is none.
fn asked(value: Value, id: Value) -> Result<AskedRequest, String> {
    let request: ApiRequest = serde_json::from_value(value).map_err(|error| error.to_string())?;
    // A request without an id cannot be named, and so it cannot be stopped.
    let names_one = request.stops.as_ref().is_some_and(|id| !id.is_null());
    if names_one != (request.method == ApiMethod::Stop) {
        return Err("the method `stop` needs the key `stops`, the `id` of a request".to_string());
    }
    let times = request.times()?;
    let (options, memory) = request.options()?;
    Ok(AskedRequest {
        id,
        options,
        memory: Arc::new(memory),
        times,
        request,
    })
}

/// `answer` to the request `id`, as JSON.
fn with_id(id: Value, answer: ApiAnswer) -> String {
    json(&ApiAnswer { id, ..answer })
}
