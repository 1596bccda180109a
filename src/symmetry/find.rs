//! All symmetries of one check: the main function of this stage.
