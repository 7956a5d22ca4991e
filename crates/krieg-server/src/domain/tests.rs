//! Tests of sessions: preparing, committing and replaying events.

use std::time::Instant;

use krieg_core::{Color, Ending, Ruleset, Setup};
use krieg_time::TimeControl;

use super::*;

fn session(ruleset: Ruleset) -> GameSession {
    GameSession::new(GameInfo {
        number: 1,
        id: "game".into(),
        setup: Setup { ruleset, ..Setup::default() },
        control: TimeControl::Unlimited,
        seats: [Some(User::external("Ann")), Some(User::external("Bob"))],
        rated: false,
        coach: false,
        seed: 1,
        status: GameStatus::Playing,
        creator: None,
        invitation: None,
        created_ms: 0,
        started_ms: Some(0),
        ended_ms: None,
        moves: 0,
        result: None,
        ending: None,
        rematch: None,
        source: GameSource::Played,
        ratings: [None; 2],
    })
}

fn tried(text: &str) -> Event {
    Event::Try { tried: text.parse().unwrap(), spent_ms: 10 }
}

#[test]
fn early_check_agrees_with_the_umpire_about_every_try() {
    for ruleset in Ruleset::ALL {
        let mut session = session(ruleset);
        for text in ["any?", "e2e4", "a1a1", "e2e5", "b1b5", "e7e5", "d2d4", "any?", "e5d4"] {
            let (event, attempt) = (tried(text), text.parse().unwrap());
            let judged = session.judge(attempt).map(drop).map_err(CommandError::from);
            assert_eq!(session.check(event), judged, "{text} under {}", ruleset.name);
            if judged.is_ok() {
                session.replay(event).unwrap();
            }
        }
    }
}

#[test]
fn prepared_event_changes_nothing_until_it_is_committed() {
    let mut session = session(Ruleset::ICC);
    let prepared = session.prepare(tried("e2e4"), None).unwrap();
    assert!(prepared.is_move() && prepared.number() == 0);
    assert_eq!((session.tries(), session.observations(Color::Black).len()), (0, 0));
    session.commit(prepared, Instant::now()).unwrap();
    assert_eq!((session.tries(), session.observations(Color::Black).len()), (1, 1));
    assert_eq!(session.info.moves, 1);
}

#[test]
fn stale_event_is_rejected_and_changes_nothing() {
    let mut session = session(Ruleset::ICC);
    let stale = session.prepare(tried("e2e4"), None).unwrap();
    session.replay(Event::DrawOffer { by: Color::Black }).unwrap();
    assert_eq!(session.commit(stale, Instant::now()).unwrap_err(), StaleEvent);
    assert_eq!(session.tries(), 0);
}

#[test]
fn try_judged_in_another_state_is_judged_again() {
    let mut session = session(Ruleset::ICC);
    let attempt = "e2e5".parse().unwrap();
    let judged = session.judge(attempt).unwrap();
    session.replay(tried("e2e4")).unwrap();
    session.replay(tried("e7e5")).unwrap();
    let prepared = session.prepare(tried("e2e5"), Some(judged)).unwrap();
    assert_eq!(prepared.judged, Some(session.game.prepare(attempt).unwrap()));
    session.commit(prepared, Instant::now()).unwrap();
    assert_eq!(session.tries(), 3);
}

#[test]
fn replayed_events_lead_to_the_same_observations() {
    let events = [
        tried("e2e5"),
        tried("e2e4"),
        Event::DrawOffer { by: Color::White },
        tried("e7e5"),
        Event::End { ending: Ending::Resignation, by: Color::White },
        Event::RematchOffer { by: Color::Black },
    ];
    let [mut live, mut replayed] = [session(Ruleset::ICC), session(Ruleset::ICC)];
    for event in events {
        let prepared = live.prepare(event, None).unwrap();
        live.commit(prepared, Instant::now()).unwrap();
        replayed.replay(event.to_string().parse().unwrap()).unwrap();
    }
    for player in Color::ALL {
        assert_eq!(live.observations(player), replayed.observations(player));
        let transcript = live.game().record().transcript(player).observations;
        let (_, before_end) = live.observations(player).split_last().unwrap();
        assert_eq!(before_end, transcript);
    }
    assert_eq!(live.info.result.as_deref(), Some("0-1"));
    assert!(live.offers_rematch(Color::Black) && live.draw_offer.is_none());
}
