//! The inner loops: products, normalization and softmax of 16 squares at a time.
//!
//! Everything here is `inline(always)`, so that it is compiled with the instructions of the
//! function that it ends up in (`instructions.rs`).

use std::ops::Range;
use std::slice;

use super::arithmetic::{FusedMultiplyAdd, each, exp_all, zip};
use super::matrix::{GROUP, LANES, Lanes, PANELS, SquareMatrix, Weights};

/// What happens to the result of a product.
#[derive(Clone, Copy)]
pub(crate) enum Finish<'a> {
    /// Adds a bias.
    Bias(&'a [f32]),
    /// Adds a bias, and the result to what is there.
    Residual(&'a [f32]),
    /// Adds a bias; negative numbers become 0, others their square.
    SquaredRelu(&'a [f32]),
    /// Adds a matrix of the same size.
    Offset(&'a SquareMatrix),
}

/// Writes the product of `weights` and some rows of `input` into `output`, from its row `first` on.
///
/// Each number is a sum over the inputs in their order. `WIDE` panels, one or two, are processed
/// together: as many as the registers can store.
#[inline(always)]
pub(crate) fn product<F: FusedMultiplyAdd, const WIDE: usize>(
    weights: &Weights,
    (input, rows): (&SquareMatrix, Range<usize>),
    finish: Finish<'_>,
    (output, first): (&mut SquareMatrix, usize),
) {
    for (group, weights) in weights.groups.chunks_exact(weights.inputs).enumerate() {
        for panel in (0..PANELS).step_by(WIDE) {
            let inputs = std::array::from_fn(|at| input.panel(panel + at, rows.clone()));
            let sums: [_; WIDE] = tile::<F, WIDE>(weights, inputs);
            for (at, sums) in sums.iter().enumerate() {
                let range = first + group * GROUP..first + (group + 1) * GROUP;
                let target = &mut output.panel_mut(panel + at)[range];
                finish_tile(sums, finish, (panel + at, group * GROUP), target);
            }
        }
    }
}

/// Four outputs for one or two panels.
///
/// The sums stay in registers. For that they are two variables: the compiler would keep an array
/// with one more dimension in memory, which takes ten times as long.
#[inline(always)]
fn tile<F: FusedMultiplyAdd, const WIDE: usize>(
    weights: &[[f32; GROUP]],
    inputs: [&[Lanes]; WIDE],
) -> [[Lanes; GROUP]; WIDE] {
    const { assert!(WIDE == 1 || WIDE == 2) };
    let inputs = inputs.map(|input| &input[..weights.len()]);
    let mut first = [Lanes::default(); GROUP];
    let mut second = [Lanes::default(); GROUP];
    for (k, weights) in weights.iter().enumerate() {
        add_row::<F>(weights, &inputs[0][k], &mut first);
        if WIDE == 2 {
            add_row::<F>(weights, &inputs[1][k], &mut second);
        }
    }
    std::array::from_fn(|at| if at == 0 { first } else { second })
}

/// Adds the products of one input with its weights.
#[inline(always)]
fn add_row<F: FusedMultiplyAdd>(weights: &[f32; GROUP], input: &Lanes, sums: &mut [Lanes; GROUP]) {
    // The copy of whole lanes tells the compiler that they are aligned. It then loads them in one
    // piece, which made AVX2 a tenth faster.
    let mut aligned = [Lanes::default()];
    aligned.copy_from_slice(slice::from_ref(input));
    let [aligned] = aligned;
    for (sum, &weight) in sums.iter_mut().zip(weights) {
        for (sum, &number) in sum.0.iter_mut().zip(&aligned.0) {
            *sum = F::fused(weight, number, *sum);
        }
    }
}

#[inline(always)]
fn finish_tile(
    sums: &[Lanes; GROUP],
    finish: Finish<'_>,
    (panel, row): (usize, usize),
    target: &mut [Lanes],
) {
    for (at, (sum, target)) in sums.iter().zip(target).enumerate() {
        let row = row + at;
        target.0 = match finish {
            Finish::Bias(bias) => each(sum.0, |sum| sum + bias[row]),
            Finish::Residual(bias) => zip(target.0, sum.0, |old, sum| old + (sum + bias[row])),
            Finish::SquaredRelu(bias) => each(sum.0, |sum| {
                let number = sum + bias[row];
                let positive = if number > 0.0 { number } else { 0.0 };
                positive * positive
            }),
            Finish::Offset(offset) => {
                zip(sum.0, offset.panel(panel, row..row + 1)[0].0, |sum, offset| sum + offset)
            }
        };
    }
}

/// Divides each column by its root mean square, and multiplies each row by its weight.
#[inline(always)]
pub(crate) fn normalize(input: &SquareMatrix, weights: &[f32], output: &mut SquareMatrix) {
    let rows = input.rows;
    for panel in 0..PANELS {
        let input = input.panel(panel, 0..rows);
        let mut sum = Lanes::default();
        for row in input {
            for lane in 0..LANES {
                sum.0[lane] += row.0[lane] * row.0[lane];
            }
        }
        let mut factor = Lanes::default();
        for lane in 0..LANES {
            factor.0[lane] = 1.0 / (sum.0[lane] / rows as f32 + 1e-5).sqrt();
        }
        for ((output, input), &weight) in output.panel_mut(panel).iter_mut().zip(input).zip(weights)
        {
            for lane in 0..LANES {
                output.0[lane] = input.0[lane] * factor.0[lane] * weight;
            }
        }
    }
}

/// Replaces each column by its softmax.
#[inline(always)]
pub(crate) fn softmax(matrix: &mut SquareMatrix) {
    for panel in 0..PANELS {
        let rows = matrix.panel_mut(panel);
        let mut max = rows[0];
        for row in rows.iter() {
            for lane in 0..LANES {
                max.0[lane] = if row.0[lane] > max.0[lane] { row.0[lane] } else { max.0[lane] };
            }
        }
        let mut sum = Lanes::default();
        for row in rows.iter_mut() {
            for lane in 0..LANES {
                row.0[lane] -= max.0[lane];
            }
            row.0 = exp_all(row.0);
            for lane in 0..LANES {
                sum.0[lane] += row.0[lane];
            }
        }
        for lane in 0..LANES {
            sum.0[lane] = 1.0 / sum.0[lane];
        }
        for row in rows.iter_mut() {
            for lane in 0..LANES {
                row.0[lane] *= sum.0[lane];
            }
        }
    }
}

/// Adds the product of a vector and a matrix in the order of the file to `sums`.
#[inline(always)]
pub(crate) fn add_product<F: FusedMultiplyAdd>(vector: &[f32], matrix: &[f32], sums: &mut [f32]) {
    for (&number, row) in vector.iter().zip(matrix.chunks_exact(sums.len())) {
        for (sum, &weight) in sums.iter_mut().zip(row) {
            *sum = F::fused(number, weight, *sum);
        }
    }
}

/// The mean of each row over the squares.
#[inline(always)]
pub(crate) fn means(matrix: &SquareMatrix, means: &mut [f32]) {
    for (row, mean) in means.iter_mut().enumerate() {
        let mut sum = [0.0; LANES];
        for panel in 0..PANELS {
            for (sum, &number) in sum.iter_mut().zip(&matrix.panel(panel, row..row + 1)[0].0) {
                *sum += number;
            }
        }
        // Halves are added, which is an order that suits vectors of any width.
        let mut width = LANES;
        while width > 1 {
            width /= 2;
            for lane in 0..width {
                sum[lane] += sum[lane + width];
            }
        }
        *mean = sum[0] / 64.0;
    }
}
