//! Fused multiply-add and the exponential function, with the same bits on every machine.

/// One multiply-add with one rounding, `a * b + c`.
///
/// Both implementations give the same bits. [`Hardware`] is one instruction on processors that have
/// it; [`Emulated`] is for the others.
pub(crate) trait FusedMultiplyAdd {
    /// `a * b + c`, rounded once.
    fn fused(a: f32, b: f32, c: f32) -> f32;
}

/// The instruction of the processor.
pub(crate) struct Hardware;

impl FusedMultiplyAdd for Hardware {
    #[inline(always)]
    fn fused(a: f32, b: f32, c: f32) -> f32 {
        a.mul_add(b, c)
    }
}

/// The same without the instruction, by double precision.
///
/// The product of two numbers of 24 bits is exact in 53 bits. The sum may be rounded; its last bit
/// is then set ("round to odd"), so that the conversion to 24 bits rounds as if the sum were exact
/// (S. Boldo, G. Melquiond: Emulation of FMA and correctly rounded sums: proved algorithms using
/// rounding to odd, 2008). Numbers must be finite.
pub(crate) struct Emulated;

impl FusedMultiplyAdd for Emulated {
    #[inline(always)]
    fn fused(a: f32, b: f32, c: f32) -> f32 {
        let product = f64::from(a) * f64::from(b);
        let c = f64::from(c);
        let sum = product + c;
        // The rounding error of the sum, exactly (Knuth's two-sum).
        let other = sum - product;
        let error = (product - (sum - other)) + (c - other);
        let bits = sum.to_bits();
        // Towards zero if the error has the other sign, then the last bit is set.
        let toward_zero = u64::from((error > 0.0) != (sum > 0.0));
        let odd = (bits - toward_zero) | 1;
        f64::from_bits(if error == 0.0 { bits } else { odd }) as f32
    }
}

/// Logarithm of 2, its first part with so few bits that its product with an exponent is exact.
const LN_2_HIGH: f32 = 0.693_359_4;
/// The rest of the logarithm of 2.
const LN_2_LOW: f32 = -2.121_944_4e-4;
/// Adding this number rounds to an integer, which then stands in the last bits.
const ROUND: f32 = 12_582_912.0;
/// From this exponent down the result is 0. In a softmax it makes no difference, and it keeps out
/// subnormal numbers, which are slow.
const MIN_EXPONENT: f32 = -60.0;

/// `e` to the power of `x`, for `x` up to 0; 0 from −60 down. The relative error is below 2⁻²².
///
/// It uses only additions and multiplications in a fixed order, which have the same bits
/// everywhere; the `exp` of the system's library differs between systems.
pub(crate) fn exp(x: f32) -> f32 {
    let [power] = exp_all([x]);
    power
}

/// [`exp`] of several numbers. Every step is a loop of its own, which the compiler turns into
/// operations on vectors.
#[inline(always)]
pub(crate) fn exp_all<const N: usize>(x: [f32; N]) -> [f32; N] {
    let clamped = each(x, |x| if x > MIN_EXPONENT { x } else { MIN_EXPONENT });
    let rounded = each(clamped, |x| x * std::f32::consts::LOG2_E + ROUND);
    let exponent = each(rounded, |x| x - ROUND);
    let rest = zip(clamped, exponent, |x, n| (x - n * LN_2_HIGH) - n * LN_2_LOW);
    // The Taylor series; |rest| is at most half of the logarithm of 2.
    let mut sum = [1.0 / 5040.0; N];
    for coefficient in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = zip(sum, rest, |sum, rest| sum * rest + coefficient);
    }
    let power = each(rounded, |x| f32::from_bits((x.to_bits() << 23).wrapping_add(127 << 23)));
    let product = zip(sum, power, |sum, power| sum * power);
    zip(product, x, |product, x| if x > MIN_EXPONENT { product } else { 0.0 })
}

#[inline(always)]
pub(crate) fn each<const N: usize>(mut x: [f32; N], function: impl Fn(f32) -> f32) -> [f32; N] {
    for x in &mut x {
        *x = function(*x);
    }
    x
}

#[inline(always)]
pub(crate) fn zip<const N: usize>(
    mut x: [f32; N],
    y: [f32; N],
    function: impl Fn(f32, f32) -> f32,
) -> [f32; N] {
    for (x, y) in x.iter_mut().zip(y) {
        *x = function(*x, y);
    }
    x
}

#[cfg(test)]
mod tests {
    use krieg_testing::cases;
    use proptest::prelude::*;

    use super::{Emulated, FusedMultiplyAdd, exp};

    /// Numbers of all sizes whose products and sums are neither infinite nor subnormal.
    fn number() -> impl Strategy<Value = f32> {
        (any::<u32>(), 90_u32..164)
            .prop_map(|(bits, exponent)| f32::from_bits(bits & 0x807f_ffff | exponent << 23))
    }

    proptest! {
        #![proptest_config(cases(20_000))]

        #[test]
        fn emulated_multiply_add_equals_the_instruction(
            a in number(),
            b in number(),
            c in number(),
        ) {
            prop_assert_eq!(Emulated::fused(a, b, c).to_bits(), a.mul_add(b, c).to_bits());
        }

        /// Sums that almost cancel, and sums where one part is just around half of the last bit.
        #[test]
        fn emulated_multiply_add_rounds_once(a in number(), b in number(), part in -26..=26) {
            for factor in [1.0, -1.0, 1.0 + f32::EPSILON, -1.0 + f32::EPSILON] {
                let c = a * b * factor * 2_f32.powi(part);
                prop_assert_eq!(Emulated::fused(a, b, c).to_bits(), a.mul_add(b, c).to_bits());
            }
        }
    }

    #[test]
    fn sum_is_not_rounded_twice() {
        // The product is 2^-24 - 2^-64, so the sum is just below the middle of two numbers. Double
        // precision rounds it to the middle, and a second rounding would choose the wrong number.
        let (a, b) = (1.0 + 2_f32.powi(-20), (1.0 - 2_f32.powi(-20)) * 2_f32.powi(-24));
        let c = 1.0 + 2_f32.powi(-23);
        assert_eq!(Emulated::fused(a, b, c), c);
        assert_ne!((f64::from(a) * f64::from(b) + f64::from(c)) as f32, c);
    }

    #[test]
    fn exponential_function_is_accurate() {
        for step in 0..60_000 {
            let x = step as f32 / -1000.0;
            let expected = f64::from(x).exp();
            let error = (f64::from(exp(x)) - expected).abs() / expected;
            assert!(error < 2_f64.powi(-22), "exp({x}) has the relative error {error:e}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(-60.0), 0.0);
        assert_eq!(exp(f32::MIN), 0.0);
    }
}
