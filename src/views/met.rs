//! The results that all evaluations of a script share.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::evaluation_place::EvaluationPlace;
use super::parameter::MetRange;
use super::value::{EveryIsOther, Frames, Local, LocalCode, PartialValue};
use base::diag::Result;

/// The results of evaluating a script that do not depend on the identities in sight.
#[derive(Default)]
pub(super) struct MetByScript {
    /// By code of a state, the frame in which it stands, as it was met first. Only its definitions
    /// matter.
    skeletons: RefCell<FxHashMap<LocalCode, Frames>>,
    pub(super) range: MetRange,
}

impl MetByScript {
    /// The frame in which the code of a state stands, if a state with this code was met.
    pub(super) fn skeleton(&self, code: LocalCode) -> Option<Frames> {
        self.skeletons.borrow().get(&code).cloned()
    }

    /// The state with the code `code`, which stands in `frame`.
    pub(super) fn state(
        &self,
        (code, frame): (LocalCode, &Frames),
        values: Vec<PartialValue>,
        place: &EvaluationPlace,
    ) -> Result<Local> {
        if values.iter().any(PartialValue::hides_ids) {
            return Err(
                place.refused("a process remembers a set of values with identities in them")
            );
        }
        let mut skeletons = self.skeletons.borrow_mut();
        skeletons.entry(code).or_insert_with(|| Rc::clone(frame));
        // In a state, each identity out of sight is some one identity.
        let values = values.iter().map(|value| value.mapped(&EveryIsOther));
        Ok(Local {
            code,
            values: values.collect(),
        })
    }
}
