//! The file of weights: a header, the three networks in fixed point, and a digest of it all.
//!
//! Little-endian. `magic`, version, inputs, units of both layers, outputs, stages, phases (each `u32`), length of the
//! training record (`u32`) and the record itself (UTF-8), then for each role the first layer of each phase row by row (a
//! shift, `u8`, and `i8` weights to be shifted left by it), then for each stage the second layer by pairs of inputs, its
//! bias, the third layer output by output, its bias; `i16` the weights of these, `i32` the biases. The last eight bytes
//! are the FNV-1a digest of what is before.

use crate::digest::fnv1a;

use super::brain::Brain;
use super::features::INPUTS;
use super::network::{MOST_SHIFT, NARROW, Network, OUTPUTS, Row, WIDE};
use super::stage::{PHASES, STAGES};

const MAGIC: &[u8; 8] = b"DDZEXPRT";
const VERSION: u32 = 4;

/// Why a file of weights cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadWeights {
    /// The file is not a file of weights, or ends too early.
    #[error("not a complete file of weights")]
    Damaged,
    /// The digest does not fit the contents.
    #[error("the digest does not fit the contents")]
    Digest,
    /// The file is of another version or architecture.
    #[error("made for another version or architecture of the network")]
    Foreign,
}

/// The weights and what is said of how they came about.
#[derive(Clone)]
pub(crate) struct Weights {
    pub brain: Brain,
    pub record: String,
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], BadWeights> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(BadWeights::Damaged)?;
        self.0 = rest;
        Ok(taken)
    }

    fn word(&mut self) -> Result<u32, BadWeights> {
        let mut word = [0; 4];
        word.copy_from_slice(self.take(4)?);
        Ok(u32::from_le_bytes(word))
    }

    fn row(&mut self, target: &mut Row, shift: &mut u8) -> Result<(), BadWeights> {
        *shift = self.take(1)?[0];
        if *shift > MOST_SHIFT {
            return Err(BadWeights::Damaged);
        }
        let bytes = self.take(WIDE)?;
        target.0.iter_mut().zip(bytes).for_each(|(target, byte)| *target = byte.cast_signed());
        Ok(())
    }

    fn shorts(&mut self, target: &mut [i16]) -> Result<(), BadWeights> {
        let bytes = self.take(2 * target.len())?;
        for (target, bytes) in target.iter_mut().zip(bytes.chunks_exact(2)) {
            *target = i16::from_le_bytes([bytes[0], bytes[1]]);
        }
        Ok(())
    }

    fn longs(&mut self, target: &mut [i32]) -> Result<(), BadWeights> {
        target.iter_mut().try_for_each(|target| {
            *target = self.word()? as i32;
            Ok(())
        })
    }
}

/// The row that comes closest to these weights, and its shift.
#[cfg(feature = "train")]
pub(crate) fn rounded(weights: &[i16; WIDE]) -> (Row, u8) {
    let most = weights.iter().map(|weight| u32::from(weight.unsigned_abs())).max().unwrap_or(0);
    let shift = (0..MOST_SHIFT).find(|shift| most <= 127 << shift).unwrap_or(MOST_SHIFT);
    let half = (1 << shift) / 2;
    (Row(weights.map(|weight| ((i32::from(weight) + half) >> shift).clamp(-127, 127) as i8)), shift)
}

/// The architecture as the header states it.
const SHAPE: [u32; 6] =
    [INPUTS as u32, WIDE as u32, NARROW as u32, OUTPUTS as u32, STAGES as u32, PHASES as u32];

impl Weights {
    /// Reads a file of weights.
    pub(crate) fn read(bytes: &[u8]) -> Result<Weights, BadWeights> {
        let end = bytes.len().checked_sub(8).ok_or(BadWeights::Damaged)?;
        let (contents, stated) = bytes.split_at(end);
        let mut reader = Reader(contents);
        if reader.take(8)? != MAGIC {
            return Err(BadWeights::Damaged);
        }
        if reader.word()? != VERSION {
            return Err(BadWeights::Foreign);
        }
        for expected in SHAPE {
            if reader.word()? != expected {
                return Err(BadWeights::Foreign);
            }
        }
        if fnv1a(contents.iter().copied()).to_le_bytes() != stated {
            return Err(BadWeights::Digest);
        }
        let length = reader.word()? as usize;
        let record = String::from_utf8_lossy(reader.take(length)?).into_owned();
        let networks = [network(&mut reader)?, network(&mut reader)?, network(&mut reader)?];
        if !reader.0.is_empty() {
            return Err(BadWeights::Damaged);
        }
        Ok(Weights { brain: Brain { networks }, record })
    }

    /// The file of these weights.
    #[cfg(feature = "train")]
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let word = |bytes: &mut Vec<u8>, word: u32| bytes.extend(word.to_le_bytes());
        word(&mut bytes, VERSION);
        SHAPE.iter().for_each(|size| word(&mut bytes, *size));
        word(&mut bytes, self.record.len() as u32);
        bytes.extend(self.record.as_bytes());
        for network in &self.brain.networks {
            for (row, shift) in network.first.iter().zip(&network.shifts) {
                bytes.push(*shift);
                bytes.extend(row.0.iter().map(|weight| weight.cast_unsigned()));
            }
            for dense in &network.dense {
                dense
                    .second
                    .0
                    .as_flattened()
                    .as_flattened()
                    .iter()
                    .for_each(|n| bytes.extend(n.to_le_bytes()));
                dense.second_bias.iter().for_each(|n| bytes.extend(n.to_le_bytes()));
                dense.third.as_flattened().iter().for_each(|n| bytes.extend(n.to_le_bytes()));
                dense.third_bias.iter().for_each(|n| bytes.extend(n.to_le_bytes()));
            }
        }
        let digest = fnv1a(bytes.iter().copied());
        bytes.extend(digest.to_le_bytes());
        bytes
    }
}

fn network(reader: &mut Reader<'_>) -> Result<Network, BadWeights> {
    let mut network = Network::zero();
    for (row, shift) in network.first.iter_mut().zip(&mut network.shifts) {
        reader.row(row, shift)?;
    }
    for dense in &mut network.dense {
        reader.shorts(dense.second.0.as_flattened_mut().as_flattened_mut())?;
        reader.longs(&mut dense.second_bias)?;
        reader.shorts(dense.third.as_flattened_mut())?;
        reader.longs(&mut dense.third_bias)?;
    }
    Ok(network)
}

#[cfg(all(test, feature = "train"))]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_damage_is_noticed() {
        let mut weights = Weights {
            brain: Brain { networks: [Network::zero(), Network::zero(), Network::zero()] },
            record: "r".into(),
        };
        weights.brain.networks[1].first[3].0[5] = -77;
        let exact = std::array::from_fn(|unit| 13 * unit as i16 - 1000);
        let (row, shift) = rounded(&exact);
        let close = |(weight, exact): (&i8, i16)| ((i16::from(*weight) << shift) - exact).abs() <= 16;
        assert!(row.0.iter().zip(exact).all(close));
        weights.brain.networks[0].first[7] = row;
        weights.brain.networks[0].shifts[7] = shift;
        weights.brain.networks[2].dense[7].third_bias[1] = 123_456;
        let bytes = weights.write();
        let read = Weights::read(&bytes).unwrap();
        assert_eq!(read.record, "r");
        assert_eq!(read.write(), bytes);
        assert_eq!(read.brain.networks[0].first[7].0, row.0);
        assert_eq!(read.brain.networks[0].shifts[7], shift);
        let mut flipped = bytes.clone();
        flipped[5000] ^= 1;
        assert_eq!(Weights::read(&flipped).err(), Some(BadWeights::Digest));
        assert_eq!(Weights::read(&bytes[..100]).err(), Some(BadWeights::Digest));
        assert_eq!(Weights::read(b"something else").err(), Some(BadWeights::Damaged));
        let mut foreign = bytes;
        foreign[12] ^= 1;
        assert_eq!(Weights::read(&foreign).err(), Some(BadWeights::Foreign));
    }
}
