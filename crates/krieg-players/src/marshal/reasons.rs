//! Why one try is preferred to the next, in a few sentences.

use krieg_core::Move;

use super::{Explained, Explanation, NotDone, Outlook};

/// Differences smaller than these are not worth a word.
const PAWNS: f64 = 0.3;
const CHANCE: f64 = 0.1;
/// Scores as near as this are the same.
const SCORE: f64 = 0.005;

impl Explanation {
    /// Why the preferred try is preferred to the one that comes next; nothing, where nothing is to be tried.
    pub fn reasons(&self) -> Vec<String> {
        let Some(best) = self.best() else { return Vec::new() };
        let mut reasons = Vec::new();
        for passed in self.tries.iter().take_while(|other| other.mv != best.mv) {
            reasons.extend(passed.not_done.map(|why| not_done(&self.name(passed.mv), why)));
        }
        let is_next = |other: &&Explained| other.mv != best.mv && other.not_done.is_none();
        let next = self.tries.iter().find(is_next);
        match next.and_then(|next| Some((next, next.expected?))) {
            Some((next, score)) => self.compare(best, next, score, &mut reasons),
            None => reasons.push(format!("Nothing but {} is worth a look.", self.name(best.mv))),
        }
        reasons.extend(self.refusal(best));
        reasons
    }

    /// Why the preferred try is preferred to this one; nothing, where one of them was never looked at or they are the same.
    pub fn reasons_against(&self, mv: Move) -> Vec<String> {
        let mut reasons = Vec::new();
        let other = self.of(mv).filter(|_| self.preferred != Some(mv));
        let scored = other.and_then(|other| Some((other, other.expected?)));
        if let (Some(best), Some((other, score))) = (self.best(), scored) {
            self.compare(best, other, score, &mut reasons);
        }
        reasons
    }

    /// What a refusal would mean, if one is likely.
    fn refusal(&self, best: &Explained) -> Option<String> {
        let refused = 1.0 - best.outlook.legal;
        if refused < CHANCE {
            return None;
        }
        let first = self.name(best.mv);
        let mut text = if best.outlook.legal == 0.0 {
            format!("On no board in mind is {first} legal; a refusal costs nothing.")
        } else {
            let refused = percent(refused);
            format!(
                "On {refused} of the boards {first} is refused; that costs nothing, and tells something."
            )
        };
        let is_sure = |other: &&Explained| {
            other.outlook.legal > 0.5 && other.looks > 0 && other.not_done.is_none()
        };
        let sure = self.tries.iter().find(is_sure).filter(|sure| sure.mv != best.mv);
        if let Some(sure) = sure.map(|sure| self.name(sure.mv)) {
            text += &format!(" Of what is likely legal, {sure} comes first.");
        }
        Some(text)
    }

    fn compare(&self, best: &Explained, next: &Explained, score: f64, reasons: &mut Vec<String>) {
        let [first, second] = [best, next].map(|explained| self.name(explained.mv));
        let expected = best.expected.unwrap_or(score);
        reasons.push(if expected > score + SCORE {
            format!("{first} promises more than {second}: {expected:.2} against {score:.2}.")
        } else if expected >= score - SCORE {
            format!("{first} and {second} promise the same, {expected:.2}.")
        } else {
            format!("{second} promised more, {score:.2} against {expected:.2}, but that is less sure after fewer looks.")
        });
        let (fors, againsts) =
            (advantages(&best.outlook, &next.outlook), advantages(&next.outlook, &best.outlook));
        if fors.is_empty() && againsts.is_empty() {
            let text = "At once the two do much the same; what counts is what comes after.";
            reasons.push(text.to_string());
        }
        if !fors.is_empty() {
            reasons.push(format!("{first} {}.", fors.join(", ")));
        }
        if !againsts.is_empty() {
            reasons.push(format!("Against that, {second} {}.", againsts.join(", ")));
        }
    }
}

/// What the first has before the second.
fn advantages(first: &Outlook, second: &Outlook) -> Vec<String> {
    let mut list = Vec::new();
    let chances = |a: f64, b: f64| format!("({} against {})", percent(a), percent(b));
    if first.mates > second.mates + CHANCE {
        list.push(format!("mates more often {}", chances(first.mates, second.mates)));
    }
    // What is legal nowhere has no outlook.
    if first.legal > 0.0 && second.legal > 0.0 {
        if first.exchange > second.exchange + PAWNS {
            let [a, b] = [first, second].map(|outlook| pawns(outlook.exchange));
            list.push(format!("wins more on its square ({a} pawns against {b})"));
        }
        if first.taken + CHANCE < second.taken {
            list.push(format!("is taken less often {}", chances(first.taken, second.taken)));
        }
        if first.checks > second.checks + CHANCE {
            list.push(format!("gives check more often {}", chances(first.checks, second.checks)));
        }
    }
    if first.legal > second.legal + CHANCE {
        list.push(format!("is legal more often {}", chances(first.legal, second.legal)));
    }
    list
}

fn not_done(name: &str, why: NotDone) -> String {
    let why = match why {
        NotDone::Repetition => "the men would stand so for the third time",
        NotDone::Stalemate => "it may be stalemate",
    };
    format!("{name} looked better, but whoever is ahead does not do it: {why}.")
}

fn percent(chance: f64) -> String {
    format!("{:.0}%", 100.0 * chance)
}

/// With its sign, and nought without one.
fn pawns(exchange: f64) -> String {
    let tenths = (exchange * 10.0).round() / 10.0 + 0.0;
    if tenths == 0.0 { "0.0".to_string() } else { format!("{tenths:+.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_bigger_safer_and_legal_more_often_is_said() {
        let bold = Outlook { legal: 0.4, exchange: 3.0, taken: 0.6, ..Outlook::default() };
        let calm = Outlook { legal: 1.0, exchange: -0.01, taken: 0.1, ..Outlook::default() };
        assert_eq!(advantages(&bold, &calm), ["wins more on its square (+3.0 pawns against 0.0)"]);
        assert_eq!(
            advantages(&calm, &bold),
            ["is taken less often (10% against 60%)", "is legal more often (100% against 40%)"]
        );
        assert!(advantages(&calm, &calm).is_empty());
    }
}
