// The rulesets as data, in the order of `Ruleset::ALL` (crates/krieg-core/src/ruleset.rs).
#pragma once
#include "rules.h"

namespace sim {

/// What is announced about pawn tries. The order is that of the scalars 39 to 44.
enum PawnTryRule : uint8_t { SILENT, ANY_UNTIL_LEGAL, ANY_ONE_TRY, WHETHER, COUNT, SQUARES };
enum SenselessTryRule : uint8_t { REFUSED_IF_SENSELESS, NONSENSE_IF_SENSELESS, REJECTED };

struct Ruleset {
    PawnTryRule pawn_tries;
    SenselessTryRule senseless_tries;
    bool both_hear_refusals;
    bool announces_victim;
    bool announces_capturer;
    bool announces_en_passant;
    bool announces_promotion;
    bool stalemate_loses;

    SIM_FN bool has_any() const {
        return pawn_tries == ANY_UNTIL_LEGAL || pawn_tries == ANY_ONE_TRY;
    }
};

constexpr int RULESETS = 7;

SIM_FN Ruleset ruleset_at(int index) {
    switch (index) {
        case 1:  // cincinnati
            return {WHETHER, NONSENSE_IF_SENSELESS, true, true, false, false, false, false};
        case 2:  // berkeley
            return {SILENT, REJECTED, true, false, false, false, false, false};
        case 3:  // berkeley-any
            return {ANY_UNTIL_LEGAL, REJECTED, true, false, false, false, false, false};
        case 4:  // english
            return {ANY_ONE_TRY, REFUSED_IF_SENSELESS, true, false, false, true, false, false};
        case 5:  // rand
            return {SQUARES, NONSENSE_IF_SENSELESS, true, true, false, false, true, true};
        case 6:  // dutch
            return {ANY_ONE_TRY, REFUSED_IF_SENSELESS, true, false, true, true, false, false};
        default:  // icc
            return {COUNT, REFUSED_IF_SENSELESS, false, true, false, false, false, false};
    }
}

/// The name of a ruleset, or null.
inline const char* ruleset_name(int index) {
    static const char* const names[RULESETS] = {
        "icc", "cincinnati", "berkeley", "berkeley-any", "english", "rand", "dutch"};
    return index >= 0 && index < RULESETS ? names[index] : nullptr;
}

}  // namespace sim
