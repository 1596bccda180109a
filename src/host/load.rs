//! Reading a script with all it includes, from files.

use base::diag::Diagnostic;
use checker::{Definition, Error, Options, Script, of_the_rest};
use syntax::{Loader, NotIncluded};

use super::files::Files;

/// A script that was read.
pub struct Loaded {
    /// The script itself.
    pub script: Script,
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
                script,
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
