//! Every way in which evaluation can go wrong, with its code.

use super::{value, with_script};
use crate::set::Set;
use crate::value::DatatypeId;
use base::index::TypedIndex;

#[test]
fn errors_have_their_codes() {
    let script = "
datatype D = A | B.{0..1}
channel c : {0..2}
channel d : {(0).0, (1).1}
channel e : Int.Bool
f(0) = 1
g(<x>) = x
X = X
Y = Z + 1
Z = Y
(h, i) = <1>
";
    for (expression, code) in [
        ("1 / 0", "division-by-zero"),
        ("1 % 0", "division-by-zero"),
        ("f(1)", "no-matching-clause"),
        ("g(<>)", "no-matching-clause"),
        ("(\\ <x> @ x)(<1,2>)", "no-matching-clause"),
        ("head(<>)", "empty-sequence"),
        ("tail(<>)", "empty-sequence"),
        ("X", "cyclic-definition"),
        ("Y", "cyclic-definition"),
        ("h", "pattern-mismatch"),
        ("1 + true", "internal-error"),
        ("if 1 then 2 else 3", "internal-error"),
        ("1 == true", "internal-error"),
        ("STOP == SKIP", "internal-error"),
        ("true < false", "internal-error"),
        ("c.3", "field-value"),
        ("B.2", "field-value"),
        ("d.0.0", "non-rectangular"),
        ("card(Int)", "infinite-set"),
        ("{x | x <- {0..}}", "infinite-set"),
        ("seq(Seq({1}))", "infinite-set"),
        ("mapLookup((| 1 => 1 |), 2)", "missing-key"),
        ("error(\"own words\")", "script-error"),
        ("9223372036854775807 + 1", "integer-overflow"),
        ("f(1)(2)", "no-matching-clause"),
        ("{1..100000000}", "set-too-large"),
        ("card(Set({1..40}))", "set-too-large"),
        ("{<0..>}", "infinite-sequence"),
        ("let s(n) = 1 + s(n) within s(0)", "recursion-too-deep"),
    ] {
        let found = value(script, expression).map_err(|problem| problem.code);
        assert_eq!(found, Err(code), "{expression}");
    }
}

#[test]
fn an_error_in_a_field_stays_the_error() {
    let script = "datatype D = A | B.{0..error(\"own\")}";
    with_script(script, "card(D)", |evaluator, id| {
        for _ in 0..2 {
            let problem = evaluator.value_of(id).map_err(|problem| problem.code);
            assert_eq!(problem, Err("script-error"));
        }
    });
    // An infinite set is not inside the first part of a union; to compare it with the second one
    // is an error.
    with_script(script, "D", |evaluator, _| {
        let sequences = |of: i64| Set::Sequences(Set::range(of, of).into());
        let datatype = Set::Datatype(DatatypeId::from_usize(0));
        let parts = [sequences(1), Set::Sequences(datatype.into())];
        let problem = evaluator.is_subset(&sequences(0), &Set::Union(parts.into()));
        let problem = problem.map_err(|problem| problem.code);
        assert_eq!(problem, Err("script-error"));
    });
}

#[test]
fn the_words_of_a_script_stand_without_quotes() {
    for (expression, words) in [
        (r#"error("plain")"#, "plain"),
        (r#"error("say \"hi\"")"#, r#"say "hi""#),
        (r#"error("\"")"#, r#"""#),
        (r#"error("two\nlines")"#, r"two\nlines"),
        (r#"error("")"#, "<>"),
        ("error(<1>)", "<1>"),
    ] {
        let message = value("", expression).map_err(|problem| problem.message);
        assert_eq!(message, Err(format!("the script says: {words}")));
    }
}
