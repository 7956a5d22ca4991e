//! Former names of public items, kept while other crates move to the new ones.

use cozy_chess::{Board, Color, File, Piece, Square};

use crate::{
    Announcement, CapturedCounts, Ending, Game, Move, Observation, Outcome, OutcomeError, PieceSet,
    Position, Ruleset, Try, TryError, Verdict, View,
};

macro_rules! renamed_types {
    ($($old:ident => $new:ident),* $(,)?) => {$(
        #[doc(hidden)]
        #[deprecated(note = "renamed")]
        pub type $old = crate::$new;
    )*};
}

renamed_types! {
    PawnNews => PawnTryAnnouncement,
    PawnInformation => PawnTryRule,
    AfterYes => AnyObligation,
    Senseless => SenselessTryRule,
    Stalemate => StalemateRule,
    WrongEnd => OutcomeError,
}

macro_rules! renamed_methods {
    ($type:ty {
        $($old:ident => $new:ident ($($self:tt)*) ($($arg:ident: $t:ty),*) -> $r:ty;)*
    }) => {
        #[doc(hidden)]
        impl $type {$(
            #[deprecated(note = "renamed")]
            #[inline]
            pub fn $old($($self)* self, $($arg: $t),*) -> $r {
                self.$new($($arg),*)
            }
        )*}
    };
}

renamed_methods! { crate::PawnTryAnnouncement {
    is_some_there => has_pawn_try (&) () -> bool;
}}
renamed_methods! { Announcement {
    is_heard_by => is_observed_by (&) (player: Color) -> bool;
}}
renamed_methods! { Game {
    end_as => claim_outcome (&mut) (claimed: Outcome) -> Result<(), OutcomeError>;
}}
renamed_methods! { Ending {
    stands_on_the_board => is_decided_by_position () () -> bool;
}}
renamed_methods! { PieceSet {
    on => piece_on (&) (square: Square) -> Option<Piece>;
}}
renamed_methods! { Position {
    men => pieces (&) (color: Color) -> PieceSet;
    agrees_with => is_consistent_with (&) (
        announcement: &Announcement, ruleset: &Ruleset, draws: crate::DrawRules
    ) -> bool;
}}
renamed_methods! { View {
    men => pieces (&) () -> &PieceSet;
    taken => captured (&) () -> CapturedCounts;
    live => observe (&mut) (observation: &Observation) -> ();
    answered => observe_answer (&mut) (tried: Try, answer: &Announcement) -> ();
    heard => observe_announcement (&mut) (announcement: &Announcement) -> ();
    may_ask => can_ask_any (&) () -> bool;
    owes_a_pawn_capture => must_capture_with_pawn (&) () -> bool;
    pawns => pawn_tries (&) () -> crate::PawnTryAnnouncement;
    verdict_on_senseless => answer_to_senseless (&) (mv: Move) -> Result<Verdict, TryError>;
}}

#[doc(hidden)]
impl Ending {
    #[deprecated(note = "renamed to `Ending::from_name`")]
    pub fn named(name: &str) -> Option<Self> {
        Ending::from_name(name)
    }
}

#[doc(hidden)]
impl Position {
    #[deprecated(note = "renamed to `Position::from_pieces`")]
    pub fn of_men(
        white: &PieceSet,
        black: &PieceSet,
        turn: Color,
        en_passant: Option<File>,
    ) -> Option<Self> {
        Position::from_pieces(white, black, turn, en_passant)
    }
}

#[doc(hidden)]
#[deprecated(note = "renamed to `is_insufficient_material`")]
pub fn is_insufficient(board: &Board) -> bool {
    crate::is_insufficient_material(board)
}

#[doc(hidden)]
#[deprecated(note = "renamed to `short_reason`")]
pub fn reason(text: impl ToString) -> String {
    crate::short_reason(text)
}
