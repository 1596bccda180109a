//! The values of options, read from words.

use std::path::{Path, PathBuf};
use std::time::Duration;

use checker::{Definition, Symmetries};
use syntax::ast::ModelName;

pub fn definition(argument: &str) -> Result<Definition, String> {
    let (name, text) = argument
        .split_once('=')
        .ok_or("expected NAME=EXPR, such as N=3")?;
    let (name, text) = (name.trim(), text.trim());
    if !is_identifier(name) {
        return Err(format!(
            "`{name}` is not a name: a letter, then letters, digits and _, then any number of '"
        ));
    }
    if text.is_empty() {
        return Err(format!("`{name}` gets no value: write {name}=EXPR"));
    }
    Ok(Definition {
        name: name.to_string(),
        text: text.to_string(),
    })
}

fn is_identifier(name: &str) -> bool {
    let body = name.trim_end_matches('\'');
    body.starts_with(|first: char| first.is_ascii_alphabetic())
        && body
            .chars()
            .all(|rest| rest.is_ascii_alphanumeric() || rest == '_')
}

/// The names of all models.
pub fn models() -> impl Iterator<Item = &'static str> {
    ModelName::ALL.into_iter().map(ModelName::name)
}

pub fn model(argument: &str) -> Result<ModelName, String> {
    let model = ModelName::named(argument);
    model.ok_or_else(|| "expected T, F, FD, V, VD, R or RD".to_string())
}

pub(super) fn symmetry(argument: &str) -> Result<Symmetries, String> {
    match argument.trim() {
        "auto" => Ok(Symmetries::Found),
        "off" => Ok(Symmetries::Off),
        // The permutations in the brackets only have a meaning in a script.
        permutations if permutations.starts_with('(') => {
            Ok(Symmetries::Permutations(permutations.to_string()))
        }
        _ => {
            Err("expected auto, off or permutations in cycles, such as '(B C),(B C D)'".to_string())
        }
    }
}

pub(super) fn seconds(argument: &str) -> Result<Duration, String> {
    let number: f64 = argument
        .parse()
        .map_err(|_| "expected a number of seconds, such as 60 or 0.5")?;
    Duration::try_from_secs_f64(number)
        .map_err(|_| "expected a number of seconds that is not negative".to_string())
}

/// The real path of a folder.
pub(super) fn folder(argument: &str) -> Result<PathBuf, String> {
    let real = Path::new(argument).canonicalize();
    let real = real.map_err(|error| error.to_string())?;
    real.is_dir()
        .then_some(real)
        .ok_or_else(|| "it is no folder".to_string())
}

/// The number of bytes that `512M` or `1.5 GiB` stands for. Units are powers of 1024: nobody who
/// writes one about memory means powers of 1000.
pub(super) fn size(argument: &str) -> Result<u64, String> {
    const EXPECTED: &str = "expected a size, such as 512M, 4G or a number of bytes";
    let digits = |c: char| c.is_ascii_digit() || c == '.';
    let unit = argument.trim_start_matches(digits);
    let number = &argument[..argument.len() - unit.len()];
    let factor = match unit.trim_start().to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 1,
        "M" | "MB" | "MIB" => 2,
        "G" | "GB" | "GIB" => 3,
        "T" | "TB" | "TIB" => 4,
        _ => return Err(EXPECTED.to_string()),
    };
    let number: f64 = number.parse().map_err(|_| EXPECTED)?;
    let bytes = number * 1024_f64.powi(factor);
    if bytes < 1.0 {
        return Err("expected a size that is not nothing".to_string());
    }
    // A number beyond the range becomes the largest there is, which is no limit.
    Ok(bytes as u64)
}
