//! Reading a script with all it includes, from files.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::diag::Diagnostic;
use checker::{Definition, Error, Options, Script, of_the_rest};
use syntax::{Loader, NotIncluded};

use super::files::Files;

/// A script that was read.
pub struct Loaded {
    /// The script itself.
    pub script: Arc<Script>,
    /// The warnings about its files.
    warnings: Vec<Diagnostic>,
}

impl Loaded {
    /// Reads the script `file` with all it includes; `definitions` replace constants of its top
    /// level.
    pub fn read(file: &str, files: &mut Files, definitions: &[Definition]) -> Result<Self, Error> {
        let text = files.read(file)?;
        let read = Script::read(file, &text, &mut Includes(files), definitions);
        match read {
            Ok(script) => Ok(Self {
                warnings: files.warnings(script.sources()),
                script: script.into(),
            }),
            Err(error) => {
                let mut problems = files.warnings(error.sources());
                problems.extend_from_slice(error.problems());
                Err(Error::new(problems, error.shared_sources()))
            }
        }
    }

    /// All messages about the script. Mistakes in single assertions are latent.
    pub fn problems(&self, options: &Options) -> Vec<Diagnostic> {
        let mut problems = self.warnings.clone();
        problems.extend(self.script.all_problems(options));
        problems
    }

    /// The messages about the script without those about single assertions or `print` declarations.
    pub fn warnings(&self, options: &Options) -> Vec<Diagnostic> {
        of_the_rest(&self.problems(options))
    }
}

/// Constants that are to be replaced in the scripts of a call. Each script may lack some of them,
/// as long as another one has them.
pub struct SharedDefinitions<'a> {
    all: &'a [Definition],
    /// True if there are several scripts: one alone has to have all.
    are_shared: bool,
    /// The names of those that some script has.
    found: BTreeSet<String>,
}

impl<'a> SharedDefinitions<'a> {
    /// The definitions `all`, for so many scripts.
    pub fn new(all: &'a [Definition], scripts: usize) -> Self {
        Self {
            all,
            are_shared: scripts > 1,
            found: BTreeSet::new(),
        }
    }

    /// Reads the script `file`, with those of the definitions that it has constants for.
    pub fn read(&mut self, file: &str, files: &mut Files) -> Result<Loaded, Error> {
        if !self.are_shared || self.all.is_empty() {
            return Loaded::read(file, files, self.all);
        }
        let plain = Loaded::read(file, files, &[])?;
        let known = self.known_in(&plain.script);
        match known.is_empty() {
            true => Ok(plain),
            false => Loaded::read(file, files, &known),
        }
    }

    /// Those of the definitions that the script `file` has constants for. One alone gets all; one
    /// with mistakes among several gets none.
    pub fn known(&mut self, file: &str, files: &mut Files) -> Vec<Definition> {
        if !self.are_shared || self.all.is_empty() {
            return self.all.to_vec();
        }
        let plain = Loaded::read(file, files, &[]);
        plain.map_or(Vec::new(), |plain| self.known_in(&plain.script))
    }

    fn known_in(&mut self, script: &Script) -> Vec<Definition> {
        let known = self.all.iter();
        let known = known.filter(|definition| script.has_constant(&definition.name));
        let known: Vec<Definition> = known.cloned().collect();
        self.found
            .extend(known.iter().map(|definition| definition.name.clone()));
        known
    }

    /// A message for each definition whose constant no script has.
    pub fn unused(&self) -> Vec<Diagnostic> {
        let all = self.all.iter().filter(|_| self.are_shared);
        let unused = all.filter(|definition| !self.found.contains(&definition.name));
        let message = |definition: &Definition| {
            let name = &definition.name;
            let message = format!("no script has a constant `{name}` at its top level");
            Diagnostic::error("unknown-constant", message)
                .hint("-D replaces a definition such as `N = 3`; it does not add one")
        };
        unused.map(message).collect()
    }
}

/// Included files, read through the files of the call.
pub struct Includes<'f>(pub &'f mut Files);

impl Loader for Includes<'_> {
    fn load(
        &mut self,
        path: &str,
        including: &str,
        root: &str,
    ) -> Result<(String, String), NotIncluded> {
        self.0.include(path, including, root)
    }
}
