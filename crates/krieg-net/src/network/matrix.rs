//! Matrices in the order in which the kernels read them.

use std::ops::Range;

/// Number of squares that the kernels process together.
pub(crate) const LANES: usize = 16;
/// Number of groups of [`LANES`] squares.
pub(crate) const PANELS: usize = 64 / LANES;
/// Number of outputs that the kernels compute together.
pub(crate) const GROUP: usize = 4;

/// One number for each of 16 squares.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Lanes(pub [f32; LANES]);

/// A matrix with one column for each square.
///
/// The squares are divided into panels of 16, and the rows of one panel lie one after the other.
/// Every operation of the network is then the same for 16 squares side by side, and no sum ever
/// runs across the lanes of a vector: its order does not depend on the width of the processor's
/// vectors.
#[derive(Debug, Clone, Default)]
pub(crate) struct SquareMatrix {
    pub lanes: Vec<Lanes>,
    pub rows: usize,
}

impl SquareMatrix {
    /// A matrix of zeros.
    pub fn new(rows: usize) -> Self {
        SquareMatrix { lanes: vec![Lanes::default(); rows * PANELS], rows }
    }

    /// A matrix with the given number in each row of each square.
    pub fn from_fn(rows: usize, number: impl Fn(usize, usize) -> f32) -> Self {
        let mut matrix = SquareMatrix::new(rows);
        for row in 0..rows {
            for square in 0..64 {
                matrix.set(row, square, number(row, square));
            }
        }
        matrix
    }

    /// Gives the matrix this number of rows.
    pub fn resize(&mut self, rows: usize) {
        self.rows = rows;
        self.lanes.resize(rows * PANELS, Lanes::default());
    }

    #[inline(always)]
    pub fn get(&self, row: usize, square: usize) -> f32 {
        self.lanes[square / LANES * self.rows + row].0[square % LANES]
    }

    #[inline(always)]
    pub fn set(&mut self, row: usize, square: usize, number: f32) {
        self.lanes[square / LANES * self.rows + row].0[square % LANES] = number;
    }

    /// These rows of one panel.
    #[inline(always)]
    pub fn panel(&self, panel: usize, rows: Range<usize>) -> &[Lanes] {
        &self.lanes[panel * self.rows..][rows]
    }

    /// All rows of one panel.
    #[inline(always)]
    pub fn panel_mut(&mut self, panel: usize) -> &mut [Lanes] {
        &mut self.lanes[panel * self.rows..][..self.rows]
    }
}

/// The weights of a product, four outputs side by side.
#[derive(Debug, Clone, Default)]
pub(crate) struct Weights {
    /// For each group of four outputs, the four weights of each input.
    pub groups: Vec<[f32; GROUP]>,
    /// Number of inputs.
    pub inputs: usize,
}

impl Weights {
    /// The weights `weight(input, output)`; the last group is filled up with zeros.
    pub fn from_fn(inputs: usize, outputs: usize, weight: impl Fn(usize, usize) -> f32) -> Self {
        let mut groups = Vec::with_capacity(outputs.div_ceil(GROUP) * inputs);
        for first in (0..outputs).step_by(GROUP) {
            for input in 0..inputs {
                groups.push(std::array::from_fn(|at| {
                    if first + at < outputs { weight(input, first + at) } else { 0.0 }
                }));
            }
        }
        Weights { groups, inputs }
    }
}

/// A product and the numbers that are added to it.
#[derive(Debug, Clone)]
pub(crate) struct Layer {
    pub weights: Weights,
    /// As many as outputs, filled up to groups.
    pub bias: Vec<f32>,
}

impl Layer {
    /// The layer with a matrix of `inputs` rows in the order of the file.
    pub fn new(weights: &[f32], bias: &[f32]) -> Self {
        let outputs = bias.len();
        let inputs = weights.len() / outputs;
        Layer::from_columns(inputs, &[(weights, bias)])
    }

    /// Several layers with the same inputs, their outputs one after the other.
    pub fn from_columns(inputs: usize, parts: &[(&[f32], &[f32])]) -> Self {
        let mut bias = Vec::new();
        let mut columns = Vec::new();
        for (weights, part) in parts {
            for column in 0..part.len() {
                columns.push((*weights, part.len(), column));
            }
            bias.extend_from_slice(part);
        }
        let weights = Weights::from_fn(inputs, columns.len(), |input, output| {
            let (weights, width, column) = columns[output];
            weights[input * width + column]
        });
        bias.resize(bias.len().next_multiple_of(GROUP), 0.0);
        Layer { weights, bias }
    }
}
