//! The subcommands over scripted sessions.
