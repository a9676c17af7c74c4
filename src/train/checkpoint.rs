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

/// The mean of the averaged weights of some checkpoints, as a checkpoint to go on from; all else is the first one's.
///
/// # Errors
/// A file cannot be read or is of another architecture, or there is none.
pub fn mean(paths: &[impl AsRef<Path>]) -> io::Result<([Learner; 3], u64)> {
    let none = || io::Error::new(io::ErrorKind::InvalidInput, "no checkpoint");
    let (first, others) = paths.split_first().ok_or_else(none)?;
    let (mut learners, games) = load(first.as_ref())?;
    for path in others {
        for (learner, other) in learners.iter_mut().zip(load(path.as_ref())?.0) {
            learner.average.iter_mut().zip(other.average).for_each(|(sum, weight)| *sum += weight);
        }
    }
    for learner in &mut learners {
        learner.average.iter_mut().for_each(|sum| *sum /= paths.len() as f32);
        learner.weights.copy_from_slice(&learner.average);
    }
    Ok((learners, games))
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// One taken twice and one taken once stand in the mean two to one; the other state is the first one's.
    #[test]
    fn a_mean_is_weighted_by_how_often_a_checkpoint_is_named() {
        let directory = std::env::temp_dir().join(format!("doudizhu-mean-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let [a, b] = ["a", "b"].map(|name| directory.join(name));
        let learners = |seed: u64| [0, 1, 2].map(|role| Learner::new(seed + role));
        let (ten, twenty) = (learners(10), learners(20));
        save(&a, &ten, 700).unwrap();
        save(&b, &twenty, 300).unwrap();
        let (mean, games) = mean(&[&a, &b, &a]).unwrap();
        fs::remove_dir_all(&directory).unwrap();
        assert_eq!(games, 700);
        for ((mean, a), b) in mean.iter().zip(&ten).zip(&twenty) {
            for place in [0, 1, PARAMETERS / 2, PARAMETERS - 1] {
                let expected = (2.0 * a.average[place] + b.average[place]) / 3.0;
                assert!((mean.average[place] - expected).abs() < 1e-6);
                assert_eq!(mean.weights[place], mean.average[place]);
            }
        }
    }
}
