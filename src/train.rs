//! The trainer of the expert: self-play, learning, checkpoints. Not part of the service.
//!
//! * [`selfplay`]: games of the networks against themselves, as samples.
//! * [`learner`]: one role's network in floating point, its gradient and its optimiser.
//! * [`run`]: the loop over both, by a schedule counted in games.
//! * [`checkpoint`]: the state of a run on disk.
//! * [`curve`]: the learning curve, as a table and as a drawing.
//! * [`calibration`]: how true the stated win probabilities are.
//! * [`duel`]: matches on duplicate decks, to watch a run and compare weights.
//!
//! # Method
//!
//! Value learning by temporal differences, TD(λ) (Sutton 1988), on the win or loss of the side: the target of a
//! decision is `λ · target of the own next decision + (1 − λ) · what the network said at it`, the outcome at the
//! end. What it said costs nothing: it was asked in order to play. A random play (ε-greedy) cuts the trace. The
//! running average of the weights plays, and is what is shipped. Adam (Kingma and Ba 2015), its rate and the
//! share of random plays falling along a cosine. The score is learnt in the same way. In some games a side does
//! not know the history, the cards left or the bottom cards, so that a request that tells little is an ordinary
//! input; in some the other side is played by a rule strategy, whose plays are free compared with the networks' own.
//!
//! # A run
//!
//! ```text
//! RUSTFLAGS="-C target-cpu=native" cargo build --release --features train --bin doudizhu-train
//! doudizhu-train run --directory runs/1 --games 1200000 --guests 0.25
//! doudizhu-train calibrate runs/1/final.bin --write src/strategy/expert/weights.bin
//! doudizhu-train duel src/strategy/expert/weights.bin rhcp --decks 10000
//! ```
//!
//! These 1.2 million games are some 8 minutes of one core and gave WP 0.7526 ± 0.0052 against `rhcp` and 0.5739 ±
//! 0.0050 against `rhcp-team` (10,000 decks), before `calibrate`, which changes no play. A run that is stopped goes on from its last
//! checkpoint; other options may be given then, and the schedule is that of the new options. `curve.svg` and
//! `curve.tsv` in the directory are drawn anew at every rung, two for each doubling of the games.
//!
//! # The shipped weights
//!
//! One run, whose options were changed as it went (`--threads 2` throughout; defaults where nothing is said):
//!
//! | from game | options |
//! |---|---|
//! | 0 | `--games 12000000 --last-trace 0.7`, facts withheld at 15 % of the decisions instead of in 30 % of the games |
//! | 921,600 | `--games 9000000 --last-trace 0.7`, from 1,536,000 on `--games 7000000 --last-trace 0.7` |
//! | 2,969,600 | `--games 5000000 --guests 0.25`, from 3,276,800 on `--games 4600000 --guests 0.25` |
//! | 4,249,600 | `--games 7000000 --guests 0.25 --rate 2e-3 --trace 0.8`, from 4,300,800 on `--games 10000000 --guests 0.25 --rate 1e-3 --trace 0.8` |
//! | 5,427,200 | `--games 7600000 --guests 0.25 --rate 2e-3 --trace 0.8` |
//! | 6,451,200 | `--games 9800000 --guests 0.25 --rate 1.5e-3 --trace 0.8` |
//! | 7,219,200 | `--games 10600000 --guests 0.45 --rate 1.6e-3 --trace 0.8` |
//! | 10,600,448 | `--games 30000000 --guests 0.5 --rate 1e-3 --trace 0.8` |
//! | 13,004,800 | `--games 26000000 --guests 0.55 --trace 0.8 --withhold 0.35` |
//! | 18,022,400 | `--games 21500000 --guests 0.55 --trace 0.8 --withhold 0.35` |
//! | 18,944,000 | `--games 23500000 --guests 0.55 --trace 0.8 --withhold 0.35` |
//! | 20,531,200 | `--games 22000000 --guests 0.55 --trace 0.8 --withhold 0.35` |
//!
//! The guests were `rhcp` up to game 7,219,200 and all of [`selfplay`]'s from there on. At game 13,004,800 every
//! stage got last layers of its own, which began as what there was, and the inputs that count the ranks above a
//! candidate were added, which began as nothing. From game 16,896,000 on the score learnt by temporal differences
//! as well, before from the result alone. Then `calibrate --games 10000`. That is 22 million games, 343 million
//! samples and, at 2,500 games a second, some two and a half hours of one core. (Build the trainer with one codegen
//! unit, as the release profile does: with more the networks' kernels are not inlined and it is several times
//! slower.)
//!
//! On 10,000 duplicate decks, without search: WP 0.8119 ± 0.0049 and ADP +1.848 ± 0.043 against `rhcp`, 0.6412 ±
//! 0.0050 and +0.750 ± 0.031 against `rhcp-team`, 0.7604 ± 0.0051 against `classic`, 0.9932 ± 0.0011 against
//! `random`; told nothing but the minimal situation 0.6979 ± 0.0053 against `rhcp`. Mean absolute decile error of
//! the stated probabilities: 0.0070 in full situations, 0.0065 in minimal ones. The weights of 10.6 million games,
//! before the stages, had 0.7982, 0.6244, 0.7484, 0.9928, 0.6847 and 0.0044, 0.078.
//!
//! What paid: 25 % of games against `rhcp` for the last 200,000 of 1.95 million games gave 0.7714 ± 0.0082
//! against `rhcp` instead of 0.7632 ± 0.0082, at 0.4989 ± 0.0059 against the weights without (4,000 decks);
//! correcting the stated probabilities by stretch and shift lowers their error from 0.04 to 0.004 (the best of
//! many estimates is an optimistic one, and the bootstrap of TD passes that on). Search, against the same weights
//! without: 0.530 ± 0.018 with 10 ms a turn (400 decks), 0.530 ± 0.026 with 100 ms (250 decks); with the weights of
//! 10.6 million games 0.550 ± 0.023 with 64 iterations (300 decks).
//!
//! What did not pay: a rule that plays certain wins out, hands that go down in groups of which no enemy can beat any
//! but the last. Of 2,000 games against `rhcp-team` in which the networks alone had come to such a hand 1,237 times,
//! they lost 2.

pub mod calibration;
pub mod checkpoint;
pub mod curve;
pub mod duel;
pub mod learner;
pub mod run;
pub mod selfplay;
