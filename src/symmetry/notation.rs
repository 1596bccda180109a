//! Cycles as text.
pub fn cycles_text(values: &[String], images: &[usize]) -> String {
    let mut seen = vec![false; values.len()];
    let mut out = String::new();
    for i in 0..values.len() {
        if seen[i] || images[i] == i { continue; }
        let mut c = vec![];
        let mut j = i;
        while !seen[j] { seen[j] = true; c.push(values[j].clone()); j = images[j]; }
        out += &format!("({})", c.join(" "));
    }
    if out.is_empty() { "()".into() } else { out }
}
pub fn parse(text: &str) -> std::result::Result<Vec<Vec<Vec<String>>>, String> {
    Ok(text.split(',').map(|p| p.trim().trim_matches(|c| c=='(' || c==')').split(")(").map(|c| c.split_whitespace().map(String::from).collect()).collect()).collect())
}
