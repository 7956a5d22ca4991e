//! A fast approximation of the exponential function.

/// The exponential function for exponents from -87 to 87, to within a few parts in a million;
/// below, practically 0.
///
/// It has no branches and no calls, so a loop over an array is vectorised.
#[inline]
pub fn exp(exponent: f32) -> f32 {
    /// 1.5 · 2^23: adding and subtracting it rounds to the nearest integer, and the low bits of the
    /// sum are that integer.
    const ROUNDING: f32 = 12_582_912.0;
    let exponent = exponent.clamp(-87.0, 87.0) * std::f32::consts::LOG2_E;
    let sum = exponent + ROUNDING;
    let rest = (exponent - (sum - ROUNDING)) * std::f32::consts::LN_2;
    // The Taylor series of the exponential function at 0, by Horner's method.
    let of_rest =
        1.0 + rest * (1.0 + rest * (0.5 + rest * (1.0 / 6.0 + rest * (1.0 / 24.0 + rest / 120.0))));
    // The exponent of a floating-point number is stored with a bias of 127.
    of_rest * f32::from_bits(sum.to_bits().wrapping_add(127) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_error_is_small() {
        for tenth in -800..=800 {
            let exponent = tenth as f32 / 10.0 + 0.013;
            let (approximate, exact) = (exp(exponent), exponent.exp());
            assert!((approximate / exact - 1.0).abs() < 1e-5, "{exponent}: {approximate} {exact}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(-1_000.0) < 1e-37 && exp(f32::NEG_INFINITY) >= 0.0);
    }
}
