//! The columns of lanes as a drawing, in which only what happens has elements.

use super::super::drawing::escape;
use super::lanes::{Column, Lanes, Mark};

/// The height of a row, and of one in which states are written below events.
const ROW: usize = 30;
const TALL_ROW: usize = 46;
/// The least width of a column.
const NARROW: usize = 38;
/// The width of a letter in a drawing.
pub(super) const LETTER: usize = 7;
/// The most letters of an event above a column, and in a row.
const LONGEST_HEAD: usize = 20;
const LONGEST_CELL: usize = 16;
/// The states of components are written into the columns of no more steps than this.
const FEW_STEPS: usize = 24;
const LONGEST_STATE: usize = 22;

/// The sizes of a drawing in pixels.
pub(super) struct Sizes {
    pub(super) wide: usize,
    pub(super) row: usize,
    pub(super) head: usize,
}

impl Lanes<'_> {
    /// True if there is room for the states of components in the columns.
    pub(super) fn has_states(&self) -> bool {
        self.columns.len() <= FEW_STEPS
    }

    /// The sizes that the texts ask for.
    pub(super) fn sizes(&self) -> Sizes {
        let longest = |texts: &mut dyn Iterator<Item = &str>, most| {
            texts.map(|text| length(text).min(most)).max().unwrap_or(0)
        };
        let heads = self.columns.iter().map(|column| column.event.as_str());
        let mut heads = heads.chain(self.end);
        let mut own = self.columns.iter().flat_map(|column| {
            let does = column.does.iter().map(|(_, event)| event.as_str());
            does.filter(|event| is_own(event, column))
        });
        let mut states = self.columns.iter().flat_map(|column| {
            let becomes = column.becomes.iter();
            becomes.map(|(_, state)| state.as_str())
        });
        let states = match self.has_states() {
            true => longest(&mut states, LONGEST_STATE),
            false => 0,
        };
        // A number may have a sign before it.
        let number = self.columns.len().to_string().len() + 2;
        let letters = longest(&mut own, LONGEST_CELL).max(states).max(number);
        Sizes {
            wide: NARROW.max(letters * LETTER + 10),
            row: if self.has_states() { TALL_ROW } else { ROW },
            head: longest(&mut heads, LONGEST_HEAD) * LETTER + 32,
        }
    }

    /// The width of the drawing.
    pub(super) fn width(&self, sizes: &Sizes) -> usize {
        self.columns.len() * sizes.wide + usize::from(self.end.is_some()) * NARROW
    }

    /// The events above their columns, with the numbers of the steps.
    pub(super) fn heads(&self, sizes: &Sizes) -> String {
        let mut svg = String::new();
        for (step, column) in self.columns.iter().enumerate() {
            let (left, x) = (step * sizes.wide, step * sizes.wide + sizes.wide / 2);
            let number = match (column.mark, step) {
                (_, 0) => String::new(),
                (Mark::Nothing, _) => step.to_string(),
                (Mark::Wrong, _) => format!("✗ {step}"),
                (Mark::Again, _) => format!("↻ {step}"),
            };
            let (bottom, number_at) = (sizes.head - 24, sizes.head - 8);
            svg.push_str(&format!(
                "<g data-step=\"{step}\" class=\"{}\"><title>{}</title>\
                 <rect class=\"column\" x=\"{left}\" width=\"{}\" height=\"{}\"/>\
                 <text transform=\"translate({} {bottom}) rotate(-90)\">{}</text>\
                 <text class=\"number\" x=\"{x}\" y=\"{number_at}\">{number}</text></g>\n",
                column.class(),
                escape(&column.told(step)),
                sizes.wide,
                sizes.head,
                x + 4,
                escape(&cut(&column.event, LONGEST_HEAD)),
            ));
        }
        if let Some(end) = self.end {
            let x = self.columns.len() * sizes.wide + NARROW / 2;
            svg.push_str(&format!(
                "<g class=\"wrong\"><text transform=\"translate({} {}) rotate(-90)\">{end}</text>\
                 <text class=\"number\" x=\"{x}\" y=\"{}\">✗</text></g>\n",
                x + 4,
                sizes.head - 24,
                sizes.head - 8
            ));
        }
        svg
    }

    /// The marks of each step in its column, and the lines between rows.
    pub(super) fn body(&self, sizes: &Sizes) -> String {
        let width = self.width(sizes);
        let height = self.rows() * sizes.row;
        let mut svg = String::new();
        for (step, column) in self.columns.iter().enumerate() {
            svg.push_str(&format!(
                "<g data-step=\"{step}\" class=\"{}\"><rect class=\"column\" x=\"{}\" width=\"{}\" \
                 height=\"{height}\"><title>{}</title></rect>",
                column.class(),
                step * sizes.wide,
                sizes.wide,
                escape(&column.told(step)),
            ));
            self.write_column(step, sizes, &mut svg);
            svg.push_str("</g>\n");
        }
        if self.end.is_some() {
            let x = self.columns.len() * sizes.wide;
            svg.push_str(&format!("<path class=\"end\" d=\"M{x} 0V{height}\"/>\n"));
        }
        let lines = (1..self.rows()).map(|row| format!("M0 {}H{width}", row * sizes.row));
        svg.push_str(&format!(
            "<path class=\"rows\" d=\"{}\"/>",
            lines.collect::<String>()
        ));
        svg
    }

    fn write_column(&self, step: usize, sizes: &Sizes, svg: &mut String) {
        let column = &self.columns[step];
        let x = step * sizes.wide + sizes.wide / 2;
        let middle = |row: usize| row * sizes.row + 15;
        if let (Some((first, _)), Some((last, _))) = (column.does.first(), column.does.last())
            && first < last
        {
            let (from, to) = (middle(*first), middle(*last));
            svg.push_str(&format!("<path class=\"link\" d=\"M{x} {from}V{to}\"/>"));
        }
        for (row, event) in &column.does {
            let y = middle(*row);
            let name = &self.components[*row].name;
            let becomes = column.becomes.iter().find(|(of, _)| of == row);
            let becomes = becomes.map_or(String::new(), |(_, state)| format!("\nbecomes {state}"));
            let title = escape(&format!("{name}: {event}{becomes}"));
            svg.push_str(&match is_own(event, column) {
                false => format!(
                    "<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"7\"><title>{title}</title></circle>"
                ),
                true => {
                    let text = cut(event, LONGEST_CELL);
                    let width = length(&text) * LETTER + 8;
                    format!(
                        "<g class=\"own\"><title>{title}</title><rect x=\"{}\" y=\"{}\" \
                         width=\"{width}\" height=\"18\" rx=\"9\"/><text x=\"{x}\" y=\"{}\">{}</text></g>",
                        x - width / 2,
                        y - 9,
                        y + 4,
                        escape(&text)
                    )
                }
            });
        }
        if !self.has_states() {
            return;
        }
        for (row, state) in &column.becomes {
            let y = row * sizes.row + 38;
            svg.push_str(&format!(
                "<text class=\"state\" x=\"{x}\" y=\"{y}\">{}<title>{}</title></text>",
                escape(&cut(state, LONGEST_STATE)),
                escape(state)
            ));
        }
    }
}

impl Column {
    fn class(&self) -> &'static str {
        match self.mark {
            Mark::Wrong => "wrong",
            Mark::Again => "again",
            Mark::Nothing if self.event.starts_with('τ') => "internal",
            Mark::Nothing => "",
        }
    }

    /// The text on the column, which has the number `step`.
    fn told(&self, step: usize) -> String {
        let mark = match self.mark {
            Mark::Wrong => ": not allowed",
            Mark::Again => ": done again and again",
            Mark::Nothing => "",
        };
        match step {
            0 => self.event.clone(),
            _ => format!("step {step}: {}{mark}", self.event),
        }
    }
}

/// True if `event` is another one than that of its column, hidden or not.
fn is_own(event: &str, column: &Column) -> bool {
    shown(event) != shown(&column.event)
}

/// The event behind a hidden one, or the event itself.
fn shown(event: &str) -> &str {
    let inside = event.strip_prefix("τ (");
    inside
        .and_then(|event| event.strip_suffix(')'))
        .unwrap_or(event)
}

/// The number of letters of `text`.
pub(super) fn length(text: &str) -> usize {
    text.chars().count()
}

/// `text` in at most `most` letters.
pub(super) fn cut(text: &str, most: usize) -> String {
    match length(text) <= most {
        true => text.to_string(),
        false => text.chars().take(most - 1).chain(['…']).collect(),
    }
}
