// The umpire: begins games, judges tries, and declares the end.
#pragma once
#include "game.h"

namespace sim {

/// Adds the position to the positions since the last capture or pawn move, and returns how often
/// it has occurred.
SIM_FN int push_key(Game& g, const Memory& m, bool has_en_passant) {
    if (g.position.quiet == 0) g.key_count = 0;
    uint64_t key = repetition_key(g.position, has_en_passant);
    if (g.key_count < KEYS) m.keys[g.key_count++] = key;
    // The side to move is part of the key, so only every second position can be equal.
    int occurrences = 0;
    for (int i = g.key_count - 1; i >= 0; i -= 2) occurrences += m.keys[i] == key;
    return occurrences;
}

SIM_FN uint8_t ending_of(
    const Game& g, const Limits& limits, bool is_check, bool is_stuck, int occurrences
) {
    if (is_stuck) return is_check ? CHECKMATE : STALEMATE;
    if (is_insufficient_material(g.position)) return INSUFFICIENT;
    if (g.position.quiet >= limits.quiet) return FIFTY_MOVES;
    if (occurrences >= 3) return THREEFOLD;
    return g.ply >= limits.plies ? MAX_PLIES : NOT_ENDED;
}

/// Begins the turn of the side to move: finds the end of the game, or else announces the checks and
/// the pawn tries. `is_opening`: no move was made yet.
SIM_FN void begin_turn(Game& g, const Memory& m, const Limits& limits, bool is_opening) {
    const Position& p = g.position;
    const Ruleset rules = ruleset_at(g.ruleset);
    int us = p.turn, them = !us;
    Bits checkers = checkers_of(p), pinned = pinned_of(p);
    PawnTries tries = pawn_tries_of(p, checkers, pinned);
    bool is_stuck = !can_move(p, checkers, pinned, tries.en_passant);
    int occurrences = push_key(g, m, tries.en_passant);

    Turn turn = {0, NO_NEWS, 0, {NO_CHECK, NO_CHECK}, NO_NEWS, 0};
    g.refused_count = 0;
    g.has_pawn_try = tries.count > 0;
    g.pawn_try_squares = ~Bits(0);
    g.ending = ending_of(g, limits, checkers != 0, is_stuck, occurrences);
    g.result = 0;
    if (g.ending == CHECKMATE || (g.ending == STALEMATE && rules.stalemate_loses)) {
        g.result = us == WHITE ? -1 : 1;
    }
    if (g.ending != NOT_ENDED) {
        g.turn[us] = turn;
        return;
    }
    if (checkers) {
        int king = p.king(us);
        for (int i = 0; i < 2 && checkers; i++) {
            int direction = direction_between(king, pop(checkers));
            turn.checks[i] = uint8_t(direction);
            mark(m, us, CHECK_LINE, check_line(p, us, direction), g.ply);
            if (is_opening) continue;
            mark(m, them, KING_LINE, king_line(p, them, direction), g.ply);
        }
        if (turn.checks[0] > turn.checks[1]) {
            uint8_t larger = turn.checks[0];
            turn.checks[0] = turn.checks[1];
            turn.checks[1] = larger;
        }
    }
    bool has_squares = rules.pawn_tries == SQUARES;
    if (has_squares || rules.pawn_tries == WHETHER || rules.pawn_tries == COUNT) {
        turn.news = tries.count > 0 ? SOME : NONE;
        if (rules.pawn_tries == COUNT) turn.number = tries.count;
        if (has_squares) {
            turn.number = uint8_t(count(tries.from));
            g.pawn_try_squares = tries.from;
        }
        mark_pawn_tries(g, m, tries.count > 0, has_squares);
    }
    g.turn[us] = turn;
}

/// Begins a game from `start`. The episode and the count of random numbers are kept.
SIM_FN void begin_game(
    Game& g, const Memory& m, const Limits& limits, const Position& start, int ruleset
) {
    const LastMove no_move = {
        NO_SQUARE, NO_SQUARE, NO_PIECE, NO_SQUARE, UNANNOUNCED, UNANNOUNCED, 0, 0};
    const Turn no_turn = {0, NO_NEWS, 0, {NO_CHECK, NO_CHECK}, NO_NEWS, 0};
    g.position = start;
    g.ruleset = uint8_t(ruleset);
    g.ply = 0;
    g.key_count = 0;
    for (int color = 0; color < 2; color++) {
        g.last[color] = no_move;
        g.turn[color] = no_turn;
        g.quiet_since[color] = 0;
        for (int kind = 0; kind < 3; kind++) g.captures[color][kind] = 0;
    }
    uint64_t* stamps = reinterpret_cast<uint64_t*>(m.stamps);
    for (int i = 0; i < STAMPS / 4; i++) stamps[i] = 0;
    begin_turn(g, m, limits, true);
}

SIM_FN Answer plain_answer(uint8_t verdict) {
    return {verdict, NO_SQUARE, UNANNOUNCED, UNANNOUNCED, false, false, NO_PIECE};
}

SIM_FN Answer answer_any(Game& g, const Memory& m) {
    if (!can_ask_any(g)) return plain_answer(ERROR);
    Turn& turn = g.turn[g.position.turn];
    bool yes = g.has_pawn_try;
    turn.any = yes ? SOME : NONE;
    turn.only_pawn_captures = yes;
    mark_pawn_tries(g, m, yes, false);
    return plain_answer(yes ? ANY_YES : ANY_NO);
}

/// The answer to a move that is not sensible. It counts as refused, but gives no evidence.
SIM_FN Answer answer_senseless(Game& g, const Memory& m, const Try& t) {
    Turn& turn = g.turn[g.position.turn];
    SenselessTryRule rule = ruleset_at(g.ruleset).senseless_tries;
    if (turn.only_pawn_captures || rule == REJECTED) return plain_answer(ERROR);
    if (turn.refusals < 0xffff) turn.refusals++;
    if (g.refused_count < SENSELESS_TRIES) {
        m.refused[g.refused_count++] = encode(t, WHITE) | SENSELESS;
    }
    return plain_answer(rule == REFUSED_IF_SENSELESS ? REFUSED : NONSENSE);
}

SIM_FN Answer refuse(Game& g, const Memory& m, int piece, const Try& t) {
    Turn& turn = g.turn[g.position.turn];
    if (turn.refusals < 0xffff) turn.refusals++;
    if (ruleset_at(g.ruleset).pawn_tries == ANY_ONE_TRY) turn.only_pawn_captures = 0;
    if (g.refused_count < REFUSED_TRIES) m.refused[g.refused_count++] = encode(t, WHITE);
    mark_refusal(g, m, piece, t.from, t.to);
    return plain_answer(REFUSED);
}

/// Plays a legal move, announces it, and begins the next turn.
SIM_FN Answer accept(Game& g, const Memory& m, const Limits& limits, int piece, const Try& t) {
    const Ruleset rules = ruleset_at(g.ruleset);
    int us = g.position.turn, them = !us, captured;
    Bits path = is_castling(piece, t.from, t.to) ? castling_path(t.from, t.to > t.from)
                                                 : between(t.from, t.to);
    int victim = play(g.position, piece, t.from, t.to, t.promotion, captured);
    g.ply++;

    Answer answer = plain_answer(MOVED);
    answer.promoted = rules.announces_promotion && t.promotion != NO_PIECE;
    answer.captured = uint8_t(captured);
    mark(m, us, EMPTY, path | bit(t.from), g.ply);
    if (victim != NO_SQUARE) {
        bool is_announced_en_passant = victim != t.to && rules.announces_en_passant;
        Kind victim_kind = captured == PAWN ? A_PAWN : A_PIECE;
        Kind capturer_kind = piece == PAWN ? A_PAWN : A_PIECE;
        answer.en_passant = is_announced_en_passant;
        answer.capture = is_announced_en_passant ? t.to : uint8_t(victim);
        if (rules.announces_victim) answer.victim = victim_kind;
        if (rules.announces_capturer) answer.capturer = capturer_kind;

        Kind known = is_announced_en_passant ? A_PAWN : Kind(answer.victim);
        int counter = known == A_PAWN ? 0 : known == A_PIECE ? 1 : 2;
        if (g.captures[us][counter] < 255) g.captures[us][counter]++;
        mark(m, us, CAPTURED, bit(victim), g.ply);
        mark(m, them, LOST, bit(victim), g.ply);
        if (is_announced_en_passant || answer.capturer == A_PAWN) {
            mark(m, them, OPPONENT_PAWN, bit(answer.capture), g.ply);
        }
        g.quiet_since[them] = g.ply;
    }
    if (victim != NO_SQUARE || piece == PAWN) g.quiet_since[us] = g.ply;
    uint8_t known_victim = answer.en_passant ? uint8_t(A_PAWN) : answer.victim;
    LastMove last = {t.from,       t.to,           uint8_t(piece), answer.capture,
                     known_victim, answer.capturer, answer.promoted, 0};
    g.last[us] = last;
    begin_turn(g, m, limits, false);
    return answer;
}

/// Judges a try of the side to move, as krieg's umpire does. ERROR: it does not count as a try, and
/// nothing has changed.
SIM_FN Answer judge(Game& g, const Memory& m, const Limits& limits, const Try& t) {
    if (g.ending != NOT_ENDED) return plain_answer(ERROR);
    if (t.is_any) return answer_any(g, m);
    if (!is_sensible(g, m, t)) return answer_senseless(g, m, t);
    int piece = g.position.piece_on(t.from);
    if (!is_legal(g.position, piece, t.from, t.to)) return refuse(g, m, piece, t);
    return accept(g, m, limits, piece, t);
}

}  // namespace sim
