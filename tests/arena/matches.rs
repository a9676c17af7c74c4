use std::sync::Arc;

use doudizhu::arena::{
    Allowance, Match, Player, Report, RoundRobin, html_report, landlord_points, text_standings, verify,
};
use doudizhu::game::{Outcome, Role, Situation};
use doudizhu::groups::{Play, Preset, RuleSet};
use doudizhu::strategy::{Decision, Random, Registry, Rhcp, Strategy, Thinking};

fn player(name: &str) -> Player {
    Player::parse(name, &Registry::builtin()).unwrap()
}

fn duel(a: Player, b: Player, decks: u64, threads: usize) -> (Match, doudizhu::arena::MatchResult) {
    let duel = Match { a, b, decks, seed: 7, threads, rules: RuleSet::default() };
    let result = duel.play(&|_| {});
    (duel, result)
}

/// Passes whenever it may and when it may not.
struct Passer;

impl Strategy for Passer {
    fn name(&self) -> &'static str {
        "passer"
    }

    fn decide(&self, _: &Situation, _: &mut Thinking<'_>) -> Decision {
        Decision { play: Play::Pass, evaluation: Default::default(), cost: Default::default() }
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let bytes = |threads| {
        let (duel, result) = duel(player("rhcp"), player("random"), 40, threads);
        serde_json::to_string(&Report::new(&duel, &result).without_timing()).unwrap()
    };
    let one = bytes(1);
    assert_eq!(one, bytes(2));
    assert_eq!(one, bytes(5));
    assert!(!one.contains("decision_us") && !one.contains("per_second"), "{one}");
}

/// With the same player on both sides, who draws no lots, both games on a deck are the same game.
#[test]
fn a_player_is_exactly_as_strong_as_itself() {
    let (_, result) = duel(player("rhcp"), player("rhcp"), 30, 0);
    assert_eq!((result.wp.mean, result.wp.ci95), (0.5, 0.0));
    assert_eq!((result.adp.mean, result.adp.ci95), (0.0, 0.0));
    assert_eq!(result.landlord_adp.mean, -result.peasants_adp.mean);
    assert!((result.landlord_wp.mean + result.peasants_wp.mean - 1.0).abs() < 1e-12);
    // Landlord's turns and peasants' turns together are the same on both sides.
    assert_eq!(result.a.plays, result.b.plays);
}

#[test]
fn swapping_the_players_mirrors_the_result() {
    let (_, forth) = duel(player("rhcp"), Player::new(Arc::new(Passer)), 20, 0);
    let (_, back) = duel(Player::new(Arc::new(Passer)), player("rhcp"), 20, 0);
    assert!((forth.wp.mean + back.wp.mean - 1.0).abs() < 1e-12);
    assert_eq!(forth.adp.mean, -back.adp.mean);
    assert_eq!(forth.landlord_wp.mean, 1.0 - back.peasants_wp.mean);
    assert_eq!(forth.a.plays, back.b.plays);
}

#[test]
fn illegal_plays_are_counted_and_the_match_goes_on() {
    let (duel, result) = duel(Player::new(Arc::new(Passer)), player("rhcp"), 10, 0);
    assert!(result.a.illegal >= 10, "one pass on the lead for each game as landlord at least");
    assert_eq!(result.b.illegal, 0);
    let report = Report::new(&duel, &result);
    assert_eq!((report.illegal, report.illegal_by.a), (result.a.illegal, result.a.illegal));
}

#[test]
fn points_are_douzeros() {
    let outcome = |winner, doublings| Outcome { winner, doublings, spring: true };
    assert_eq!(landlord_points(&outcome(Role::Landlord, 0)), 2);
    assert_eq!(landlord_points(&outcome(Role::PeasantAfter, 0)), -2);
    assert_eq!(landlord_points(&outcome(Role::PeasantBefore, 3)), -16);
}

#[test]
fn players_are_named_with_their_allowance() {
    assert_eq!(player("rhcp").label(), "rhcp");
    assert_eq!(player("rhcp@200").allowance, Allowance::Iterations(200));
    assert_eq!(player("random@20ms").label(), "random@20ms");
    let registry = Registry::builtin();
    let refusal = |text| Player::parse(text, &registry).unwrap_err().to_string();
    assert!(refusal("rcph").contains("rhcp"), "{}", refusal("rcph"));
    assert!(refusal("rhcp@soon").contains("soon"), "{}", refusal("rhcp@soon"));
}

#[test]
fn a_round_robin_rates_the_stronger_above_the_weaker() {
    let tournament = RoundRobin {
        players: vec![
            Player::new(Arc::new(Passer)),
            Player::new(Arc::new(Random)),
            Player::new(Arc::new(Rhcp::default())),
        ],
        decks: 30,
        seed: 3,
        threads: 0,
        rules: RuleSet::default(),
    };
    let standings = tournament.play(&|_| {}).without_timing();
    let order: Vec<&str> = standings.players.iter().map(|standing| standing.player.as_str()).collect();
    assert_eq!(order[0], "rhcp");
    assert_eq!(standings.matches.len(), 3);
    assert!(standings.players.iter().map(|standing| standing.elo).sum::<f64>().abs() < 1e-6);
    let text = text_standings(&standings);
    assert!(text.contains("rhcp") && text.contains("illegal plays: "), "{text}");
    let page = html_report(&standings);
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<svg") && page.ends_with("</html>\n"));
    for outside in ["http://", "https://", "<script", "<img", "@import"] {
        assert!(!page.contains(outside), "the page is self-contained: {outside}");
    }
}

#[test]
fn random_games_find_no_disagreement() {
    for preset in Preset::ALL {
        let found = verify(60, 11, 0, preset.rules(), &|_| {});
        assert_eq!((found.games, found.disagreements), (60, 0), "{preset:?}: {:?}", found.examples);
        assert_eq!(found.played.iter().sum::<u64>(), found.turns);
        assert_eq!(found.turns, verify(60, 11, 1, preset.rules(), &|_| {}).turns);
    }
}
