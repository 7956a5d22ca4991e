//! Choosing a few out of many by weight, none of them twice.

/// Chooses at most `most` of these weights so that on the average nothing changes: whoever weighs enough is kept as he is; of the others, some are drawn,
/// and weigh_moves the same from then on (Fearnhead and Clifford, 2003). `draw` gives a number from 0 to 1. Returns who is kept, with the new weight.
pub fn choose(weights: &[f64], most: usize, draw: f64) -> Vec<(usize, f64)> {
    let heavy = threshold(weights, most);
    let mut chosen = Vec::with_capacity(most.min(weights.len()));
    let Some(heavy) = heavy else {
        return weights.iter().copied().enumerate().filter(|(_, weight)| *weight > 0.0).collect();
    };
    // Light ones are drawn at equal distances of one threshold.
    let mut at = draw * heavy;
    for (number, &weight) in weights.iter().enumerate() {
        if weight >= heavy {
            chosen.push((number, weight));
            continue;
        }
        at -= weight;
        if at < 0.0 {
            chosen.push((number, heavy));
            at += heavy;
        }
    }
    // Rounding, or many of the very same weight, may bring in one too many.
    chosen.truncate(most);
    chosen
}

/// The weight above which everybody is kept, so that with the others drawn by weight there are `most`; none, if all can stay.
fn threshold(weights: &[f64], most: usize) -> Option<f64> {
    if weights.iter().filter(|weight| **weight > 0.0).count() <= most {
        return None;
    }
    let mut sorted = weights.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    // Added up from the lightest, so that what weighs next to nothing is not lost beside what is heavy.
    let mut sums = Vec::with_capacity(sorted.len());
    let mut sum = 0.0;
    for weight in &sorted {
        sum += weight;
        sums.push(sum);
    }
    // The heaviest are kept one after the other, until the next is no heavier than what the others would be given.
    (0..most)
        .find_map(|kept| {
            let next = sorted.len() - 1 - kept;
            let heavy = sums[next] / (most - kept) as f64;
            (sorted[next] < heavy).then_some(heavy)
        })
        .or_else(|| sorted.get(sorted.len() - most).copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_weighs_much_stays_and_the_sum_is_the_same() {
        let weights = [0.5, 0.3, 0.05, 0.05, 0.05, 0.05];
        for draw in [0.0, 0.3, 0.6, 0.99] {
            let chosen = choose(&weights, 4, draw);
            assert_eq!(chosen.len(), 4, "{chosen:?}");
            assert_eq!(chosen[..2], [(0, 0.5), (1, 0.3)]);
            let sum: f64 = chosen.iter().map(|(_, weight)| weight).sum();
            assert!((sum - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn everybody_is_drawn_as_often_as_he_weighs() {
        let weights = [0.4, 0.1, 0.2, 0.25, 0.05];
        let mut sums = [0.0; 5];
        for draw in 0..1_000 {
            for (number, weight) in choose(&weights, 3, (f64::from(draw) + 0.5) / 1_000.0) {
                sums[number] += weight / 1_000.0;
            }
        }
        for (sum, weight) in sums.iter().zip(weights) {
            assert!((sum - weight).abs() < 0.002, "{sums:?}");
        }
    }

    #[test]
    fn there_are_never_more_than_there_is_room_for() {
        let mut weights = vec![1e-20; 10_000];
        weights[500] = 1.0;
        let chosen = choose(&weights, 10, 0.5);
        assert_eq!(chosen.len(), 10);
        assert!(chosen.contains(&(500, 1.0)), "{chosen:?}");
        assert_eq!(choose(&[0.25; 8], 4, 0.3).len(), 4);
    }

    #[test]
    fn few_all_stay() {
        assert_eq!(choose(&[0.7, 0.3], 5, 0.5), [(0, 0.7), (1, 0.3)]);
    }
}
