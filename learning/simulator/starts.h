// Start positions of games, and the choice of the ruleset.
#pragma once
#include "random.h"
#include "rules.h"
#include "ruleset.h"

namespace sim {

constexpr int START_KINDS = 3;

/// What later games begin with. A kind is chosen if a random number of 31 bits is below its
/// threshold and not below those before it.
struct Starts {
    uint32_t ruleset_thresholds[RULESETS - 1];
    uint32_t start_thresholds[START_KINDS - 1];
};

SIM_FN int choose(Random& random, const uint32_t* thresholds, int kinds) {
    uint32_t number = random.next() >> 1;
    int kind = 0;
    while (kind < kinds - 1 && number >= thresholds[kind]) kind++;
    return kind;
}

SIM_FN Position standard_position() {
    Position p = {};
    p.colors[WHITE] = 0x000000000000ffffull;
    p.colors[BLACK] = 0xffff000000000000ull;
    p.pieces[PAWN] = 0x00ff00000000ff00ull;
    p.pieces[KNIGHT] = 0x4200000000000042ull;
    p.pieces[BISHOP] = 0x2400000000000024ull;
    p.pieces[ROOK] = 0x8100000000000081ull;
    p.pieces[QUEEN] = 0x0800000000000008ull;
    p.pieces[KING] = 0x1000000000000010ull;
    p.castling = 15;
    p.en_passant = NO_FILE;
    p.number = 1;
    return p;
}

/// Whether a game can go on from a position: a move is legal, and the material suffices.
SIM_FN bool is_playable(const Position& p) {
    Bits checkers = checkers_of(p), pinned = pinned_of(p);
    if (count(checkers) > 2 || is_insufficient_material(p)) return false;
    return can_move(p, checkers, pinned, pawn_tries_of(p, checkers, pinned).en_passant);
}

/// Plays a random legal move, a capture if `prefers_capture` and there is one. All moves have the
/// same probability. There must be a legal move.
SIM_FN void play_random_move(Position& p, Random& random, bool prefers_capture) {
    Bits checkers = checkers_of(p), pinned = pinned_of(p), opponents = p.colors[!p.turn];
    MoveDraw moves = {0, 0, 0}, captures = {0, 0, 0};
    for (Bits rest = p.colors[p.turn]; rest;) {
        int from = pop(rest);
        Bits targets = legal_targets(p, from, checkers, pinned);
        moves.add(random, from, targets);
        if (prefers_capture) captures.add(random, from, targets & opponents);
    }
    MoveDraw draw = captures.seen > 0 ? captures : moves;
    int to = nth(draw.targets, random.below(count(draw.targets)));
    int piece = p.piece_on(draw.from), captured;
    bool is_promotion = piece == PAWN && has(RANK_1 | RANK_8, to);
    int promotion = is_promotion ? random.range(KNIGHT, QUEEN) : int(NO_PIECE);
    play(p, piece, draw.from, to, promotion, captured);
}

/// The standard position after 2 to 24 random legal moves; in a quarter of the cases captures are
/// preferred. If the game would end on the way, the position before that.
SIM_FN Position random_opening(Random& random) {
    Position p = standard_position();
    bool is_sharp = random.below(4) == 0;
    int moves = random.range(2, 24);
    for (int i = 0; i < moves; i++) {
        Position next = p;
        play_random_move(next, random, is_sharp && random.below(2) == 0);
        if (!is_playable(next)) break;
        p = next;
    }
    p.quiet = 0;
    p.number = 1;
    return p;
}

/// Puts a piece on a random empty square that it may stand on.
SIM_FN void place(Position& p, Random& random, int color, int piece) {
    Bits squares = ~p.occupied();
    if (piece == PAWN) squares &= ~(RANK_1 | RANK_8);
    p.toggle(color, piece, nth(squares, random.below(count(squares))));
}

/// Puts random pieces of one side on the board. `strength` is 0 for a few pawns at most, 1 for an
/// ending, 2 for the middle game.
SIM_FN void place_side(Position& p, Random& random, int color, int strength) {
    int pawns = strength == 0 ? random.below(3) : strength == 1 ? random.below(6) : random.below(9);
    int pieces = strength == 0 ? 0 : strength == 1 ? random.range(0, 3) : random.range(2, 7);
    for (int i = 0; i < pawns; i++) place(p, random, color, PAWN);
    for (int i = 0; i < pieces; i++) {
        // Knights, bishops and rooks twice as often as queens.
        int choice = random.below(7);
        place(p, random, color, choice == 6 ? int(QUEEN) : KNIGHT + choice / 2);
    }
}

/// A random placement that may be illegal.
SIM_FN Position random_pieces(Random& random) {
    Position p = {};
    p.en_passant = NO_FILE;
    p.number = 1;
    p.turn = uint8_t(random.below(2));
    int king = random.below(64);
    p.toggle(WHITE, KING, king);
    Bits apart = ~(king_attacks(bit(king)) | bit(king));
    p.toggle(BLACK, KING, nth(apart, random.below(count(apart))));
    int kind = random.below(4), stronger = random.below(2);
    if (kind == 0) {
        // One side has one or two heavy pieces against a bare king or a few pawns.
        place(p, random, stronger, random.below(2) ? QUEEN : ROOK);
        if (random.below(2)) place_side(p, random, stronger, 1);
        if (random.below(2)) place_side(p, random, !stronger, 0);
    } else if (kind == 1) {
        // An ending in which one side may have pawns only.
        place_side(p, random, stronger, 1);
        place_side(p, random, !stronger, random.below(2));
    } else {
        int strength = kind == 2 ? 1 : 2;
        place_side(p, random, WHITE, strength);
        place_side(p, random, BLACK, strength);
    }
    return p;
}

SIM_FN Position random_placement(Random& random) {
    constexpr int ATTEMPTS = 64;
    for (int i = 0; i < ATTEMPTS; i++) {
        Position p = random_pieces(random);
        int us = p.turn, king = p.king(!us);
        bool is_legal_turn = !attackers_of(p, king, us, p.occupied(), p.colors[us]);
        if (is_legal_turn && is_playable(p)) return p;
    }
    return standard_position();
}

SIM_FN Position start_position(Random& random, const Starts& starts) {
    switch (choose(random, starts.start_thresholds, START_KINDS)) {
        case 0: return standard_position();
        case 1: return random_opening(random);
        default: return random_placement(random);
    }
}

}  // namespace sim
