//! The notations of textbooks and other languages, and those of CSPm for them.

/// Refinements with their models.
pub(super) const REFINEMENTS: &str =
    "write `SPEC [T= SYSTEM` for traces, `[F=` for failures or `[FD=` for failures and divergences";

/// Recursion, which books write with μ.
const RECURSION: &str = "a process calls itself by its name: `P = a -> P`";

/// A hint at the notation of CSPm for a character that it does not have.
pub(super) fn instead_of_character(character: char) -> Option<&'static str> {
    Some(match character {
        '“' | '”' | '„' => "a string stands in straight double quotes, \"...\"",
        '‘' | '’' | '`' | '´' => "a prime and the quotes of a character are straight, '",
        '–' | '—' | '−' => "minus is `-`, and a prefix is written `->`",
        '→' => "a prefix is written `->`",
        '□' => "external choice is written `[]`",
        '⊓' | '~' => "internal choice is written `|~|`",
        '∥' | '‖' => {
            "a parallel is written `P [| {a, b} |] Q`, or `P ||| Q` without common events"
        }
        '⊑' | '⊒' => REFINEMENTS,
        '∈' => "membership is written `member(x, S)`",
        '∪' => "a union is written `union(S, T)`",
        '∩' => "an intersection is written `inter(S, T)`",
        '∖' => "hiding is written `P \\ S`, and a difference of sets `diff(S, T)`",
        '∅' => "the empty set is written `{}`",
        '⟨' | '⟩' => "a sequence is written `<1, 2, 3>`",
        '⌢' => "sequences are joined by `^`",
        '≠' => "inequality is written `!=`",
        '≤' => "write `<=`",
        '≥' => "write `>=`",
        '∧' => "conditions are joined by `and`",
        '∨' => "conditions are joined by `or`",
        '¬' => "negation is written `not`",
        'µ' | 'μ' => RECURSION,
        _ => return None,
    })
}

/// The sign or word of CSPm for `character`, if there is just one.
pub(super) fn written_as(character: char) -> Option<&'static str> {
    Some(match character {
        '“' | '”' | '„' => "\"",
        '‘' | '’' | '`' | '´' => "'",
        '–' | '—' | '−' => "-",
        '→' => "->",
        '□' => "[]",
        '⊓' => "|~|",
        '∅' => "{}",
        '⟨' => "<",
        '⟩' => ">",
        '⌢' => "^",
        '≠' => "!=",
        '≤' => "<=",
        '≥' => ">=",
        // Words need room.
        '∧' => " and ",
        '∨' => " or ",
        '¬' => "not ",
        _ => return None,
    })
}

/// A hint at the notation of CSPm for a foreign word behind an operand.
pub(super) fn instead_of_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "mod" | "rem" => "the remainder of a division is written `%`",
        "div" => "division is written `/`",
        "elseif" | "elsif" | "elif" => "write `else if`, in two words",
        "where" => "definitions for one expression stand before it: `let x = 1 within x + x`",
        "in" => "membership is written `member(x, S)`, in a sequence `elem(x, s)`",
        "refines" => {
            "`Q refines P` is written `assert P [T= Q`, or with `[F=` or `[FD=`: what is refined comes first"
        }
        "deadlock" | "divergence" | "livelock" | "deterministic" => {
            "a property stands in brackets: `assert P :[deadlock free]`"
        }
        _ => return None,
    })
}

/// A hint at the notation of CSPm for a foreign word before a name.
pub(super) fn instead_of_prefixed(word: &str) -> Option<&'static str> {
    (word == "mu").then_some(RECURSION)
}
