//! The computation of the output, layer by layer (`learning/NETWORK.md`).

use super::arithmetic::FusedMultiplyAdd;
use super::kernels::{Finish, add_product, means, normalize, product, softmax};
use super::matrix::{GROUP, LANES, Layer, SquareMatrix, Weights};
use super::{Network, Workspace};
use crate::{Input, SQUARE_PLANES};

/// The rows of the output on squares: where a try begins, where it ends, promotions, contents.
pub(crate) const ORIGINS: usize = 0;
pub(crate) const TARGETS: usize = 64;
pub(crate) const PROMOTIONS: usize = 128;
pub(crate) const CONTENTS: usize = 132;

/// The weights of one layer of attention and one of a feed-forward network.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    pub attention_norm: Vec<f32>,
    /// Queries, keys and values.
    pub qkv: Layer,
    /// For each head, a row for each square that is attended to.
    pub pair_bias: Vec<SquareMatrix>,
    pub out: Layer,
    pub feed_forward_norm: Vec<f32>,
    pub hidden: Layer,
    pub back: Layer,
}

impl Workspace {
    /// Gives the matrices the sizes of this network.
    fn resize(&mut self, network: &Network) {
        let width = network.shape.width;
        self.bytes.resize(SQUARE_PLANES);
        self.stream.resize(width);
        self.normalized.resize(width);
        self.qkv.resize(3 * width);
        self.scores.resize(64);
        self.attended.resize(width);
        self.hidden.resize(4 * width);
        self.squares.resize(network.heads.bias.len());
        self.pairs.resize(64);
        self.sums.resize(width, 0.0);
        self.pooled.resize(width, 0.0);
    }
}

/// Computes the logits of all heads in the workspace. `WIDE` is as in [`product`].
#[inline(always)]
pub(crate) fn forward<F: FusedMultiplyAdd, const WIDE: usize>(
    network: &Network,
    input: &Input,
    workspace: &mut Workspace,
) {
    workspace.resize(network);
    embed::<F, WIDE>(network, input, workspace);
    for block in &network.blocks {
        attend::<F, WIDE>(block, network.shape.heads, workspace);
        let Workspace { stream, normalized, hidden, .. } = workspace;
        normalize(stream, &block.feed_forward_norm, normalized);
        dense::<F, WIDE>(
            &block.hidden,
            normalized,
            Finish::SquaredRelu(&block.hidden.bias),
            hidden,
        );
        dense::<F, WIDE>(&block.back, hidden, Finish::Residual(&block.back.bias), stream);
    }
    let Workspace { stream, normalized, squares, pairs, right, sums, pooled, .. } = workspace;
    normalize(stream, &network.final_norm, normalized);
    dense::<F, WIDE>(&network.heads, normalized, Finish::Bias(&network.heads.bias), squares);
    // The factor 1/8 is exact, so it makes no difference which side it belongs to.
    pack_columns(squares, ORIGINS..ORIGINS + 64, 1.0 / 8.0, right);
    let offset = Finish::Offset(&network.policy_bias);
    product::<F, WIDE>(right, (squares, TARGETS..TARGETS + 64), offset, (pairs, 0));
    means(normalized, sums);
    pooled.copy_from_slice(&network.pool_bias);
    add_product::<F>(sums, &network.pool, pooled);
    for number in pooled.iter_mut() {
        *number = if *number > 0.0 { *number } else { 0.0 };
    }
    workspace.outcome = network.outcome_bias;
    add_product::<F>(&workspace.pooled, &network.outcome, &mut workspace.outcome);
}

/// The product of a layer's weights with a whole matrix.
#[inline(always)]
fn dense<F: FusedMultiplyAdd, const WIDE: usize>(
    layer: &Layer,
    input: &SquareMatrix,
    finish: Finish<'_>,
    output: &mut SquareMatrix,
) {
    product::<F, WIDE>(&layer.weights, (input, 0..input.rows), finish, (output, 0));
}

/// The first matrix: the bytes of each square, the scalars, and a vector for each square.
#[inline(always)]
fn embed<F: FusedMultiplyAdd, const WIDE: usize>(
    network: &Network,
    input: &Input,
    workspace: &mut Workspace,
) {
    let Workspace { bytes, stream, sums, .. } = workspace;
    for (square, planes) in input.planes.iter().enumerate() {
        for (plane, &byte) in planes.iter().enumerate() {
            bytes.set(plane, square, f32::from(byte) / 255.0);
        }
    }
    sums.copy_from_slice(&network.input_bias);
    let scalars = input.scalars.map(|byte| f32::from(byte) / 255.0);
    add_product::<F>(&scalars, &network.scalars, sums);
    stream.lanes.copy_from_slice(&network.position.lanes);
    product::<F, WIDE>(
        &network.planes,
        (bytes, 0..SQUARE_PLANES),
        Finish::Residual(sums),
        (stream, 0),
    );
}

/// Attention between the squares, added to the stream.
#[inline(always)]
fn attend<F: FusedMultiplyAdd, const WIDE: usize>(
    block: &Block,
    heads: usize,
    workspace: &mut Workspace,
) {
    let Workspace { stream, normalized, qkv, scores, attended, right, .. } = workspace;
    normalize(stream, &block.attention_norm, normalized);
    dense::<F, WIDE>(&block.qkv, normalized, Finish::Bias(&block.qkv.bias), qkv);
    let width = stream.rows;
    let size = width / heads;
    let scale = 1.0 / (size as f32).sqrt();
    for (head, pair_bias) in block.pair_bias.iter().enumerate() {
        let first = head * size;
        pack_columns(qkv, width + first..width + first + size, scale, right);
        let offset = Finish::Offset(pair_bias);
        product::<F, WIDE>(right, (qkv, first..first + size), offset, (scores, 0));
        softmax(scores);
        pack_rows(qkv, 2 * width + first..2 * width + first + size, right);
        product::<F, WIDE>(right, (scores, 0..64), Finish::Bias(&ZEROS), (attended, first));
    }
    dense::<F, WIDE>(&block.out, attended, Finish::Residual(&block.out.bias), stream);
}

/// No bias, for the rows of one head.
const ZEROS: [f32; super::MAX_WIDTH] = [0.0; super::MAX_WIDTH];

/// The weights with an input for each of these rows and an output for each square.
#[inline(always)]
fn pack_columns(
    matrix: &SquareMatrix,
    rows: std::ops::Range<usize>,
    scale: f32,
    weights: &mut Weights,
) {
    weights.inputs = rows.len();
    weights.groups.clear();
    for first in (0..64).step_by(GROUP) {
        let lanes = matrix.panel(first / LANES, rows.clone());
        weights.groups.extend(lanes.iter().map(|lanes| -> [f32; GROUP] {
            std::array::from_fn(|at| lanes.0[first % LANES + at] * scale)
        }));
    }
}

/// The weights with an input for each square and an output for each of these rows.
#[inline(always)]
fn pack_rows(matrix: &SquareMatrix, rows: std::ops::Range<usize>, weights: &mut Weights) {
    weights.inputs = 64;
    weights.groups.clear();
    for first in rows.step_by(GROUP) {
        for square in 0..64 {
            weights.groups.push(std::array::from_fn(|at| matrix.get(first + at, square)));
        }
    }
}
