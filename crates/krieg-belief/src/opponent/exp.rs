//! The exponential function, near enough and many at a time.

/// 2.7 to this power, for powers from -87 to 87, to within a few parts in a million; below, about nothing. Without branches or calls,
/// so that a loop over an array becomes a few instructions for all of it.
#[inline]
pub fn exp(power: f32) -> f32 {
    /// Added and subtracted, this leaves the nearest whole number; and the number itself stands in the last bits of the sum.
    const ROUNDING: f32 = 12_582_912.0;
    let power = power.clamp(-87.0, 87.0) * std::f32::consts::LOG2_E;
    let sum = power + ROUNDING;
    let rest = (power - (sum - ROUNDING)) * std::f32::consts::LN_2;
    let by_rest =
        1.0 + rest * (1.0 + rest * (0.5 + rest * (1.0 / 6.0 + rest * (1.0 / 24.0 + rest / 120.0))));
    // The exponent of a number with a point is stored with 127 added.
    by_rest * f32::from_bits(sum.to_bits().wrapping_add(127) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_exponential_function() {
        for tenth in -800..=800 {
            let power = tenth as f32 / 10.0 + 0.013;
            let (near, exact) = (exp(power), power.exp());
            assert!((near / exact - 1.0).abs() < 1e-5, "{power}: {near} {exact}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(-1_000.0) < 1e-37 && exp(f32::NEG_INFINITY) >= 0.0);
    }
}
