//! Former names of public items, kept while other crates are converted.
#![allow(missing_docs)]

#[deprecated(note = "renamed to ColorJson")]
pub type Side = super::ColorJson;
#[deprecated(note = "renamed to OutcomeJson")]
pub type End = super::OutcomeJson;
#[deprecated(note = "renamed to AnnouncementJson")]
pub type Said = super::AnnouncementJson;
#[deprecated(note = "renamed to ViewJson")]
pub type Seen = super::ViewJson;
#[deprecated(note = "renamed to DrawRulesJson")]
pub type Draws = super::DrawRulesJson;
