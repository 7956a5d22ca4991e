//! The tries that are sensible now, as the network sees them.

use krieg_core::Promotion;

use super::Encoder;

/// Number of words of a mask: one for each origin, and one for "any?".
pub const MASK_WORDS: usize = 65;

impl Encoder {
    /// The sensible tries: word `from` has a bit for each target, in the orientation of the player,
    /// and the last word has bit 0 if "any?" may be asked.
    ///
    /// The network has one bit for the four promotions of a pawn move. It is set if none of them
    /// was refused in this turn: that one of them is illegal means that all are.
    ///
    /// ```
    /// use krieg_core::{Color, Setup};
    /// use krieg_net::Encoder;
    /// let mask = Encoder::new(Color::White, &Setup::default()).mask();
    /// let (g1, f3, h3) = (6, 21, 23);
    /// assert_eq!(mask[g1], 1 << f3 | 1 << h3);
    /// assert_eq!(mask[64], 0, "the ICC rules have no \"any?\"");
    /// ```
    pub fn mask(&self) -> [u64; MASK_WORDS] {
        let orientation = self.orientation();
        let tries = self.view.tries();
        let mut mask = [0; MASK_WORDS];
        for mv in tries.iter() {
            // Each of the four promotions comes here; the first one decides.
            let is_whole = match mv.promotion {
                None => true,
                Some(Promotion::Knight) => Promotion::ALL.into_iter().all(|promotion| {
                    tries.contains(krieg_core::Move { promotion: Some(promotion), ..mv })
                }),
                Some(_) => false,
            };
            if is_whole {
                mask[orientation.index(mv.from)] |= 1 << orientation.index(mv.to);
            }
        }
        mask[MASK_WORDS - 1] = u64::from(self.view.can_ask_any());
        mask
    }
}
