//! Resampling without duplicates (Fearnhead and Clifford, 2003).

/// Chooses at most `max` of these weights so that every weight is unchanged in expectation. Weights
/// above a threshold are kept; of the others, some are drawn, and each of these gets the threshold
/// as its new weight. `draw` is uniform in 0..1. Returns the indices with their new weights.
#[must_use]
pub fn choose(weights: &[f64], max: usize, draw: f64) -> Vec<(usize, f64)> {
    let threshold = threshold(weights, max);
    let mut chosen = Vec::with_capacity(max.min(weights.len()));
    let Some(threshold) = threshold else {
        return weights.iter().copied().enumerate().filter(|(_, weight)| *weight > 0.0).collect();
    };
    // Light weights are drawn by systematic sampling with the threshold as the distance.
    let mut at = draw * threshold;
    for (index, &weight) in weights.iter().enumerate() {
        if weight >= threshold {
            chosen.push((index, weight));
            continue;
        }
        at -= weight;
        if at < 0.0 {
            chosen.push((index, threshold));
            at += threshold;
        }
    }
    // Rounding errors or many equal weights may add one too many.
    chosen.truncate(max);
    chosen
}

/// The smallest weight that is kept for certain, chosen so that the kept and the drawn weights are
/// `max` in total. `None` if all can be kept.
fn threshold(weights: &[f64], max: usize) -> Option<f64> {
    if weights.iter().filter(|weight| **weight > 0.0).count() <= max {
        return None;
    }
    let mut sorted = weights.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    // Summed from the lightest, so that tiny weights are not lost beside large ones.
    let mut sums = Vec::with_capacity(sorted.len());
    let mut sum = 0.0;
    for weight in &sorted {
        sum += weight;
        sums.push(sum);
    }
    // The heaviest are kept one after the other, until the next one is lighter than the threshold
    // of the rest.
    (0..max)
        .find_map(|kept| {
            let next = sorted.len() - 1 - kept;
            let threshold = sums[next] / (max - kept) as f64;
            (sorted[next] < threshold).then_some(threshold)
        })
        .or_else(|| sorted.get(sorted.len() - max).copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heavy_weights_are_kept_and_the_sum_is_unchanged() {
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
    fn weights_are_unchanged_in_expectation() {
        let weights = [0.4, 0.1, 0.2, 0.25, 0.05];
        let mut sums = [0.0; 5];
        for draw in 0..1_000 {
            for (index, weight) in choose(&weights, 3, (f64::from(draw) + 0.5) / 1_000.0) {
                sums[index] += weight / 1_000.0;
            }
        }
        for (sum, weight) in sums.iter().zip(weights) {
            assert!((sum - weight).abs() < 0.002, "{sums:?}");
        }
    }

    #[test]
    fn the_maximum_is_never_exceeded() {
        let mut weights = vec![1e-20; 10_000];
        weights[500] = 1.0;
        let chosen = choose(&weights, 10, 0.5);
        assert_eq!(chosen.len(), 10);
        assert!(chosen.contains(&(500, 1.0)), "{chosen:?}");
        assert_eq!(choose(&[0.25; 8], 4, 0.3).len(), 4);
    }

    #[test]
    fn few_weights_are_all_kept() {
        assert_eq!(choose(&[0.7, 0.3], 5, 0.5), [(0, 0.7), (1, 0.3)]);
    }
}
