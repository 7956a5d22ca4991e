//! The bytes that do not belong to a square.

use krieg_core::{
    AnyObligation, Audience, Checks, Color, DrawRules, PawnTryAnnouncement, PawnTryRule, PieceKind,
    Ruleset, StalemateRule,
};

use super::{Encoder, Turn};
use crate::{OpponentKind, SCALARS};

const OPPONENT_PIECES: usize = 0;
const OWN_CAPTURES: usize = 1;
const OWN_PAWN_TRIES: usize = 4;
const OPPONENT_PAWN_TRIES: usize = 7;
const CHECKS_ON_PLAYER: usize = 10;
const NUMBER_OF_CHECKS: usize = 15;
const CHECKS_ON_OPPONENT: usize = 16;
const OWN_REFUSALS: usize = 21;
const OPPONENT_REFUSALS: usize = 22;
const OPPONENT_CAPTURED: usize = 23;
const CAPTURER_IS_PAWN: usize = 24;
const CAPTURER_IS_PIECE: usize = 25;
const OPPONENT_PROMOTED: usize = 26;
const CAPTURED: usize = 27;
const VICTIM_IS_PAWN: usize = 28;
const VICTIM_IS_PIECE: usize = 29;
const CAN_ASK_ANY: usize = 30;
const OWN_ANY: usize = 31;
const MUST_CAPTURE: usize = 33;
const OPPONENT_ANY: usize = 34;
const MOVES: usize = 36;
const QUARTER_OF_MOVES: usize = 37;
const QUIET_MOVES: usize = 38;
const PAWN_TRY_RULE: usize = 39;
const RULES: usize = 45;
const DRAW_RULES: usize = 51;
const OPPONENT_KIND: usize = 54;
const IS_BLACK: usize = 62;

/// 255 for yes.
fn flag(yes: bool) -> u8 {
    if yes { 255 } else { 0 }
}

/// A number as a byte: `step` each, up to `max`.
fn count_byte(count: u32, step: u8, max: u8) -> u8 {
    step * count.min(u32::from(max)) as u8
}

/// Writes what is equal in all turns of a game: the ruleset, the draw rules and the colour.
pub fn constant_scalars(player: Color, ruleset: &Ruleset, draws: DrawRules) -> [u8; SCALARS] {
    let mut scalars = [0; SCALARS];
    let rule = match ruleset.pawn_tries {
        PawnTryRule::Silent => 0,
        PawnTryRule::Asked(AnyObligation::UntilOneIsLegal) => 1,
        PawnTryRule::Asked(AnyObligation::OneTry) => 2,
        PawnTryRule::Whether => 3,
        PawnTryRule::Count => 4,
        PawnTryRule::Squares => 5,
    };
    scalars[PAWN_TRY_RULE + rule] = 255;
    let rules = [
        ruleset.refusals == Audience::Both,
        ruleset.announces_victim,
        ruleset.announces_capturer,
        ruleset.announces_en_passant,
        ruleset.announces_promotion,
        ruleset.stalemate == StalemateRule::Loses,
    ];
    scalars[RULES..DRAW_RULES].copy_from_slice(&rules.map(flag));
    let draws = [draws.fifty_moves, draws.threefold, draws.insufficient_material];
    scalars[DRAW_RULES..OPPONENT_KIND].copy_from_slice(&draws.map(flag));
    scalars[IS_BLACK] = flag(player == Color::Black);
    scalars
}

/// Writes the scalars that change during a game.
pub fn write_scalars(
    encoder: &Encoder,
    opponent: Option<OpponentKind>,
    scalars: &mut [u8; SCALARS],
) {
    let view = &encoder.view;
    let captured = view.captured();
    let [pawns, pieces, unknown] =
        [captured.pawns, captured.pieces, captured.unknown].map(u32::from);
    let left = encoder.opponent_pieces.saturating_sub(pawns + pieces + unknown);
    scalars[OPPONENT_PIECES] = count_byte(left, 15, 17);
    scalars[OWN_CAPTURES] = count_byte(pawns, 30, 8);
    scalars[OWN_CAPTURES + 1] = count_byte(pieces, 30, 8);
    scalars[OWN_CAPTURES + 2] = count_byte(unknown, 15, 17);

    let own_turn = Turn::of(view);
    write_pawn_tries(own_turn.pawn_tries, &mut scalars[OWN_PAWN_TRIES..]);
    write_pawn_tries(encoder.opponent_turn.pawn_tries, &mut scalars[OPPONENT_PAWN_TRIES..]);
    write_checks(view.checks(), &mut scalars[CHECKS_ON_PLAYER..]);
    scalars[NUMBER_OF_CHECKS] = count_byte(view.checks().iter().count() as u32, 127, 2);
    scalars[OWN_REFUSALS] = count_byte(u32::from(own_turn.refusals), 17, 15);
    scalars[OPPONENT_REFUSALS] = count_byte(u32::from(encoder.opponent_turn.refusals), 17, 15);
    write_moves(encoder, scalars);

    scalars[CAN_ASK_ANY] = flag(view.can_ask_any());
    scalars[MUST_CAPTURE] = flag(view.must_capture_with_pawn());
    write_any(own_turn.any_answer, &mut scalars[OWN_ANY..]);
    write_any(encoder.opponent_turn.any_answer, &mut scalars[OPPONENT_ANY..]);
    let now = view.ply();
    scalars[MOVES] = count_byte(now, 1, 255);
    scalars[QUARTER_OF_MOVES] = count_byte(now / 4, 1, 255);
    scalars[QUIET_MOVES] = (2 * (now - encoder.last_progress)).min(255) as u8;
    if let Some(kind) = opponent {
        scalars[OPPONENT_KIND + kind as usize] = 255;
    }
}

/// Writes what was announced about the last moves of both players.
fn write_moves(encoder: &Encoder, scalars: &mut [u8; SCALARS]) {
    if let Some(own) = &encoder.own_announcement {
        write_checks(own.checks, &mut scalars[CHECKS_ON_OPPONENT..]);
        if let Some(capture) = own.capture {
            let victim = capture.victim.or(capture.en_passant.then_some(PieceKind::Pawn));
            scalars[CAPTURED] = 255;
            scalars[VICTIM_IS_PAWN] = flag(victim == Some(PieceKind::Pawn));
            scalars[VICTIM_IS_PIECE] = flag(victim == Some(PieceKind::Piece));
        }
    }
    if let Some(opponent) = &encoder.opponent_announcement {
        scalars[OPPONENT_PROMOTED] = flag(opponent.promoted);
        if let Some(capture) = opponent.capture {
            scalars[OPPONENT_CAPTURED] = 255;
            scalars[CAPTURER_IS_PAWN] = flag(capture.capturer == Some(PieceKind::Pawn));
            scalars[CAPTURER_IS_PIECE] = flag(capture.capturer == Some(PieceKind::Piece));
        }
    }
}

fn write_checks(checks: Checks, scalars: &mut [u8]) {
    for direction in checks.iter() {
        scalars[direction as usize] = 255;
    }
}

fn write_any(answer: Option<bool>, scalars: &mut [u8]) {
    if let Some(yes) = answer {
        scalars[usize::from(!yes)] = 255;
    }
}

/// Writes three scalars: there are some, there are none, and how many.
fn write_pawn_tries(announced: PawnTryAnnouncement, scalars: &mut [u8]) {
    if announced == PawnTryAnnouncement::Silent {
        return;
    }
    scalars[usize::from(!announced.has_pawn_try())] = 255;
    let number = match announced {
        PawnTryAnnouncement::Count(count) => u32::from(count),
        PawnTryAnnouncement::From(squares) => squares.len(),
        PawnTryAnnouncement::Silent | PawnTryAnnouncement::Whether(_) => 0,
    };
    scalars[2] = count_byte(number, 51, 5);
}
