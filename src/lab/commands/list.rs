//! `cspsym lab list`: lists the labs.

use std::io;

use host::arguments::Format;
use host::arguments::lab::LabListCall;
use host::console::Console;
use host::status::Status;
use report::lab::LabReport;

use super::shelf::LABS;

/// Prints a line for each lab.
pub(super) fn run(call: &LabListCall, console: &mut Console<'_>) -> io::Result<Status> {
    for lab in &LABS {
        let sheet = match lab.sheet() {
            Ok(sheet) => sheet,
            Err(error) => return console.failure(&error, None),
        };
        let stretch = sheet.tasks.iter().filter(|task| task.is_stretch).count();
        let report = LabReport {
            lab: sheet.name.clone(),
            title: sheet.title.clone(),
            tasks: (sheet.tasks.len() - stretch) as u64,
            stretch: stretch as u64,
            minutes: u64::from(sheet.minutes()),
        };
        console.result(&match call.format {
            Format::Text => report.text(),
            Format::Json => report.json() + "\n",
        })?;
    }
    if call.format == Format::Text {
        console.result("\nBegin with `cspsym lab start NAME`.\n")?;
    }
    Ok(Status::Holds)
}
