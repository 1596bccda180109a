//! Texts that stand below the options in the help of subcommands, each a file of `help/`.

/// Calls of all subcommands.
pub(super) const EXAMPLES: &str = include_str!("help/examples.txt").trim_ascii_end();

/// The purpose of `graph`.
pub(super) const GRAPHS: &str = include_str!("help/graphs.txt").trim_ascii_end();

/// The output of `symmetry`.
pub(super) const SYMMETRY: &str = include_str!("help/symmetry.txt").trim_ascii_end();

/// The use of `refines`.
pub(super) const REFINES: &str = include_str!("help/refines.txt").trim_ascii_end();

/// The use of `step`.
pub(super) const STEPPING: &str = include_str!("help/stepping.txt").trim_ascii_end();

/// The exit statuses of `step`.
pub(super) const STEP_STATUSES: &str = include_str!("help/step-statuses.txt").trim_ascii_end();

/// The use of `game`.
pub(super) const GAMES: &str = include_str!("help/games.txt").trim_ascii_end();

/// The exit statuses of `game`.
pub(super) const GAME_STATUSES: &str = include_str!("help/game-statuses.txt").trim_ascii_end();

/// The pages that `explore` serves.
pub(super) const EXPLORING: &str = include_str!("help/exploring.txt").trim_ascii_end();

/// The purpose of `api`.
pub(super) const REQUESTS: &str = include_str!("help/requests.txt").trim_ascii_end();

/// The assistants that `mcp` serves.
pub(super) const ASSISTANTS: &str = include_str!("help/assistants.txt").trim_ascii_end();

/// The debugger of an editor, which `dap` serves.
pub(super) const DEBUGGING: &str = include_str!("help/debugging.txt").trim_ascii_end();

/// The purpose of `explain`.
pub(super) const EXPLANATIONS: &str = include_str!("help/explanations.txt").trim_ascii_end();

/// The reader that `help` shows a chapter in.
pub(super) const READING: &str = include_str!("help/reading.txt").trim_ascii_end();

/// The exit statuses.
pub(super) const EXIT_STATUSES: &str = include_str!("help/exit-statuses.txt").trim_ascii_end();

/// The exit statuses of subcommands that print what they are asked for, and decide nothing.
pub(super) const PRINTING_STATUSES: &str =
    include_str!("help/printing-statuses.txt").trim_ascii_end();

/// The sense in which counterexamples are shortest.
pub(super) const SHORTEST: &str = include_str!("help/shortest.txt").trim_ascii_end();

/// The help of `--explain` in `refine`.
pub(super) const REFINE_EXPLAIN: &str = include_str!("help/refine-explain.txt").trim_ascii_end();

/// The help of `--for-all` in `refine`.
pub(super) const REFINE_FOR_ALL: &str = include_str!("help/refine-for-all.txt").trim_ascii_end();

/// The notation for types.
pub(super) const TYPES: &str = include_str!("help/types.txt").trim_ascii_end();

/// The services of `lsp`.
pub(super) const SERVER: &str = include_str!("help/server.txt").trim_ascii_end();

/// The files that a script may be.
pub(super) const PLACES: &str = include_str!("help/places.txt").trim_ascii_end();

/// The course of a lab.
pub(super) const LABS: &str = include_str!("help/labs.txt").trim_ascii_end();

/// What completions know, and where shells look for them.
pub(super) const COMPLETIONS: &str = include_str!("help/completions.txt").trim_ascii_end();

/// The use of `man`.
pub(super) const MANUAL_PAGES: &str = include_str!("help/manual-pages.txt").trim_ascii_end();
