//! Guesses the identities that a process remembers, if a view of one identity hides them.

use std::rc::Rc;

use super::value::{Id, IdSet, Local, OutOfSight, PartialValue, SetValue};

/// All states that `local` may be if the identities of the mask `further` come into sight.
pub(super) fn guesses(local: &Local, further: u32) -> Vec<Local> {
    let all = lists(&local.values, further).into_iter();
    all.map(|values| Local {
        code: local.code,
        values: values.into(),
    })
    .collect()
}

fn lists(values: &[PartialValue], further: u32) -> Vec<Vec<PartialValue>> {
    combinations(values.iter().map(|value| options(value, further)))
}

/// All lists with one of the options for each place.
pub(super) fn combinations<T: Clone>(options: impl Iterator<Item = Vec<T>>) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    for options in options {
        let longer = all.iter().flat_map(|list: &Vec<T>| {
            options
                .iter()
                .map(|option| [&list[..], std::slice::from_ref(option)].concat())
        });
        all = longer.collect();
    }
    all
}

fn options(value: &PartialValue, further: u32) -> Vec<PartialValue> {
    let ids = || (0..32u8).filter(|id| further & (1 << id) != 0);
    let all = |parts: &Rc<[PartialValue]>| {
        lists(parts, further)
            .into_iter()
            .map(Rc::<[PartialValue]>::from)
    };
    match value {
        PartialValue::Id(Id::Other) => {
            let named = ids().map(|id| PartialValue::Id(Id::Seen(id)));
            named.chain([value.clone()]).collect()
        }
        PartialValue::Dot(parts) => all(parts).map(PartialValue::Dot).collect(),
        PartialValue::Tuple(parts) => all(parts).map(PartialValue::Tuple).collect(),
        PartialValue::Sequence(parts) => all(parts).map(PartialValue::Sequence).collect(),
        // A function has its arguments, group by group.
        PartialValue::Function(function, groups) => {
            let groups = combinations(groups.iter().map(|group| all(group).collect()));
            let functions = groups.into_iter();
            functions
                .map(|groups| PartialValue::Function(*function, groups.into()))
                .collect()
        }
        PartialValue::Process(local) => guesses(local, further)
            .into_iter()
            .map(PartialValue::Process)
            .collect(),
        PartialValue::Set(set) => match &**set {
            SetValue::Listed(ids, items) => {
                let set = |seen, rest| {
                    let ids = IdSet { seen, rest };
                    PartialValue::Set(Rc::new(SetValue::Listed(ids, Rc::clone(items))))
                };
                match ids.rest {
                    OutOfSight::None => vec![value.clone()],
                    OutOfSight::All => vec![set(ids.seen | further, OutOfSight::All)],
                    OutOfSight::Some => (0..=further)
                        .filter(|chosen| chosen & !further == 0)
                        .map(|chosen| set(ids.seen | chosen, OutOfSight::Some))
                        .collect(),
                }
            }
            _ => vec![value.clone()],
        },
        _ => vec![value.clone()],
    }
}
