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
//! These 1.2 million games are some ten minutes of one core and gave WP 0.7502 ± 0.0052 against `rhcp` and 0.5769 ±
//! 0.0051 against `rhcp-team` (10,000 decks, `--seed 20261201`), before `calibrate`, which changes no play. (Without the
//! inputs of what the others led and of how the rest of a hand falls into groups they gave 0.7363 and 0.5603.) A run
//! that is stopped goes on from its last checkpoint; other options may be given then, and the schedule is that of the new options. `curve.svg` and
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
//! | 22,000,640 | `--games 90000000 --guests 0.55 --trace 0.8 --withhold 0.35` |
//! | 25,907,200 | `--games 42000000 --guests 0.85 --guest-list T·7,rhcp,classic,W --rate 2e-3 --trace 0.8 --withhold 0.4 --minimal 0.65` |
//! | 36,403,200 | the same with `--guest-list T·7,W·3` |
//! | 38,758,400 | `--games 46000000 --guests 0.92 --guest-list T·8,W·2 --rate 6.5e-3 --trace 0.8 --withhold 0.35 --minimal 0.7` |
//! | 46,000,128 | `--games 48800000 --guests 0.9 --guest-list T·8,W·2 --rate 3e-2 --trace 0.8 --withhold 0.35 --minimal 0.7 --decay 0.9999` |
//! | 47,718,400 | `--games 70000000 --guests 0.9 --guest-list T·8,W,V --rate 2.5e-3 --trace 0.8 --withhold 0.35 --minimal 0.7 --decay 0.9995` |
//! | 49,971,200 | `--games 66000000 --guests 0.9 --guest-list T·8,W,V --rate 3.4e-3 --trace 0.8 --withhold 0.3 --minimal 0.7 --decay 0.9998`, from 50,176,000 on `--games 63000000 --rate 4.6e-3` with the rest, from 52,428,800 on `--games 61500000 --rate 6e-3` |
//! | 61,500,416 | `--games 63500000 --guests 0.9 --guest-list T·5,rhcp·3,W,V --rate 0.15 --trace 0.8 --withhold 1 --minimal 1 --decay 0.9998` |
//!
//! From there on branches, each of a few million games, and their means (`--threads 2 --trace 0.8 --decay 0.9998`
//! throughout). In the phases of players who know nothing, `--withhold 1 --minimal 1`:
//!
//! | branch | from | games | options |
//! |---|---|---|---|
//! | m1 | the table's last | 4.0 M | `--games 67500000 --rate 0.2 --guests 0.95 --guest-list rhcp --seed 5` |
//! | m2 | mean of that and m1 | 2.5 M | `--games 66000000 --rate 0.3 --guests 0.95 --guest-list T --seed 6` |
//! | m3 | the same | 2.5 M | `--games 66000000 --rate 0.3 --guests 0.6 --guest-list W,V --seed 7` |
//! | m4 | the same | 2.5 M | `--games 66000000 --rate 0.3 --guests 0.95 --guest-list rhcp --seed 8` |
//! | m5 | mean of m2, m3 and, twice, m4 | 1.3 M | `--games 67300000 --rate 0.9 --guests 0.95 --guest-list T·3,V --seed 21` |
//! | m6 | the same | 1.3 M | `--games 67300000 --rate 0.9 --guests 0.95 --guest-list rhcp·3,W --seed 22` |
//!
//! In the others, `--minimal 0`:
//!
//! | branch | from | games | options |
//! |---|---|---|---|
//! | f1 | the table's last | 3.0 M | `--games 66500000 --rate 0.12 --guests 0.95 --guest-list T --withhold 0.2 --seed 11` |
//! | f2 | the same | 0.6 M | `--games 66500000 --rate 0.12 --guests 0.5 --guest-list W,V --withhold 0.3 --seed 12`, stopped |
//! | f3 | the same | 1.8 M | `--games 65300000 --rate 0.3 --guests 0.9 --guest-list T·6,rhcp,classic,W,V --withhold 0.2 --seed 13` |
//! | f4 | mean of f1, f2 and f3 | 1.8 M | `--games 68300000 --rate 0.3 --guests 0.9 --guest-list T·7,W,V --withhold 0.2 --seed 14` |
//! | f5 | the same | 1.8 M | `--games 68300000 --rate 0.3 --guests 0.95 --guest-list T·7,rhcp·2 --withhold 0.2 --seed 15` |
//!
//! What is shipped is the mean of f1 … f5 in its phases, and that of m5 and m6 in theirs (`doudizhu-train graft`). Before f1 and m5 the inputs that tell
//! what the others led took the place of those that told who had opened, and those of the partition of a hand were added,
//! which began as nothing.
//!
//! `T·7` is `rhcp-team` seven times, `W` the weights of 22,000,640 games, `V` those of 47,718,400. The guests were `rhcp` up to game 7,219,200 and
//! the default list from there on. At game 13,004,800 every stage got last layers of its own, which began as what there
//! was, and the inputs that count the ranks above a candidate were added, which began as nothing. From game 16,896,000
//! on the score learnt by temporal differences as well, before from the result alone. At game 46,000,128 the weights
//! became the mean of what they were, twice, and of those of 22,000,640 games, once (`doudizhu-train mean`), at game
//! 47,718,400 that of what they were and of those of 46,000,128 games. There every phase got a first layer of its own, which
//! began as what there was, and the inputs of what a seat's plays show were added, which began as nothing. At game
//! 61,500,416 the bias of the first layer went into the inputs that tell whose the table is, and the weights became the
//! mean of what they were and of those of 60.5 million games; from there on only the phases of players who know nothing
//! learnt, which share no weight with the others. At the very end `calibrate --games 10000`. That is 87 million games, a
//! thousand million samples and, at 2,500 games a second, some ten hours of one core. (Build the trainer with one codegen unit,
//! as the release profile does: with more the networks' kernels are not inlined and it is several times slower.)
//!
//! On 10,000 duplicate decks, without search: WP 0.8162 ± 0.0048 and ADP +1.857 ± 0.043 against `rhcp`, 0.6683 ± 0.0051
//! and +0.877 ± 0.032 against `rhcp-team` (0.6687 ± 0.0025 on 40,000 others), 0.7576 ± 0.0051 against `classic`, 0.9925 ±
//! 0.0012 against `random`; told nothing but the minimal situation 0.7264 ± 0.0053 against `rhcp`, told the cards left as
//! well 0.7454 ± 0.0052. Against the weights of 47.7 million games 0.5072 ± 0.0020 (40,000 decks). Mean absolute decile
//! error of the stated probabilities, in games that the correction was not fitted to: 0.0025 in full situations, 0.0040 in
//! minimal ones.
//! The weights of 63.5 million games, before the branches, had 0.8108, 0.6663, 0.7530, 0.9918 and 0.7063.
//! The weights of 47.7 million games had 0.8121, 0.6583, 0.7565, 0.9926 and 0.7006; those of 22 million 0.8119, 0.6412,
//! 0.7604, 0.9932 and 0.6979; those of 10.6 million, before the stages, 0.7982, 0.6244, 0.7484, 0.9928 and 0.6847.
//!
//! What paid: 25 % of games against `rhcp` for the last 200,000 of 1.95 million games gave 0.7714 ± 0.0082
//! against `rhcp` instead of 0.7632 ± 0.0082, at 0.4989 ± 0.0059 against the weights without (4,000 decks);
//! correcting the stated probabilities by stretch and shift lowers their error from 0.04 to 0.004 (the best of
//! many estimates is an optimistic one, and the bootstrap of TD passes that on). First layers for each phase and the inputs
//! of what a seat's plays show, for some 2 % of the calls a second: after 13.8 million games more 0.6680 ± 0.0036 against `rhcp-team`
//! instead of 0.6621 ± 0.0036, and 0.5046 ± 0.0028 against the weights from which they began, which had come to a halt
//! (20,000 decks). Two million games more of the minimal situation alone, in its own phases: 0.7064 ± 0.0053 in it against
//! `rhcp` instead of 0.6956 ± 0.0054.
//!
//! The mean of two networks of one run plays better than either: that of 46.0 and 38.8 million games won 0.5035 ± 0.0023
//! against the former, that of 46.0 and 22.0 million games 0.5071 ± 0.0027 (20,000 decks). Guests: 1.4 million games
//! from the weights of 25.9 million, nine in ten of them against `rhcp-team`, gave 0.6491 ± 0.0036 against it instead of
//! 0.6349 ± 0.0036 with the default list at 55 %, and 0.4946 ± 0.0040 against the latter; what a network learns against
//! one opponent costs a little against others, which is why its own old weights are among the guests.
//!
//! Means of branches that learnt against different opponents keep what each has learnt, and lose little of the rest. Of the
//! minimal situation (10,000 decks against `rhcp`, and against `rhcp-team`): the common beginning 0.7064 and 0.5538, after
//! four million games against `rhcp` alone 0.7284 and 0.5307, the mean of both 0.7280 and 0.5470 (± 0.0053). Of full ones (20,000
//! decks against `rhcp-team`, and against the weights of 47.7 million games): the beginning 0.6679 and 0.5038, f1, which
//! learnt against `rhcp-team` alone, 0.6702 and 0.4955, the mean of f1 … f5 0.6714 and 0.5092 (± 0.0036 and 0.0028).
//!
//! What did not pay: games that are played once more from one of their decisions on with another good play, so that the
//! luck of the deal is the same (0.4986 ± 0.0025 against as many samples without, after 0.9 million games). A network
//! trained for nothing but the minimal situation (1.4 million games from the same weights) came to 0.7015 ± 0.0054 in it
//! against `rhcp`, and the common one after 0.9 million to 0.6856 ± 0.0054: most of what is lost there is not the network's but not
//! known. Nor did a rule that plays certain wins out, hands that go down in groups of which no enemy can beat any
//! but the last. Of 2,000 games against `rhcp-team` in which the networks alone had come to such a hand 1,237 times,
//! they lost 2.

pub mod calibration;
pub mod checkpoint;
pub mod curve;
pub mod duel;
pub mod learner;
pub mod run;
pub mod selfplay;
