// A game in a dialogue of text lines, for tests: one request per line, one reply per request.
// README.md lists the requests.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "fen.h"
#include "observation.h"
#include "scripted.h"
#include "starts.h"
#include "umpire.h"

using namespace sim;

namespace {

constexpr Limits LIMITS = {MAX_QUIET, 65000};
constexpr const char* PROMOTION_LETTERS = "pnbrq";

/// The game of the dialogue, with its memory.
struct Table {
    Game game = {};
    uint64_t keys[KEYS];
    uint16_t refused[REFUSED_TRIES];
    alignas(8) uint16_t stamps[STAMPS];
    uint16_t ages[AGES];
    bool has_game = false;

    Memory memory() { return {keys, refused, stamps}; }
};

std::string bad_request(const std::string& reason) { return "bad request: " + reason; }

std::string kind_name(uint8_t kind) {
    return kind == A_PAWN ? "pawn" : kind == A_PIECE ? "piece" : "-";
}

std::string check_names(const Turn& turn) {
    static const char* const names[] = {
        "rank", "file", "long-diagonal", "short-diagonal", "knight"};
    std::string text;
    for (uint8_t check : turn.checks) {
        if (check == NO_CHECK) continue;
        if (!text.empty()) text += ',';
        text += names[check];
    }
    return text.empty() ? "-" : text;
}

std::string pawn_try_text(const Game& g, const Turn& turn) {
    if (turn.news == NO_NEWS) return "silent";
    switch (ruleset_at(g.ruleset).pawn_tries) {
        case COUNT: return "count:" + std::to_string(turn.number);
        case WHETHER: return turn.news == SOME ? "whether:1" : "whether:0";
        default: break;
    }
    std::string text = "from:";
    for (Bits rest = g.pawn_try_squares; rest;) {
        if (text.back() != ':') text += ',';
        text += square_name(pop(rest));
    }
    return text;
}

std::string ending_text(const Game& g) {
    const char* winner = g.result > 0 ? "white" : g.result < 0 ? "black" : "draw";
    switch (g.ending) {
        case CHECKMATE: return std::string("checkmate:") + winner;
        case STALEMATE: return std::string("stalemate:") + winner;
        case INSUFFICIENT: return "insufficient";
        case FIFTY_MOVES: return "fifty";
        case THREEFOLD: return "threefold";
        case MAX_PLIES: return "max-plies";
        default: return "-";
    }
}

std::string answer_text(const Game& g, const Answer& answer) {
    static const char* const verdicts[] = {
        "begun", "moved", "refused", "nonsense", "any-yes", "any-no", "error"};
    // Only the beginning and a move announce the state of the game.
    bool has_state = answer.verdict == BEGUN || answer.verdict == MOVED;
    const Turn& turn = g.turn[g.position.turn];
    std::string text = verdicts[answer.verdict];
    text += " capture=" + (answer.capture == NO_SQUARE ? "-" : square_name(answer.capture));
    text += " victim=" + kind_name(answer.victim);
    text += " capturer=" + kind_name(answer.capturer);
    text += answer.en_passant ? " ep=1" : " ep=0";
    text += answer.promoted ? " promoted=1" : " promoted=0";
    text += " checks=" + (has_state ? check_names(turn) : "-");
    text += " pawn_tries=" + (has_state ? pawn_try_text(g, turn) : "silent");
    return text + " end=" + (has_state ? ending_text(g) : "-");
}

std::string try_text(const Try& t) {
    if (t.is_any) return "any?";
    std::string text = square_name(t.from) + square_name(t.to);
    return t.promotion == NO_PIECE ? text : text + PROMOTION_LETTERS[t.promotion];
}

/// The first word of a text, and the rest after the space.
std::string first_word(const std::string& text, std::string& rest) {
    size_t space = text.find(' ');
    rest = space == std::string::npos ? "" : text.substr(space + 1);
    return text.substr(0, space);
}

std::string begin(Table& table, const std::string& text) {
    std::string fen, name = first_word(text, fen);
    int ruleset = 0;
    while (ruleset < RULESETS && name != ruleset_name(ruleset)) ruleset++;
    if (ruleset == RULESETS) return bad_request("there is no such ruleset");
    Position start;
    if (const char* error = read_fen(fen, start)) return bad_request(error);
    begin_game(table.game, table.memory(), LIMITS, start, ruleset);
    table.has_game = true;
    return answer_text(table.game, plain_answer(BEGUN));
}

std::string answer_try(Table& table, const std::string& text) {
    Try t = {0, 0, NO_PIECE, text == "any?"};
    if (!t.is_any) {
        bool is_long = text.size() == 5;
        int from = read_square(text.substr(0, 2));
        int to = text.size() < 4 ? int(NO_SQUARE) : read_square(text.substr(2, 2));
        size_t letter = is_long ? std::string(PROMOTION_LETTERS).find(text[4]) : 0;
        bool is_move = from != NO_SQUARE && to != NO_SQUARE && (is_long || text.size() == 4);
        if (!is_move || letter == std::string::npos || (is_long && letter == 0)) {
            return bad_request("write a try as e2e4, e7e8q or any?");
        }
        t.from = uint8_t(from);
        t.to = uint8_t(to);
        if (is_long) t.promotion = uint8_t(letter);
    }
    Answer answer = judge(table.game, table.memory(), LIMITS, t);
    return answer_text(table.game, answer);
}

/// All tries that the umpire calls sensible, sorted; "any?" stands first.
std::string list_tries(Table& table) {
    const Game& g = table.game;
    if (g.ending != NOT_ENDED) return "";
    std::vector<std::string> tries;
    for (Bits rest = g.position.colors[g.position.turn]; rest;) {
        int from = pop(rest);
        bool promotes = is_promotion(g.position, from);
        for (Bits targets = possible_targets(g, from); targets;) {
            int to = pop(targets);
            int begin = promotes ? KNIGHT : NO_PIECE, end = promotes ? QUEEN : NO_PIECE;
            for (int piece = begin; piece <= end; piece++) {
                Try t = {uint8_t(from), uint8_t(to), uint8_t(piece), false};
                if (!is_sensible(g, table.memory(), t)) continue;
                tries.push_back(try_text(t));
            }
        }
    }
    std::sort(tries.begin(), tries.end());
    std::string text = can_ask_any(g) ? "any?" : "";
    for (const std::string& t : tries) {
        if (!text.empty()) text += ' ';
        text += t;
    }
    return text;
}

/// The checksum of the observation, or all its bytes.
std::string observe(Table& table, bool is_full) {
    const Game& g = table.game;
    if (g.ending != NOT_ENDED) return bad_request("the game is over");
    static uint8_t bytes[64 * PLANES + SCALARS + 8 * MASK_WORDS];
    uint8_t* out = bytes;
    for (int square = 0; square < 64; square++) {
        uint32_t words[PLANES / 4];
        observe_square(g, table.memory(), table.ages, g.position.turn, square, words);
        for (uint32_t word : words) {
            for (int i = 0; i < 4; i++) *out++ = uint8_t(word >> (8 * i));
        }
    }
    write_scalars(g, out);
    out += SCALARS;
    for (int i = 0; i < MASK_WORDS; i++) {
        uint64_t word = i < 64 ? mask_word(g, table.memory(), i) : uint64_t(can_ask_any(g));
        for (int k = 0; k < 8; k++) *out++ = uint8_t(word >> (8 * k));
    }
    static const char digits[] = "0123456789abcdef";
    std::string text;
    if (is_full) {
        for (uint8_t byte : bytes) {
            text += digits[byte >> 4];
            text += digits[byte & 15];
        }
        return text;
    }
    uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a
    for (uint8_t byte : bytes) hash = (hash ^ byte) * 0x00000100000001b3ull;
    for (int shift = 60; shift >= 0; shift -= 4) text += digits[hash >> shift & 15];
    return text;
}

/// The FEN of a start position of a kind, drawn with a seed.
std::string start_text(const std::string& text) {
    std::string seed, kind = first_word(text, seed);
    uint32_t drawn = 0;
    Random random = random_of(strtoull(seed.c_str(), nullptr, 10), 0, 0, &drawn);
    if (kind == "standard") return write_fen(standard_position());
    if (kind == "opening") return write_fen(random_opening(random));
    if (kind == "placement") return write_fen(random_placement(random));
    return bad_request("write: start standard|opening|placement SEED");
}

/// The try of a scripted player, drawn with a seed.
std::string scripted_text(Table& table, const std::string& text) {
    const Game& g = table.game;
    if (g.ending != NOT_ENDED) return bad_request("the game is over");
    std::string seed, name = first_word(text, seed);
    int kind = name == "random"        ? RANDOM
               : name == "semi-random" ? SEMI_RANDOM
               : name == "greedy"      ? GREEDY
                                       : UNCHANGED;
    if (kind == UNCHANGED) return bad_request("write: scripted random|semi-random|greedy SEED");
    uint32_t drawn = 0;
    Random random = random_of(strtoull(seed.c_str(), nullptr, 10), 0, 0, &drawn);
    return try_text(scripted_try(g, table.memory(), random, kind, 0));
}

std::string reply(Table& table, const std::string& request) {
    std::string rest, command = first_word(request, rest);
    if (command == "new") return begin(table, rest);
    if (command == "start") return start_text(rest);
    bool is_known = command == "try" || command == "tries" || command == "observe" ||
                    command == "fen" || command == "scripted";
    if (!is_known) return bad_request("write new, try, tries, observe, fen, start or scripted");
    if (!table.has_game) return bad_request("begin a game first: new RULESET FEN");
    if (command == "try") return answer_try(table, rest);
    if (command == "tries") return list_tries(table);
    if (command == "scripted") return scripted_text(table, rest);
    if (command == "fen") return write_fen(table.game.position);
    return observe(table, rest == "full");
}

}  // namespace

/// Replies are written when all requests that have arrived are answered.
int main() {
    static Table table;
    fill_age_table(table.ages);
    std::string pending, replies;
    char buffer[1 << 16];
    ssize_t size;
    while ((size = read(STDIN_FILENO, buffer, sizeof buffer)) > 0) {
        pending.append(buffer, size_t(size));
        size_t begin = 0, end;
        while ((end = pending.find('\n', begin)) != std::string::npos) {
            replies += reply(table, pending.substr(begin, end - begin));
            replies += '\n';
            begin = end + 1;
        }
        pending.erase(0, begin);
        for (size_t written = 0; written < replies.size();) {
            ssize_t part = write(STDOUT_FILENO, replies.data() + written, replies.size() - written);
            if (part <= 0) return 1;
            written += size_t(part);
        }
        replies.clear();
    }
    return 0;
}
