//! Abstract syntax to text.
