//! `cspsym lab list`: lists the labs.

use checker::Error;
use host::arguments::Format;
use host::arguments::lab::LabListCall;
use lab_texts::LABS;
use report::lab::LabReport;

use super::shelf;

/// A line for each lab.
pub(super) fn listed(call: &LabListCall) -> Result<String, Error> {
    let mut text = String::new();
    for lab in &LABS {
        let sheet = shelf::sheet(lab)?;
        let stretch = sheet.tasks.iter().filter(|task| task.is_stretch).count();
        let report = LabReport {
            lab: sheet.name.clone(),
            title: sheet.title.clone(),
            tasks: (sheet.tasks.len() - stretch) as u64,
            stretch: stretch as u64,
            minutes: u64::from(sheet.minutes()),
        };
        text += &match call.format {
            Format::Text => report.text(),
            Format::Json => report.json() + "\n",
        };
    }
    if call.format == Format::Text {
        text += "\nBegin with `cspsym lab start NAME`.\n";
    }
    Ok(text)
}
