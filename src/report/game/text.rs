//! A refinement game for people, in a few lines.

use super::super::events::set;
use super::words::called;
use super::{GameEnd, GameReport, GameSide, GameState, GameTurn};

/// The most states and moves that are listed; the others can be chosen all the same.
const MOST_LISTED: usize = 60;

/// The most events of the trace that are shown.
const MOST_EVENTS: usize = 20;

/// The width to which names are padded at most.
const WIDEST_NAME: usize = 40;

impl GameReport {
    /// The beginning: who plays what.
    pub fn introduction(&self) -> String {
        let [spec, imp] = called(&self.specification, &self.implementation);
        match self.side {
            GameSide::Attacker => format!(
                "{}: you attack, and say that it fails. You move {imp}, and the program answers for {spec}.\n",
                self.assertion
            ),
            GameSide::Defender => format!(
                "{}: you defend, and say that it holds. The program moves {imp}, and you answer for {spec}.\n",
                self.assertion
            ),
        }
    }

    /// The moves since the first `turns`, and the state of the game now.
    pub fn text_since(&self, turns: usize) -> String {
        let news = self.turns.iter().enumerate().skip(turns);
        let mut text: String = news
            .map(|(index, turn)| self.turn_line(index, turn))
            .collect();
        match &self.end {
            Some(end) => text.push_str(&end_text(end)),
            None => text.push_str(&self.standing()),
        }
        text
    }

    /// The moves so far.
    pub fn path_text(&self) -> String {
        if self.turns.is_empty() {
            return "no move was made yet\n".to_string();
        }
        let turns = self.turns.iter().enumerate();
        turns
            .map(|(index, turn)| self.turn_line(index, turn))
            .collect()
    }

    fn turn_line(&self, index: usize, turn: &GameTurn) -> String {
        let by = match turn.by == self.side {
            true => "you",
            false => "program",
        };
        format!(
            "{:>3}  {by:<8} {:<10} {}\n",
            index + 1,
            turn.name,
            turn.sentence
        )
    }

    /// Both processes, the question, and the choices.
    fn standing(&self) -> String {
        let mut text = self.trace_line();
        let [spec, imp] = called(&self.specification, &self.implementation);
        text.push_str(&format!("  {imp} is\n"));
        text.push_str(&state_line(&self.implementation_state, self.state_width()));
        let many = match self.specification_states.len() {
            1 => "is".to_string(),
            n => format!("can be in {n} states"),
        };
        text.push_str(&format!("  {spec} {many}\n"));
        for state in self.specification_states.iter().take(MOST_LISTED) {
            text.push_str(&state_line(state, self.state_width()));
        }
        text.push_str(&more(self.specification_states.len(), "state"));
        if let Some(question) = &self.question {
            text.push_str(&format!("{question}\n"));
        }
        let names = self.choices.iter().take(MOST_LISTED);
        let width = names.map(|choice| choice.name.chars().count()).max();
        let width = width.unwrap_or_default().min(WIDEST_NAME);
        let digits = self.choices.len().min(MOST_LISTED).to_string().len();
        let all = self.choices.iter().enumerate();
        for (index, choice) in all.take(MOST_LISTED) {
            let number = index + 1;
            let line = format!(
                "  {number:>digits$}  {:<width$}  {}",
                choice.name, choice.text
            );
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text.push_str(&more(self.choices.len(), "choice"));
        text
    }

    /// The events so far; of many, the last ones.
    fn trace_line(&self) -> String {
        let skipped = self.trace.len().saturating_sub(MOST_EVENTS);
        let events = self.trace[skipped..].join(", ");
        match skipped {
            0 => format!("after <{events}>\n"),
            _ => format!(
                "after {} events, the last of them <{events}>\n",
                self.trace.len()
            ),
        }
    }

    fn state_width(&self) -> usize {
        let all = self.specification_states.iter().take(MOST_LISTED);
        let all = all.chain([&self.implementation_state]);
        let widths = all.map(|state| state.text.chars().count());
        widths.max().unwrap_or_default().min(WIDEST_NAME)
    }
}

fn state_line(state: &GameState, width: usize) -> String {
    let can = match (state.stable, state.offers.is_empty()) {
        (true, true) => "at rest, offers nothing".to_string(),
        (true, false) => format!("at rest, offers {}", set(&state.offers)),
        (false, _) => format!("can do {}", set(&state.offers)),
    };
    format!("    {:<width$}  {can}\n", state.text)
}

/// The line on what is not listed of `all` things.
fn more(all: usize, noun: &str) -> String {
    match all.saturating_sub(MOST_LISTED) {
        0 => String::new(),
        left => format!("    ... {left} more {noun}s\n"),
    }
}

fn end_text(end: &GameEnd) -> String {
    let mut text = match end.won {
        true => "You have won.\n".to_string(),
        false => "The program has won.\n".to_string(),
    };
    for sentence in &end.sentences {
        text.push_str(&format!("{sentence}\n"));
    }
    if !end.shortest.is_empty() && (!end.won || end.winner == GameSide::Defender) {
        text.push_str(&format!("A shortest attack: {}\n", end.shortest.join("; ")));
    }
    text
}
