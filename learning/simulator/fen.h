// Reads and writes FEN, as strictly as crates/krieg-core/src/fen.rs. For the CPU only.
#pragma once
#include <cstdlib>
#include <string>
#include <vector>

#include "rules.h"

namespace sim {

inline std::string square_name(int square) {
    return {char('a' + file_of(square)), char('1' + rank_of(square))};
}

/// The square with this name, or NO_SQUARE.
inline int read_square(const std::string& text) {
    bool is_square = text.size() == 2 && text[0] >= 'a' && text[0] <= 'h' && text[1] >= '1' &&
                     text[1] <= '8';
    return is_square ? (text[1] - '1') * 8 + (text[0] - 'a') : NO_SQUARE;
}

inline std::string write_fen(const Position& p) {
    std::string text;
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            int square = rank * 8 + file, piece = p.piece_on(square);
            if (piece == NO_PIECE) {
                empty++;
                continue;
            }
            if (empty > 0) text += char('0' + empty);
            empty = 0;
            text += (has(p.colors[WHITE], square) ? "PNBRQK" : "pnbrqk")[piece];
        }
        if (empty > 0) text += char('0' + empty);
        if (rank > 0) text += '/';
    }
    text += p.turn == WHITE ? " w " : " b ";
    for (int i = 0; i < 4; i++) {
        if (p.castling >> i & 1) text += "KQkq"[i];
    }
    if (p.castling == 0) text += '-';
    int passed = p.en_passant_target();
    text += ' ' + (passed == NO_SQUARE ? "-" : square_name(passed));
    return text + ' ' + std::to_string(p.quiet) + ' ' + std::to_string(p.number);
}

inline std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    for (char c : text) {
        if (c == separator) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

/// Reads a number of digits alone, at most `limit`; -1 if the text is something else.
inline long read_number(const std::string& text, long limit) {
    if (text.empty() || text.size() > 6) return -1;
    for (char c : text) {
        if (c < '0' || c > '9') return -1;
    }
    long number = strtol(text.c_str(), nullptr, 10);
    return number <= limit ? number : -1;
}

inline bool read_placement(const std::string& text, Position& p) {
    std::vector<std::string> rows = split(text, '/');
    if (rows.size() != 8) return false;
    for (int rank = 7; rank >= 0; rank--) {
        int file = 0;
        bool after_number = false;
        for (char c : rows[size_t(7 - rank)]) {
            bool is_number = c >= '1' && c <= '8';
            if (is_number && after_number) return false;
            after_number = is_number;
            if (is_number) {
                file += c - '0';
                continue;
            }
            std::string letters = "PNBRQKpnbrqk";
            size_t at = letters.find(c);
            if (file > 7 || at == std::string::npos) return false;
            p.toggle(at < 6 ? WHITE : BLACK, int(at % 6), rank * 8 + file++);
        }
        if (file != 8) return false;
    }
    return true;
}

/// Why the pieces cannot stand like this, or null.
inline const char* placement_error(const Position& p) {
    for (int color = 0; color < 2; color++) {
        if (count(p.of(color, KING)) != 1) return "each side needs one king";
        if (count(p.of(color, PAWN)) > 8) return "a side has more than eight pawns";
        if (count(p.colors[color]) > 16) return "a side has more than sixteen pieces";
    }
    if (p.pieces[PAWN] & (RANK_1 | RANK_8)) return "a pawn stands on the first or last rank";
    if (king_attacks(p.of(WHITE, KING)) & p.pieces[KING]) return "the kings are adjacent";
    return nullptr;
}

inline bool read_castling(const std::string& text, Position& p) {
    if (text == "-") return true;
    size_t at = 0;
    const int corners[4] = {7, 0, 63, 56};
    for (int i = 0; i < 4; i++) {
        if (at >= text.size() || text[at] != "KQkq"[i]) continue;
        at++;
        int color = i / 2, home = color == WHITE ? 0 : 56;
        if (p.king(color) != home + 4 || !has(p.of(color, ROOK), corners[i])) return false;
        p.castling |= uint8_t(1 << i);
    }
    return at == text.size() && at > 0;
}

inline bool read_en_passant(const std::string& text, Position& p, Bits checkers) {
    if (text == "-") return true;
    int square = read_square(text), us = p.turn;
    if (square == NO_SQUARE || rank_of(square) != (us == WHITE ? 5 : 2)) return false;
    int forward = us == WHITE ? 8 : -8, pawn = square - forward, source = square + forward;
    if (has(p.occupied(), square) || has(p.occupied(), source)) return false;
    if (!has(p.of(!us, PAWN), pawn)) return false;
    while (checkers) {
        int checker = pop(checkers);
        if (checker != pawn && !has(between(checker, p.king(us)), source)) return false;
    }
    p.en_passant = uint8_t(file_of(square));
    return true;
}

/// Reads a FEN with all six fields. Returns the reason why it is rejected, or null.
inline const char* read_fen(const std::string& text, Position& p) {
    p = {};
    p.en_passant = NO_FILE;
    std::vector<std::string> fields = split(text, ' ');
    if (fields.size() != 6) return "a FEN has six fields";
    if (!read_placement(fields[0], p)) return "the placement is not valid";
    if (fields[1] != "w" && fields[1] != "b") return "the side to move is neither w nor b";
    p.turn = fields[1] == "w" ? WHITE : BLACK;
    if (const char* error = placement_error(p)) return error;
    int us = p.turn;
    if (attackers_of(p, p.king(!us), us, p.occupied(), p.colors[us])) {
        return "the side that is not to move is in check";
    }
    Bits checkers = checkers_of(p);
    if (count(checkers) > 2) return "the king is in check from more than two pieces";
    if (!read_castling(fields[2], p)) return "the castling rights are not valid";
    if (!read_en_passant(fields[3], p, checkers)) return "the en passant square is not valid";
    long quiet = read_number(fields[4], 65535), number = read_number(fields[5], 65535);
    if (quiet < 0) return "the half-move clock is not a number";
    if (number < 1) return "the move number is not a number from 1";
    p.quiet = uint8_t(quiet < 100 ? quiet : 100);
    p.number = uint16_t(number);
    return nullptr;
}

}  // namespace sim
