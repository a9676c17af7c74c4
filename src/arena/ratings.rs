use super::Estimate;

/// What one pair of players found: `share` of `games` went to the first.
#[derive(Clone, Copy, Debug)]
pub struct Pairing {
    /// Position of the one player.
    pub first: usize,
    /// Position of the other.
    pub second: usize,
    /// The first one's share of the games won.
    pub share: Estimate,
    /// Number of games.
    pub games: u64,
}

/// Ratings of `players` players on Elo's scale, in which 400 points are odds of ten to one, around a mean of 0.
///
/// They are the maximum likelihood estimate of the Bradley–Terry model, found by the minorization–maximization
/// of Hunter (The Annals of Statistics 32, 2004). One half of a game is added to both sides of each pair, so
/// that a player who won every game has a rating as well. The interval follows from those of the shares:
/// each is moved by half its width, and the changes of a rating add up in squares.
#[must_use]
pub fn elo_ratings(players: usize, pairings: &[Pairing]) -> Vec<Estimate> {
    let shares: Vec<f64> = pairings.iter().map(|pairing| pairing.share.mean).collect();
    let ratings = fit(players, pairings, &shares);
    let mut squares = vec![0.0; players];
    for (position, pairing) in pairings.iter().enumerate() {
        let mut moved = shares.clone();
        // Towards the middle, where there is room.
        let step = if moved[position] > 0.5 { -pairing.share.ci95 } else { pairing.share.ci95 };
        moved[position] += step;
        for (square, (before, after)) in
            squares.iter_mut().zip(ratings.iter().zip(fit(players, pairings, &moved)))
        {
            *square += (after - before) * (after - before);
        }
    }
    ratings.iter().zip(squares).map(|(mean, square)| Estimate { mean: *mean, ci95: square.sqrt() }).collect()
}

fn fit(players: usize, pairings: &[Pairing], shares: &[f64]) -> Vec<f64> {
    const STEPS: usize = 2000;
    let mut wins = vec![0.0; players];
    for (pairing, share) in pairings.iter().zip(shares) {
        let games = pairing.games as f64;
        wins[pairing.first] += share * games + 0.5;
        wins[pairing.second] += (1.0 - share) * games + 0.5;
    }
    let mut strengths = vec![1.0f64; players];
    for _ in 0..STEPS {
        let mut weights = vec![0.0; players];
        for pairing in pairings {
            let games = pairing.games as f64 + 1.0;
            let weight = games / (strengths[pairing.first] + strengths[pairing.second]);
            weights[pairing.first] += weight;
            weights[pairing.second] += weight;
        }
        for ((strength, wins), weight) in strengths.iter_mut().zip(&wins).zip(&weights) {
            if *weight > 0.0 {
                *strength = wins / weight;
            }
        }
        // The model knows strengths up to a factor only.
        let mean = strengths.iter().map(|strength| strength.ln()).sum::<f64>() / players.max(1) as f64;
        strengths.iter_mut().for_each(|strength| *strength /= mean.exp());
    }
    strengths.iter().map(|strength| 400.0 * strength.log10()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairing(first: usize, second: usize, share: f64) -> Pairing {
        Pairing { first, second, share: Estimate { mean: share, ci95: 0.01 }, games: 1_000_000 }
    }

    #[test]
    fn ten_to_one_is_400_points() {
        let ratings = elo_ratings(2, &[pairing(0, 1, 10.0 / 11.0)]);
        assert!((ratings[0].mean - 200.0).abs() < 0.01, "{ratings:?}");
        assert!((ratings[1].mean + 200.0).abs() < 0.01, "{ratings:?}");
        // d(400·log₁₀(p/(1−p)))/dp · 0.01, half of it for each player.
        let slope = 400.0 / std::f64::consts::LN_10 / (10.0 / 11.0 / 11.0);
        assert!((ratings[0].ci95 - slope * 0.01 / 2.0).abs() < 0.6, "{ratings:?} {slope}");
    }

    #[test]
    fn consistent_results_are_reproduced() {
        let share = |difference: f64| 1.0 / (1.0 + 10f64.powf(-difference / 400.0));
        let true_ratings = [150.0, 50.0, -200.0];
        let pairings: Vec<Pairing> = [(0, 1), (0, 2), (1, 2)]
            .into_iter()
            .map(|(a, b)| pairing(a, b, share(true_ratings[a] - true_ratings[b])))
            .collect();
        for (rating, expected) in elo_ratings(3, &pairings).iter().zip(true_ratings) {
            assert!((rating.mean - expected).abs() < 0.05, "{rating:?} {expected}");
        }
    }

    #[test]
    fn a_player_who_never_loses_has_a_rating() {
        let always = Pairing { first: 0, second: 1, share: Estimate { mean: 1.0, ci95: 0.0 }, games: 10 };
        let ratings = elo_ratings(2, &[always]);
        assert!(ratings[0].mean.is_finite() && ratings[0].mean > 100.0, "{ratings:?}");
    }
}
