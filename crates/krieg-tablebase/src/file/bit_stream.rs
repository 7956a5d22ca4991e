//! Streams of numbers with few bits each.

/// Writes numbers of a few bits each, lowest bit first.
#[derive(Debug, Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    pending_bits: u32,
}

impl BitWriter {
    /// Appends a number of `bits` bits, at most 32.
    pub fn put(&mut self, number: u64, bits: u32) {
        debug_assert!(bits <= 32 && number >> bits == 0);
        self.pending |= number << self.pending_bits;
        self.pending_bits += bits;
        while self.pending_bits >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.pending_bits -= 8;
        }
    }

    /// Appends a positive number in Elias gamma coding: as many zeros as it has bits after the
    /// first, a one, and those bits. Small numbers take few bits.
    pub fn put_count(&mut self, number: u32) {
        debug_assert!(number > 0);
        let bits = number.ilog2();
        self.put(1 << bits, bits + 1);
        self.put(u64::from(number) & ((1 << bits) - 1), bits);
    }

    /// The bytes. The last one is padded with zeros.
    pub fn finish(mut self) -> Vec<u8> {
        if self.pending_bits > 0 {
            self.bytes.push(self.pending as u8);
        }
        self.bytes
    }
}

/// Reads what a [`BitWriter`] wrote. Past the end it reads zeros.
#[derive(Debug, Clone)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    /// The next bit.
    position: usize,
}

impl<'a> BitReader<'a> {
    /// A reader at the first bit.
    pub fn new(bytes: &'a [u8]) -> Self {
        BitReader { bytes, position: 0 }
    }

    /// At least the next 57 bits, without consuming them.
    #[inline]
    pub fn peek(&self) -> u64 {
        let start = self.position / 8;
        let word = match self.bytes.get(start..start + 8) {
            Some(eight) => u64::from_le_bytes(eight.try_into().unwrap_or_default()),
            None => {
                let rest = self.bytes.get(start..).unwrap_or_default();
                rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
            }
        };
        word >> (self.position % 8)
    }

    /// Skips `bits` bits.
    #[inline]
    pub fn skip(&mut self, bits: u32) {
        self.position += bits as usize;
    }

    /// Skips `count` numbers of `bits` bits each.
    pub fn skip_many(&mut self, count: u32, bits: u32) {
        self.position += count as usize * bits as usize;
    }

    /// Reads a number of `bits` bits, at most 32.
    #[inline]
    pub fn take(&mut self, bits: u32) -> u64 {
        let number = self.peek() & ((1 << bits) - 1);
        self.skip(bits);
        number
    }

    /// Reads a number written by [`BitWriter::put_count`]; `None` if there is none.
    pub fn take_count(&mut self) -> Option<u32> {
        let bits = self.peek().trailing_zeros();
        if bits > 31 {
            return None;
        }
        self.skip(bits + 1);
        Some(1 << bits | self.take(bits) as u32)
    }

    /// Whether more bits were read than exist.
    pub fn is_past_end(&self) -> bool {
        self.position > self.bytes.len() * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_written() {
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
        assert_eq!(reader.take_count(), None, "no count past the end");
        reader.skip(100);
        assert!(reader.is_past_end());
    }
}
