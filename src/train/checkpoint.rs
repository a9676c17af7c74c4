//! The state of a run on disk.

use std::fs;
use std::io;
use std::path::Path;

use super::learner::{Learner, PARAMETERS};

/// Writes the learners and the number of games played.
///
/// # Errors
/// The file cannot be written.
pub fn save(path: &Path, learners: &[Learner; 3], games: u64) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(16 + 3 * (8 + 16 * PARAMETERS));
    bytes.extend((PARAMETERS as u64).to_le_bytes());
    bytes.extend(games.to_le_bytes());
    for learner in learners {
        bytes.extend(learner.steps.to_le_bytes());
        for values in [&learner.weights, &learner.average, &learner.moments[0], &learner.moments[1]] {
            values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
        }
    }
    // Written beside and renamed, so that a run that is cut off leaves a whole file.
    let partial = path.with_extension("partial");
    fs::write(&partial, bytes)?;
    fs::rename(partial, path)
}

/// Reads what [`save`] wrote.
///
/// # Errors
/// The file cannot be read or is of another architecture.
pub fn load(path: &Path) -> io::Result<([Learner; 3], u64)> {
    let bytes = fs::read(path)?;
    let foreign = || io::Error::new(io::ErrorKind::InvalidData, "a checkpoint of another architecture");
    if bytes.len() != 16 + 3 * (8 + 16 * PARAMETERS) {
        return Err(foreign());
    }
    let mut rest = &bytes[..];
    let mut take = |count: usize| {
        let (taken, after) = rest.split_at(count);
        rest = after;
        taken
    };
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    if word(take(8)) != PARAMETERS as u64 {
        return Err(foreign());
    }
    let games = word(take(8));
    let learners = [0, 1, 2].map(|seed| {
        let mut learner = Learner::new(seed);
        learner.steps = word(take(8));
        let [first, second] = &mut learner.moments;
        for values in [&mut learner.weights, &mut learner.average, first, second] {
            for (value, bytes) in values.iter_mut().zip(take(4 * PARAMETERS).chunks_exact(4)) {
                *value = f32::from_bits(word(bytes) as u32);
            }
        }
        learner
    });
    Ok((learners, games))
}
