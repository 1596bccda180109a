//! The table of units, and their code once it is needed.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::code::{Body, Unit, UnitId};
use super::code_table::CodeTable;
use super::compile::compile;
use super::scope::{Register, Scope};
use crate::call_table::CalledCode;
use crate::script::ResolvedScript;
use types::resolved::Place;

/// The unit of `callee`, whose code stands at `scope`. `free` are the registers of its free
/// variables in that scope.
pub(super) fn unit_at(
    script: &ResolvedScript,
    code_table: &mut CodeTable,
    callee: CalledCode,
    scope: &Scope,
) -> Option<(UnitId, Vec<Register>)> {
    let resolved = &script.resolved;
    let free: &[Place] = match callee {
        CalledCode::Function(id) | CalledCode::Constant(id) => resolved
            .free_of_definition
            .get(&id)
            .map_or(&[], Vec::as_slice),
        CalledCode::Continuation(body) => script.free_of(body),
        CalledCode::Argument(_) | CalledCode::Waiting(..) | CalledCode::Loop(_) => return None,
    };
    let captured = scope.registers(free)?;
    let arguments = match callee {
        CalledCode::Function(id) => {
            let groups = script.clauses(id)[0].groups.iter();
            groups.map(Vec::len).sum::<usize>()
        }
        _ => 0,
    };
    let unit = code_table.unit(callee, || Unit {
        callee,
        home: scope.captured(free),
        width: (captured.len() + arguments) as u32,
        body: None,
    });
    Some((unit, captured))
}

/// True if `unit` and all units that it can lead to have code, and it can lead to itself.
pub(super) fn is_complete_loop(
    script: &ResolvedScript,
    code_table: &mut CodeTable,
    unit: UnitId,
) -> bool {
    if let Some(&known) = code_table.loops.get(&unit) {
        return known;
    }
    let (mut open, mut seen) = (vec![unit], FxHashSet::default());
    let mut is_complete = true;
    while let Some(next) = open.pop() {
        let Some(body) = body(script, code_table, next) else {
            is_complete = false;
            break;
        };
        for clause in &body.clauses {
            clause.code.each_call(&mut |called| {
                if seen.insert(called) {
                    open.push(called);
                }
            });
        }
    }
    let is_loop = is_complete && seen.contains(&unit);
    code_table.loops.insert(unit, is_loop);
    is_loop
}

/// The code of `unit`; `None` if it has none.
pub(super) fn body(
    script: &ResolvedScript,
    code_table: &mut CodeTable,
    unit: UnitId,
) -> Option<Arc<Body>> {
    if let Some(body) = &code_table.units[unit].body {
        return Some(Arc::clone(body));
    }
    if code_table.hopeless.contains(&unit) {
        return None;
    }
    let Some(body) = compile(script, code_table, unit) else {
        code_table.hopeless.insert(unit);
        return None;
    };
    let body = Arc::new(body);
    code_table.units[unit].body = Some(Arc::clone(&body));
    Some(body)
}
