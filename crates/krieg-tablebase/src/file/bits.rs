//! Numbers of a few bits, one after the other.

/// Writes numbers of a few bits each, the lowest bit first.
#[derive(Debug, Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    held: u32,
}

impl BitWriter {
    /// Appends the lowest `bits` bits of a number, at most 32 of them.
    pub fn put(&mut self, number: u64, bits: u32) {
        debug_assert!(bits <= 32 && number >> bits == 0);
        self.pending |= number << self.held;
        self.held += bits;
        while self.held >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.held -= 8;
        }
    }

    /// Appends a number from 1 on, small ones in few bits: as many noughts as it has bits beyond the first, a one, and those bits.
    pub fn put_count(&mut self, number: u32) {
        debug_assert!(number > 0);
        let bits = number.ilog2();
        self.put(1 << bits, bits + 1);
        self.put(u64::from(number) & ((1 << bits) - 1), bits);
    }

    /// The bytes; what is left of the last one is nought.
    pub fn finish(mut self) -> Vec<u8> {
        if self.held > 0 {
            self.bytes.push(self.pending as u8);
        }
        self.bytes
    }
}

/// Reads what a [`BitWriter`] wrote. Behind the end there are noughts without end.
#[derive(Debug, Clone)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    /// In bits.
    at: usize,
}

impl<'a> BitReader<'a> {
    /// From the first bit on.
    pub fn new(bytes: &'a [u8]) -> Self {
        BitReader { bytes, at: 0 }
    }

    /// The next 57 bits at least, without going on.
    #[inline]
    pub fn peek(&self) -> u64 {
        let start = self.at / 8;
        let word = match self.bytes.get(start..start + 8) {
            Some(eight) => u64::from_le_bytes(eight.try_into().unwrap_or_default()),
            None => {
                let rest = self.bytes.get(start..).unwrap_or_default();
                rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
            }
        };
        word >> (self.at % 8)
    }

    /// Goes on by so many bits.
    #[inline]
    pub fn skip(&mut self, bits: u32) {
        self.at += bits as usize;
    }

    /// Goes on by so many numbers of so many bits each.
    pub fn skip_many(&mut self, numbers: u32, bits: u32) {
        self.at += numbers as usize * bits as usize;
    }

    /// The next number of so many bits, at most 32.
    #[inline]
    pub fn take(&mut self, bits: u32) -> u64 {
        let number = self.peek() & ((1 << bits) - 1);
        self.skip(bits);
        number
    }

    /// The next number written by `put_count`; `None` if there is none.
    pub fn take_count(&mut self) -> Option<u32> {
        let bits = self.peek().trailing_zeros();
        if bits > 31 {
            return None;
        }
        self.skip(bits + 1);
        Some(1 << bits | self.take(bits) as u32)
    }

    /// Whether more was read than there is.
    pub fn is_past_end(&self) -> bool {
        self.at > self.bytes.len() * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let mut writer = BitWriter::default();
        for number in 1..3000 {
            writer.put_count(number);
            writer.put(u64::from(number % 64), 6);
        }
        writer.put(0xdead_beef, 32);
        let bytes = writer.finish();
        let mut reader = BitReader::new(&bytes);
        for number in 1..3000 {
            assert_eq!(reader.take_count(), Some(number));
            assert_eq!(reader.take(6), u64::from(number % 64));
        }
        assert_eq!(reader.take(32), 0xdead_beef);
        assert!(!reader.is_past_end());
        assert_eq!(reader.take_count(), None, "behind the end is nothing");
        reader.skip(100);
        assert!(reader.is_past_end());
    }
}
