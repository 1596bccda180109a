//! The chapters of the manual, as resources.

use serde_json::{Value, json};

use host::chapters::{CHAPTERS, Chapter};

/// The beginning of the address of every page.
const ADDRESS: &str = "cspsym://manual/";

/// The list of all pages.
pub(super) fn manual_pages() -> Vec<Value> {
    CHAPTERS.iter().map(listed).collect()
}

/// The page at this address, with its text; `None` if there is none.
pub(super) fn manual_page(address: &str) -> Option<Value> {
    let topic = address.strip_prefix(ADDRESS)?;
    let chapter = CHAPTERS.iter().find(|chapter| chapter.topic == topic)?;
    Some(json!({ "uri": address, "mimeType": "text/markdown", "text": chapter.text }))
}

fn listed(chapter: &Chapter) -> Value {
    json!({
        "uri": format!("{ADDRESS}{}", chapter.topic),
        "name": chapter.topic,
        "description": chapter.summary,
        "mimeType": "text/markdown",
    })
}
