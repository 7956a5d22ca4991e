//! Former names of public items, kept while other crates are converted.
#![allow(missing_docs)]

#[doc(hidden)]
#[deprecated(note = "renamed to MAX_LINE_BYTES")]
pub const LONGEST_LINE: usize = crate::MAX_LINE_BYTES;
