//! Explanations of messages, as text.

use super::*;
use pretty_assertions::assert_eq;

const TEXT: &str = "\
something is wrong

First.
Still first.

Second.

## Before

$ cspsym refine P Q FILE -D N=1

```csp
include \"other.csp\"

P = a -> Q
```

`other.csp`:

```csp
channel a
```

## After

```csp
P = STOP
```

See also: `x`, `y-z`.
";

#[test]
fn an_explanation_is_taken_apart() {
    let explanation = Explanation::read("wrong", TEXT);
    assert_eq!(explanation.summary, "something is wrong");
    assert_eq!(explanation.paragraphs, "First.\nStill first.\n\nSecond.");
    let before = explanation.before.clone().expect("it has one");
    assert_eq!(before.arguments(), "refine P Q FILE -D N=1");
    let names: Vec<Option<&str>> = before.scripts.iter().map(|s| s.name).collect();
    assert_eq!(names, [None, Some("other.csp")]);
    assert_eq!(
        before.scripts[0].text,
        "include \"other.csp\"\n\nP = a -> Q\n"
    );
    let after = explanation.after.clone().expect("it has one");
    assert_eq!(after.arguments(), "refine P Q FILE -D N=1");
    assert_eq!(explanation.see_also, ["x", "y-z"]);
}

#[test]
fn an_explanation_is_shown_without_marks() {
    let expected = "\
wrong: something is wrong

First.
Still first.

Second.

Before:

    $ cspsym refine P Q FILE -D N=1

    include \"other.csp\"

    P = a -> Q

  other.csp:

    channel a

After:

    $ cspsym refine P Q FILE -D N=1

    P = STOP

See also: x, y-z
";
    assert_eq!(Explanation::read("wrong", TEXT).text(), expected);
}

#[test]
fn a_code_is_found_as_it_is_copied() {
    for text in [
        "unknown-name",
        "UNKNOWN-NAME",
        "error[unknown-name]",
        "error[unknown-name]: `x` is not defined here",
        "[unknown-name]",
        "`unknown-name`",
        "unknown-name:",
        "unknown name",
    ] {
        assert_eq!(plain_code(text), "unknown-name", "of {text}");
    }
    assert_eq!(plain_code("[]"), "");
}

#[test]
fn codes_that_may_be_meant() {
    assert_eq!(similar("unknwon-name"), ["unknown-name"]);
    assert_eq!(
        similar("brackets"),
        ["mismatched-bracket", "unclosed-bracket"]
    );
    assert_eq!(similar("unclosed-brackets"), ["unclosed-bracket"]);
    assert_eq!(
        similar("forgotten-bracket"),
        ["mismatched-bracket", "unclosed-bracket"]
    );
    assert_eq!(similar("unclosed").len(), 5);
    assert!(similar("zzzzzz").is_empty());
    assert!(similar("").is_empty());
}

#[test]
fn long_lines_are_broken() {
    let text = "word ".repeat(30);
    let expected = format!(
        "start {}\n   {}\n",
        ["word"; 19].join(" "),
        ["word"; 11].join(" ")
    );
    assert_eq!(wrapped("start ", &text, 3), expected);
}

#[test]
fn codes_are_in_alphabetic_order() {
    assert!(codes().is_sorted());
}
