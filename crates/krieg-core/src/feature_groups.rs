//! Declaring the features of a model: one flat list, divided into named groups.

use std::ops::Range;

/// A run of consecutive features with one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureGroup {
    /// The name in parameter files.
    pub name: &'static str,
    /// Index of the first feature in the list.
    pub start: usize,
    /// Number of features.
    pub len: usize,
}

impl FeatureGroup {
    /// The indices of the group's features.
    #[must_use]
    pub const fn range(&self) -> Range<usize> {
        self.start..self.start + self.len
    }
}

/// Declares the features of a model: for each group a constant with the index of its first feature,
/// its name in parameter files, and its number of features (1 if none is given).
///
/// Feature extraction, parameter files and trainers share the list, so a feature is declared in one
/// place. The first two lines name the constants that hold all groups and the number of features.
///
/// ```
/// krieg_core::feature_groups! {
///     /// All groups, in the order of the list.
///     groups GROUPS;
///     /// Number of features.
///     count FEATURES;
///
///     /// The piece that moves, from pawn to king.
///     PIECE "piece" 6;
///     /// The move is a capture.
///     CAPTURE "capture";
///     /// The rank of the destination.
///     RANK "rank" 8;
/// }
/// assert_eq!((PIECE, CAPTURE, RANK, FEATURES), (0, 6, 7, 15));
/// assert_eq!((GROUPS[2].name, GROUPS[2].range()), ("rank", 7..15));
/// ```
#[macro_export]
macro_rules! feature_groups {
    (
        $(#[$groups_doc:meta])* groups $groups:ident;
        $(#[$count_doc:meta])* count $count:ident;
        $($(#[$doc:meta])* $id:ident $name:literal $($len:expr)?;)*
    ) => {
        $crate::feature_groups!(@constants 0; $($(#[$doc])* $id $name [$($len)?];)*);
        $(#[$groups_doc])*
        pub const $groups: &[$crate::FeatureGroup] = &[$($crate::FeatureGroup {
            name: $name,
            start: $id,
            len: $crate::feature_groups!(@len $($len)?),
        }),*];
        $(#[$count_doc])*
        pub const $count: usize = 0 $(+ $crate::feature_groups!(@len $($len)?))*;
    };
    (@constants $start:expr;
        $(#[$doc:meta])* $id:ident $name:literal [$($len:expr)?]; $($rest:tt)*
    ) => {
        $(#[$doc])*
        #[doc = concat!("\n\nIndex of the first feature of the group `", $name, "`.")]
        pub const $id: usize = $start;
        $crate::feature_groups!(
            @constants $start + $crate::feature_groups!(@len $($len)?); $($rest)*
        );
    };
    (@constants $start:expr;) => {};
    (@len $len:expr) => { $len };
    (@len) => { 1 };
}
