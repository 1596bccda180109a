//! The sentences of a game that is made by hand.

use super::*;

fn words() -> GameWords {
    GameWords {
        assertion: "VM [F= MOOD".to_string(),
        specification: "VM".to_string(),
        implementation: "MOOD".to_string(),
        has_divergences: false,
    }
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| text.to_string()).collect()
}

#[test]
fn an_end_says_what_the_specification_had_allowed() {
    let mut end = EndWords {
        kind: PlayEndKind::GaveUp(GameSide::Defender),
        challenge: Some(ChallengeWords::Rest(strings(&["choc"]))),
        trace: strings(&["coin"]),
        fitting: None,
        is_restless: false,
        allowed: strings(&["choc", "toffee"]),
        rests: vec![strings(&["choc", "toffee"])],
    };
    let rest = "After <coin> MOOD can be at rest and offer {choc}, where at rest VM offers all of {choc, toffee}.";
    assert_eq!(words().end(&end), rest);
    end.rests.clear();
    let never =
        "After <coin> MOOD can be at rest and offer {choc}, where VM never comes to rest there.";
    assert_eq!(words().end(&end), never);
    end.challenge = Some(ChallengeWords::Event("gum".to_string()));
    let event = "After <coin> MOOD can do gum, where VM allows only {choc, toffee}.";
    assert_eq!(words().end(&end), event);
    end.kind = PlayEndKind::WrongAnswer("STOP".to_string());
    end.fitting = Some("gum -> VM".to_string());
    assert_eq!(
        words().end(&end),
        "STOP cannot do gum. The answer is gum -> VM."
    );
    end.challenge = Some(ChallengeWords::Forever);
    end.fitting = None;
    end.trace.clear();
    let forever = "At the start MOOD can do internal steps for ever, and VM cannot.";
    assert_eq!(words().end(&end), forever);
}

#[test]
fn the_lesson_names_the_mistake_and_what_was_better() {
    let mistake = (3, "τ".to_string(), strings(&["τ #2", "coin"]));
    let mut lesson = MistakeWords {
        side: GameSide::Attacker,
        won: false,
        moves: Some(1),
        mistake: Some(mistake),
    };
    let said = words().lesson(&lesson);
    let fails = "VM [F= MOOD fails: an attacker who makes no mistake always wins, here in 1 move.";
    assert_eq!(said[0], fails);
    let mistake = "Your mistake was move 3, `τ`: until then you could win. There `τ #2` or `coin` would have kept the win.";
    assert_eq!(said[1], mistake);
    lesson.mistake = None;
    lesson.moves = None;
    let said = words().lesson(&lesson);
    assert_eq!(
        said[0],
        "VM [F= MOOD holds: a defender who makes no mistake always wins."
    );
    assert_eq!(
        said[1],
        "You made no mistake: no play wins as attacker here."
    );
}
