//! How evidence fades with its age.

/// Ages are counted up to this.
pub const MAX_AGE: usize = 255;

/// The byte that halves about every two moves, by age.
pub const FAST: [u8; MAX_AGE + 1] = {
    let mut table = [0; MAX_AGE + 1];
    let mut value: u32 = 255;
    let mut age = 0;
    while age <= MAX_AGE {
        table[age] = value as u8;
        value = value * 2 / 3;
        age += 1;
    }
    table
};

/// The byte that halves about every fourteen moves, by age.
pub const SLOW: [u8; MAX_AGE + 1] = {
    let mut table = [0; MAX_AGE + 1];
    let mut value: u32 = 65_280;
    let mut age = 0;
    while age <= MAX_AGE {
        table[age] = (value / 256) as u8;
        value = value * 61 / 64;
        age += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_fades_by_a_third_and_by_three_of_sixty_four() {
        assert_eq!(FAST[..5], [255, 170, 113, 75, 50]);
        // 65280, 62220, 59303, 56523: divided by 256.
        assert_eq!(SLOW[..4], [255, 243, 231, 220]);
    }

    #[test]
    fn oldest_evidence_looks_like_none() {
        assert_eq!((FAST[MAX_AGE], SLOW[MAX_AGE]), (0, 0));
    }
}
