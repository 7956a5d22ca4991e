//! The reasons for preferring one try to another, as sentences.

use krieg_core::Move;

use super::{Explanation, TryEffects, TryExplanation};
use crate::Exclusion;

/// Minimum difference of exchange values that is mentioned, in pawns.
const MIN_EXCHANGE_DIFFERENCE: f64 = 0.3;
/// Minimum difference of probabilities that is mentioned.
const MIN_PROBABILITY_DIFFERENCE: f64 = 0.1;
/// Expected scores within this distance count as equal.
const EQUAL_SCORE: f64 = 0.005;

impl Explanation {
    /// Why the preferred try is preferred to the next one; empty if there is no try to make.
    #[must_use]
    pub fn reasons(&self) -> Vec<String> {
        let Some(best) = self.best() else { return Vec::new() };
        let mut reasons = Vec::new();
        for passed in self.tries.iter().take_while(|other| other.mv != best.mv) {
            reasons
                .extend(passed.exclusion.map(|why| exclusion_reason(&self.name(passed.mv), why)));
        }
        let is_next = |other: &&TryExplanation| other.mv != best.mv && other.exclusion.is_none();
        let next = self.tries.iter().find(is_next);
        match next.and_then(|next| Some((next, next.expected?))) {
            Some((next, score)) => self.compare(best, next, score, &mut reasons),
            None => reasons.push(format!("No try but {} was visited.", self.name(best.mv))),
        }
        reasons.extend(self.refusal_reason(best));
        reasons
    }

    /// Why the preferred try is preferred to this one; empty if they are the same or one of them
    /// was not visited.
    #[must_use]
    pub fn reasons_against(&self, mv: Move) -> Vec<String> {
        let mut reasons = Vec::new();
        let other = self.of(mv).filter(|_| self.preferred != Some(mv));
        let scored = other.and_then(|other| Some((other, other.expected?)));
        if let (Some(best), Some((other, score))) = (self.best(), scored) {
            self.compare(best, other, score, &mut reasons);
        }
        reasons
    }

    /// What a refusal of the best try would mean, if one is likely.
    fn refusal_reason(&self, best: &TryExplanation) -> Option<String> {
        let refused = 1.0 - best.effects.legal;
        if refused < MIN_PROBABILITY_DIFFERENCE {
            return None;
        }
        let first = self.name(best.mv);
        let mut text = if best.effects.legal == 0.0 {
            format!("{first} is legal on none of the boards; a refusal costs nothing.")
        } else {
            let refused = percent(refused);
            format!(
                "{first} is refused on {refused} of the boards; \
                 a refusal costs nothing and gives information."
            )
        };
        let is_likely_legal = |other: &&TryExplanation| {
            other.effects.legal > 0.5 && other.visits > 0 && other.exclusion.is_none()
        };
        let fallback =
            self.tries.iter().find(is_likely_legal).filter(|fallback| fallback.mv != best.mv);
        if let Some(fallback) = fallback.map(|fallback| self.name(fallback.mv)) {
            text += &format!(" The best try that is probably legal is {fallback}.");
        }
        Some(text)
    }

    fn compare(
        &self,
        best: &TryExplanation,
        next: &TryExplanation,
        score: f64,
        reasons: &mut Vec<String>,
    ) {
        let [first, second] = [best, next].map(|explained| self.name(explained.mv));
        let expected = best.expected.unwrap_or(score);
        reasons.push(if expected > score + EQUAL_SCORE {
            format!(
                "{first} has a higher expected score than {second}: \
                 {expected:.2} against {score:.2}."
            )
        } else if expected >= score - EQUAL_SCORE {
            format!("{first} and {second} have the same expected score, {expected:.2}.")
        } else {
            format!(
                "{second} has a higher expected score, {score:.2} against {expected:.2}, \
                 but it is less certain after fewer visits."
            )
        });
        let pros = advantages(&best.effects, &next.effects);
        let cons = advantages(&next.effects, &best.effects);
        if pros.is_empty() && cons.is_empty() {
            let text = "Their immediate effects are much the same; \
                        the difference is in what follows.";
            reasons.push(text.to_string());
        }
        if !pros.is_empty() {
            reasons.push(format!("{first} {}.", pros.join(", ")));
        }
        if !cons.is_empty() {
            reasons.push(format!("On the other hand, {second} {}.", cons.join(", ")));
        }
    }
}

/// The advantages of the first try over the second.
fn advantages(first: &TryEffects, second: &TryEffects) -> Vec<String> {
    let mut list = Vec::new();
    let compared = |a: f64, b: f64| format!("({} against {})", percent(a), percent(b));
    let is_higher = |a: f64, b: f64| a > b + MIN_PROBABILITY_DIFFERENCE;
    if is_higher(first.mates, second.mates) {
        list.push(format!("mates more often {}", compared(first.mates, second.mates)));
    }
    // A try that is legal on no board has no effects to compare.
    if first.legal > 0.0 && second.legal > 0.0 {
        if first.exchange > second.exchange + MIN_EXCHANGE_DIFFERENCE {
            let [a, b] = [first, second].map(|effects| pawns(effects.exchange));
            list.push(format!("wins more in the exchange ({a} pawns against {b})"));
        }
        if first.recaptured + MIN_PROBABILITY_DIFFERENCE < second.recaptured {
            let compared = compared(first.recaptured, second.recaptured);
            list.push(format!("is captured less often {compared}"));
        }
        if is_higher(first.checks, second.checks) {
            list.push(format!("gives check more often {}", compared(first.checks, second.checks)));
        }
    }
    if is_higher(first.legal, second.legal) {
        list.push(format!("is legal more often {}", compared(first.legal, second.legal)));
    }
    list
}

fn exclusion_reason(name: &str, exclusion: Exclusion) -> String {
    let why = match exclusion {
        Exclusion::Repetition => "it would repeat the position for the third time",
        Exclusion::Stalemate => "it may stalemate the opponent",
    };
    format!("{name} ranked higher, but is excluded while ahead: {why}.")
}

fn percent(probability: f64) -> String {
    format!("{:.0}%", 100.0 * probability)
}

/// A number of pawns with its sign; zero without one.
fn pawns(exchange: f64) -> String {
    let tenths = (exchange * 10.0).round() / 10.0 + 0.0;
    if tenths == 0.0 { "0.0".to_string() } else { format!("{tenths:+.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clear_differences_are_mentioned() {
        let risky =
            TryEffects { legal: 0.4, exchange: 3.0, recaptured: 0.6, ..TryEffects::default() };
        let safe =
            TryEffects { legal: 1.0, exchange: -0.01, recaptured: 0.1, ..TryEffects::default() };
        assert_eq!(
            advantages(&risky, &safe),
            ["wins more in the exchange (+3.0 pawns against 0.0)"]
        );
        assert_eq!(
            advantages(&safe, &risky),
            ["is captured less often (10% against 60%)", "is legal more often (100% against 40%)"]
        );
        assert!(advantages(&safe, &safe).is_empty());
    }
}
