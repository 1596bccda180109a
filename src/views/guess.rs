//! Whom a process remembers, where a view of one identity does not say.

use std::rc::Rc;

use super::value::{Id, IdSet, Local, Rest, SetValue, Value};

/// All states that `local` may be if those of `further` come into sight.
pub(super) fn guesses(local: &Local, further: u32) -> Vec<Local> {
    let all = lists(&local.values, further).into_iter();
    all.map(|values| Local {
        code: local.code,
        values: values.into(),
    })
    .collect()
}

fn lists(values: &[Value], further: u32) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for value in values {
        let options = options(value, further);
        let longer = all.iter().flat_map(|values: &Vec<Value>| {
            options
                .iter()
                .map(|option| [&values[..], std::slice::from_ref(option)].concat())
        });
        all = longer.collect();
    }
    all
}

fn options(value: &Value, further: u32) -> Vec<Value> {
    let ids = || (0..32u8).filter(|id| further & (1 << id) != 0);
    let all = |parts: &Rc<[Value]>| lists(parts, further).into_iter().map(Rc::<[Value]>::from);
    match value {
        Value::Id(Id::Other) => {
            let named = ids().map(|id| Value::Id(Id::Seen(id)));
            named.chain([value.clone()]).collect()
        }
        Value::Dot(parts) => all(parts).map(Value::Dot).collect(),
        Value::Tuple(parts) => all(parts).map(Value::Tuple).collect(),
        Value::Sequence(parts) => all(parts).map(Value::Sequence).collect(),
        Value::Process(local) => guesses(local, further)
            .into_iter()
            .map(Value::Process)
            .collect(),
        Value::Set(set) => match &**set {
            SetValue::Listed(ids, items) => {
                let set = |seen, rest| {
                    let ids = IdSet { seen, rest };
                    Value::Set(Rc::new(SetValue::Listed(ids, Rc::clone(items))))
                };
                match ids.rest {
                    Rest::None => vec![value.clone()],
                    Rest::All => vec![set(ids.seen | further, Rest::All)],
                    Rest::Some => (0..=further)
                        .filter(|chosen| chosen & !further == 0)
                        .map(|chosen| set(ids.seen | chosen, Rest::Some))
                        .collect(),
                }
            }
            _ => vec![value.clone()],
        },
        _ => vec![value.clone()],
    }
}
