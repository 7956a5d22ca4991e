//! The choice of instructions for the computation, at run time.
//!
//! The same source is compiled several times, with the instructions of several generations of
//! processors. The result is the same, bit for bit. Only the number of squares that are processed
//! together differs, and no sum runs across squares.

use std::fmt;

use super::arithmetic::Emulated;
use super::forward::forward;
use super::{Network, Workspace};
use crate::Input;

/// Instructions that the computation can use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum InstructionSet {
    /// What every processor has. Fused multiply-add is emulated, which is correct but slow.
    Portable,
    /// ARM processors of 64 bits: vectors of 128 bits with fused multiply-add.
    Neon,
    /// x86 processors since about 2013: vectors of 256 bits with fused multiply-add.
    Avx2,
    /// Some x86 processors: vectors of 512 bits.
    Avx512,
}

impl InstructionSet {
    /// All of them, the fastest last.
    pub const ALL: [InstructionSet; 4] = [Self::Portable, Self::Neon, Self::Avx2, Self::Avx512];

    /// The fastest that this processor has.
    #[must_use]
    pub fn best() -> Self {
        let available = Self::ALL.into_iter().rev().find(|set| set.is_available());
        available.unwrap_or(Self::Portable)
    }

    /// Whether this processor has these instructions.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            Self::Neon => cfg!(target_arch = "aarch64"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => is_x86_feature_detected!("avx512f") && Self::Avx2.is_available(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }
}

impl fmt::Display for InstructionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Portable => "portable",
            Self::Neon => "neon",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        })
    }
}

/// Computes the logits with these instructions, or with [`InstructionSet::Portable`] if the
/// processor does not have them.
///
/// Calling a function that was compiled for other instructions than the caller is `unsafe`, because
/// a processor without them would do anything. It is the only unsafe code here.
#[allow(unsafe_code)]
pub(crate) fn run(
    set: InstructionSet,
    network: &Network,
    input: &Input,
    workspace: &mut Workspace,
) {
    if !set.is_available() {
        return portable(network, input, workspace);
    }
    match set {
        InstructionSet::Portable => portable(network, input, workspace),
        #[cfg(target_arch = "aarch64")]
        InstructionSet::Neon => neon(network, input, workspace),
        // SAFETY: the processor has the instructions, as was tested above.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx2 => unsafe { avx2(network, input, workspace) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        InstructionSet::Avx512 => unsafe { avx512(network, input, workspace) },
        _ => portable(network, input, workspace),
    }
}

fn portable(network: &Network, input: &Input, workspace: &mut Workspace) {
    forward::<Emulated, 1>(network, input, workspace);
}

#[cfg(target_arch = "aarch64")]
fn neon(network: &Network, input: &Input, workspace: &mut Workspace) {
    forward::<super::arithmetic::Hardware, 1>(network, input, workspace);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2(network: &Network, input: &Input, workspace: &mut Workspace) {
    forward::<super::arithmetic::Hardware, 1>(network, input, workspace);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
fn avx512(network: &Network, input: &Input, workspace: &mut Workspace) {
    forward::<super::arithmetic::Hardware, 2>(network, input, workspace);
}
