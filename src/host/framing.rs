//! The pages of editors that may show a page of the program inside of them.

/// The sources that a page may be framed by, besides none: those of the panels of VS Code on the
/// desktop. No page of the web can have them.
const KNOWN: [&str; 2] = ["vscode-file:", "vscode-webview:"];

/// The pages that may frame a page of the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Framing(Vec<&'static str>);

impl Framing {
    /// The sources among `wished` that may be allowed. All others are left out: a page that any
    /// page of the web could frame would have its clicks stolen.
    pub fn of<'w>(wished: impl IntoIterator<Item = &'w str>) -> Self {
        let wished: Vec<&str> = wished.into_iter().collect();
        let known = KNOWN.into_iter();
        Self(known.filter(|source| wished.contains(source)).collect())
    }

    /// True if somebody may frame the page.
    pub fn is_allowed(&self) -> bool {
        !self.0.is_empty()
    }

    /// The directive of a content security policy that says so.
    pub fn directive(&self) -> String {
        match self.is_allowed() {
            true => format!("frame-ancestors {}", self.0.join(" ")),
            false => "frame-ancestors 'none'".to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_panels_of_editors_may_frame() {
        let all = Framing::of(["vscode-webview:", "https:", "vscode-file:", "*", "'self'"]);
        assert_eq!(
            all.directive(),
            "frame-ancestors vscode-file: vscode-webview:"
        );
        for wished in ["*", "https:", "vscode-webview:; script-src *", "'self'", ""] {
            let none = Framing::of([wished]);
            assert!(!none.is_allowed(), "{wished}");
            assert_eq!(none.directive(), "frame-ancestors 'none'");
        }
    }
}
