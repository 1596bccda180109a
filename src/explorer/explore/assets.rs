//! The files of the page, which are part of the program.

/// A file of the page.
pub(super) struct Asset {
    /// The name in the path of a request.
    pub(super) name: &'static str,
    /// Its media type.
    pub(super) kind: &'static str,
    pub(super) bytes: &'static [u8],
}

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

macro_rules! assets {
    ($($kind:ident $name:tt,)*) => {
        &[$(Asset {
            name: $name,
            kind: $kind,
            bytes: bytes!($name),
        }),*]
    };
}

macro_rules! bytes {
    // Pages of reports have this style too.
    ("style.css") => {
        report::page::STYLE.as_bytes()
    };
    ($name:tt) => {
        include_bytes!(concat!("../web/", $name))
    };
}

/// All files of the page.
pub(super) const ASSETS: &[Asset] = assets! {
    HTML "index.html",
    STYLE "style.css",
    STYLE "checks.css",
    STYLE "files.css",
    STYLE "orbits.css",
    STYLE "twists.css",
    STYLE "game.css",
    STYLE "graph.css",
    STYLE "lanes.css",
    STYLE "picture.css",
    STYLE "workplace.css",
    PICTURE "icon.svg",
    SCRIPT "vendor.js",
    SCRIPT "boot.js",
    SCRIPT "main.js",
    SCRIPT "api.js",
    SCRIPT "editor.js",
    SCRIPT "connection.js",
    SCRIPT "gone.js",
    SCRIPT "keeping.js",
    SCRIPT "dialogs.js",
    SCRIPT "difference.js",
    SCRIPT "copying.js",
    SCRIPT "stage.js",
    SCRIPT "offers.js",
    SCRIPT "wrapping.js",
    SCRIPT "language.js",
    SCRIPT "field.js",
    SCRIPT "files.js",
    SCRIPT "tabs.js",
    SCRIPT "splitter.js",
    SCRIPT "asking.js",
    SCRIPT "problems.js",
    SCRIPT "walk.js",
    SCRIPT "walking.js",
    SCRIPT "lanes.js",
    SCRIPT "rows.js",
    SCRIPT "names.js",
    SCRIPT "waits.js",
    SCRIPT "picture.js",
    SCRIPT "expression.js",
    SCRIPT "allowed.js",
    SCRIPT "counterexample.js",
    SCRIPT "drawing.js",
    SCRIPT "structure.js",
    SCRIPT "game.js",
    SCRIPT "graph.js",
    SCRIPT "trail.js",
    SCRIPT "drawn.js",
    SCRIPT "viewport.js",
    SCRIPT "exports.js",
    SCRIPT "exporting.js",
    SCRIPT "symmetry.js",
    SCRIPT "orbits.js",
    SCRIPT "fold.js",
    SCRIPT "places.js",
    SCRIPT "tracks.js",
    SCRIPT "breaking.js",
    SCRIPT "checks.js",
    SCRIPT "channels.js",
    SCRIPT "checking.js",
    SCRIPT "scripts.js",
    SCRIPT "settings.js",
    SCRIPT "words.js",
    SCRIPT "constants.js",
    SCRIPT "views.js",
    SCRIPT "link.js",
    SCRIPT "lab.js",
    SCRIPT "markdown.js",
    SCRIPT "program.js",
    SCRIPT "worker.js",
    SCRIPT "wasi.js",
};

/// The file with the name `name`. The empty name is the page itself.
pub(super) fn find(name: &str) -> Option<&'static Asset> {
    let name = if name.is_empty() { "index.html" } else { name };
    ASSETS.iter().find(|asset| asset.name == name)
}
