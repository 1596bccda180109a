//! The build script: lists the files of `explanations/`, each with its code.

use std::env;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=explanations");
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("explanations");
    let mut codes = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let code = path.file_stem().ok_or("a file without a name")?;
            codes.push(code.to_string_lossy().into_owned());
        }
    }
    codes.sort_unstable();
    let row = |code: &String| {
        let path = folder.join(code).with_extension("md");
        format!("({code:?}, include_str!({path:?})),\n")
    };
    let rows: String = codes.iter().map(row).collect();
    let list = Path::new(&env::var("OUT_DIR")?).join("explanations.rs");
    fs::write(list, format!("&[\n{rows}]\n"))?;
    Ok(())
}
