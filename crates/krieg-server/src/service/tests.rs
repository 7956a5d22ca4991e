//! Tests of durability: an event is stored before anyone is told, and memory never gets ahead of
//! the database.

use std::sync::Arc;
use std::time::Duration;

use krieg_core::{Color, Position, Ruleset};
use krieg_time::TimeControl;
use serde_json::Value;
use tempfile::TempDir;
use tokio::time::timeout;

use super::*;
use crate::domain::{Command, User};
use crate::store::users;

struct Game {
    service: GameService,
    id: String,
    players: [User; 2],
    _folder: TempDir,
}

impl Game {
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("krieg.sqlite")).unwrap();
        let service = GameService::open(store, 1, Arc::default()).await.unwrap();
        let guest =
            |name: &'static str| service.store().write(move |c| users::insert(c, name, None, 0));
        let white = guest("Ann").await.unwrap().unwrap();
        let black = guest("Bob").await.unwrap().unwrap();
        let new_game = NewGame {
            ruleset: Ruleset::ICC,
            start: Position::start(),
            control: TimeControl::Unlimited,
            color: ColorChoice::Color(Color::White),
            rated: false,
            coach: false,
            opponent: Opponent::Lobby,
        };
        let id = service.create_game(&white, new_game).await.unwrap().id;
        service.join(id.clone(), black.clone(), None).await.unwrap();
        Game { service, id, players: [white, black], _folder: folder }
    }

    async fn try_move(&self, player: Color, text: &str) -> Result<bool, ServiceError> {
        let (user, command) = (self.user(player), Command::Try { tried: text.parse().unwrap() });
        self.service.execute(self.id.clone(), user, command, None).await
    }

    fn user(&self, player: Color) -> i64 {
        self.players[player as usize].id
    }

    async fn log_length(&self, player: Color) -> usize {
        let state = self.service.state(&self.id, self.user(player)).await.unwrap();
        state["log"].as_array().map_or(0, Vec::len)
    }

    async fn stored_events(&self) -> Vec<Event> {
        let number = self.service.game_info(&self.id).await.unwrap().number;
        let events = self.service.store().read(move |c| events::of_game(c, number));
        events.await.unwrap().into_iter().map(|stored| stored.event).collect()
    }

    async fn execute_sql(&self, sql: &'static str) {
        self.service.store().write(move |c| c.execute_batch(sql)).await.unwrap();
    }
}

#[tokio::test]
async fn event_is_stored_before_players_are_notified() {
    let game = Game::start().await;
    let black = game.user(Color::Black);
    let (_, mut messages) = game.service.subscribe(&game.id, black, 1).await.unwrap();
    let notified = async {
        let message: Value = serde_json::from_str(&messages.recv().await.unwrap()).unwrap();
        (message, game.stored_events().await)
    };
    let (moved, (message, stored)) = tokio::join!(game.try_move(Color::White, "e2e4"), notified);
    moved.unwrap();
    assert_eq!(message["type"], "observation");
    assert!(matches!(stored[..], [Event::Try { .. }]), "{stored:?}");
}

#[tokio::test]
async fn failed_write_changes_nothing_and_reloads_the_session() {
    let game = Game::start().await;
    game.try_move(Color::White, "e2e4").await.unwrap();
    let white = game.user(Color::White);
    let (_, mut messages) = game.service.subscribe(&game.id, white, 1).await.unwrap();
    game.execute_sql(
        "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END",
    )
    .await;
    assert_eq!(game.try_move(Color::Black, "e7e5").await, Err(ServiceError::Internal));
    assert_eq!(messages.recv().await, None, "the client is disconnected without a message");
    assert_eq!(game.log_length(Color::White).await, 2);
    game.execute_sql("DROP TRIGGER full").await;
    game.try_move(Color::Black, "e7e5").await.unwrap();
    assert_eq!(game.log_length(Color::White).await, 3);
    assert_eq!(game.stored_events().await.len(), 2);
}

#[tokio::test]
async fn command_that_waited_for_a_failed_one_is_not_applied_to_the_dropped_session() {
    let game = Game::start().await;
    let old = game.service.session(&game.id).await.unwrap();
    let running = old.lock_commands().await;
    let waiting = game.try_move(Color::White, "e2e4");
    let fail = async {
        // Besides this test and the service, the waiting command has a reference.
        while Arc::strong_count(&old) < 3 {
            tokio::task::yield_now().await;
        }
        game.service.reload(&mut running.session());
        game.service.session(&game.id).await.unwrap();
        drop(running);
    };
    let (result, ()) = tokio::join!(waiting, fail);
    assert_eq!(result, Err(ServiceError::Internal));
    assert!(game.stored_events().await.is_empty());
    game.try_move(Color::White, "e2e4").await.unwrap();
    assert_eq!(game.log_length(Color::Black).await, 2);
}

#[tokio::test]
async fn failed_rematch_offer_can_be_repeated() {
    let game = Game::start().await;
    let white = game.user(Color::White);
    let execute = |command| game.service.execute(game.id.clone(), white, command, None);
    execute(Command::Resign {}).await.unwrap();
    game.execute_sql(
        "CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'full'); END",
    )
    .await;
    assert_eq!(execute(Command::Rematch {}).await, Err(ServiceError::Internal));
    game.execute_sql("DROP TRIGGER full").await;
    execute(Command::Rematch {}).await.unwrap();
    assert_eq!(game.stored_events().await.len(), 2);
}

#[tokio::test]
async fn impossible_command_does_not_wait_for_a_running_command() {
    let game = Game::start().await;
    let handle = game.service.session(&game.id).await.unwrap();
    let running = handle.lock_commands().await;
    let wait = Duration::from_millis(200);
    let early = timeout(wait, game.try_move(Color::Black, "e7e5")).await;
    assert_eq!(early, Ok(Err(ServiceError::NotYourTurn(Color::White))));
    let possible = timeout(wait, game.try_move(Color::White, "e2e4")).await;
    assert!(possible.is_err(), "a possible command waits");
    assert_eq!(game.log_length(Color::White).await, 1, "reading the state does not wait");
    drop(running);
}
