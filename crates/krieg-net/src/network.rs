//! The network: its weights, and the computation of its output.
//!
//! The same input gives the same bits on every machine, because games without a clock must be the
//! same everywhere. So the order of every sum is fixed, every multiply-add rounds once, and no
//! function of the system's library is used. Speed comes from the layout: all operations work on
//! 16 squares side by side (`matrix.rs`), so they need no sums across a vector, and the compiler
//! translates them to the vectors of the processor (`instructions.rs`).

mod arithmetic;
mod evaluation;
mod file;
mod forward;
mod instructions;
mod kernels;
mod matrix;

use std::fmt;
use std::sync::{Arc, LazyLock};

pub use evaluation::Evaluation;
pub use file::NetworkError;
pub use instructions::InstructionSet;

use crate::{Input, SCALARS, SQUARE_PLANES};
use forward::Block;
use matrix::{Layer, SquareMatrix, Weights};

/// Maximum width of a network.
const MAX_WIDTH: usize = 512;
/// Maximum number of layers of a network.
const MAX_LAYERS: usize = 16;

/// The size of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Number of values per square between the layers.
    pub width: usize,
    /// Number of layers.
    pub layers: usize,
    /// Number of attention heads in each layer.
    pub heads: usize,
}

impl Shape {
    /// Whether the kernels can compute a network of this size.
    fn is_supported(self) -> bool {
        let Shape { width, layers, heads } = self;
        (16..=MAX_WIDTH).contains(&width)
            && (1..=MAX_LAYERS).contains(&layers)
            && (1..=width).contains(&heads)
            && width.is_multiple_of(16)
            && width.is_multiple_of(matrix::GROUP * heads)
    }

    /// The number of weights of a network of this size.
    #[must_use]
    pub fn weights(self) -> usize {
        let Shape { width, layers, heads } = self;
        let layer = |inputs: usize, outputs: usize| (inputs + 1) * outputs;
        let input = layer(SQUARE_PLANES, width) + (SCALARS + 64) * width;
        let attention = layer(width, 3 * width) + heads * 64 * 64 + layer(width, width);
        let feed_forward = layer(width, 4 * width) + layer(4 * width, width);
        let squares = layer(width, 7 + 64 + 64 + 4) + 64 * 64;
        let pooled = layer(width, width) + layer(width, 1 + 3 + 1);
        input + layers * (attention + feed_forward + 2 * width) + width + squares + pooled
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "width {}, {} layers, {} heads", self.width, self.layers, self.heads)
    }
}

/// The weights of a network, in the order in which the computation reads them.
#[derive(Debug, Clone)]
pub struct Network {
    shape: Shape,
    planes: Weights,
    input_bias: Vec<f32>,
    scalars: Vec<f32>,
    position: SquareMatrix,
    blocks: Vec<Block>,
    final_norm: Vec<f32>,
    /// Everything that is computed for each square; `forward.rs` names its rows.
    heads: Layer,
    policy_bias: SquareMatrix,
    pool: Vec<f32>,
    pool_bias: Vec<f32>,
    /// Columns: win, draw, loss, "any?".
    outcome: Vec<f32>,
    outcome_bias: [f32; 4],
}

/// Memory that [`Network::evaluate`] reuses from call to call.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    bytes: SquareMatrix,
    stream: SquareMatrix,
    normalized: SquareMatrix,
    qkv: SquareMatrix,
    scores: SquareMatrix,
    attended: SquareMatrix,
    hidden: SquareMatrix,
    squares: SquareMatrix,
    pairs: SquareMatrix,
    right: Weights,
    sums: Vec<f32>,
    pooled: Vec<f32>,
    outcome: [f32; 4],
}

impl Network {
    /// Reads the contents of a file (`learning/NETWORK.md`).
    ///
    /// # Errors
    /// If the bytes are damaged, or are not a network of this version.
    pub fn read(bytes: &[u8]) -> Result<Network, NetworkError> {
        file::read(bytes)
    }

    /// The network that comes with the program. It is read once.
    #[must_use]
    pub fn embedded() -> Arc<Network> {
        static NETWORK: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let network = Network::read(include_bytes!("../weights/learned.net"));
            Arc::new(network.expect("a test reads the embedded network"))
        });
        Arc::clone(&NETWORK)
    }

    /// The size of the network.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Computes the output for this input.
    pub fn evaluate(&self, input: &Input, workspace: &mut Workspace) -> Box<Evaluation> {
        self.evaluate_with(InstructionSet::best(), input, workspace)
    }

    /// The same with chosen instructions, for measurements and tests: the output is the same.
    /// Instructions that the processor does not have are replaced by portable ones.
    pub fn evaluate_with(
        &self,
        instructions: InstructionSet,
        input: &Input,
        workspace: &mut Workspace,
    ) -> Box<Evaluation> {
        instructions::run(instructions, self, input, workspace);
        Evaluation::new(input, workspace)
    }
}
