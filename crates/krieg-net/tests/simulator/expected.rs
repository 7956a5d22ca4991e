//! What the simulator has to reply in a game.

use krieg_core::{
    Announcement, Color, Ending, Game, Observer, Outcome, PawnTryAnnouncement, Ruleset, Setup, Try,
    Verdict, View, checksum,
};
use krieg_net::Encoder;
use rand::Rng;

use crate::dialogue::Dialogue;
use crate::observation::{describe_difference, observation_bytes};
use crate::players::Player;

/// What the reply to a request has to be.
enum Expected {
    Line(String),
    /// The checksum of these bytes.
    Observation {
        bytes: Vec<u8>,
        player: Color,
    },
}

/// The requests of a game with the replies that the umpire and the encoder expect.
pub struct Script {
    setup: Setup,
    steps: Vec<(String, Expected)>,
}

impl Script {
    /// Plays a game of random tries, to its end or for so many tries.
    pub fn play(game: &mut Game, max_tries: usize, rng: &mut impl Rng) -> Self {
        let mut players = [Player::random(rng), Player::random(rng)];
        let mut recorder = Recorder::new(game);
        while game.umpire().outcome().is_none() && game.record().entries().len() < max_tries {
            let player = &mut players[game.umpire().turn() as usize];
            let tried = player.choose(game, rng);
            recorder.judge(game, tried);
        }
        recorder.script
    }

    /// Plays a game of these tries.
    pub fn of(game: &mut Game, tries: impl Iterator<Item = Try>) -> Self {
        let mut recorder = Recorder::new(game);
        for tried in tries {
            recorder.judge(game, tried);
        }
        recorder.script
    }

    /// Tells the simulator another ruleset, and still expects the same replies.
    pub fn begin_with(&mut self, ruleset: Ruleset) {
        self.steps[0].0 = format!("new {ruleset} {}", self.setup.start);
    }

    /// Sends the requests to the simulator. The error describes the first difference.
    pub fn compare(&self, dialogue: &mut Dialogue) -> Result<(), String> {
        let requests: Vec<&str> = self.steps.iter().map(|(request, _)| request.as_str()).collect();
        let replies = dialogue.ask(&requests);
        for (index, ((request, expected), reply)) in self.steps.iter().zip(&replies).enumerate() {
            let difference = match expected {
                Expected::Line(line) if line == reply => continue,
                Expected::Line(line) => {
                    format!("{request}\nsimulator: {reply:?}\numpire:    {line:?}")
                }
                Expected::Observation { bytes, player } => {
                    if *reply == format!("{:016x}", checksum(bytes)) {
                        continue;
                    }
                    let mut again = requests[..index].to_vec();
                    again.push("observe full");
                    let replies = dialogue.ask(&again);
                    describe_difference(&replies[index], bytes, *player)
                }
            };
            let tries: Vec<&str> = requests[..index]
                .iter()
                .filter_map(|request| request.strip_prefix("try "))
                .collect();
            let Setup { ruleset, start, .. } = &self.setup;
            let tries = tries.join(" ");
            return Err(format!("{ruleset}, {start}\ntries: {tries}\n{difference}"));
        }
        Ok(())
    }
}

/// Writes down a script while a game is played.
struct Recorder {
    script: Script,
    encoders: [Encoder; 2],
    observers: [Observer; 2],
}

impl Recorder {
    fn new(game: &Game) -> Self {
        let setup = game.record().setup();
        let encoders = Color::ALL.map(|player| Encoder::new(player, setup));
        let request = format!("new {} {}", setup.ruleset, setup.start);
        let opening = answer_line(&game.umpire().opening());
        Recorder {
            script: Script {
                setup: setup.clone(),
                steps: vec![(request, Expected::Line(opening))],
            },
            encoders,
            observers: Color::ALL.map(Observer::new),
        }
    }

    /// Asks for the sensible tries, the observation, and the answer to a try.
    fn judge(&mut self, game: &mut Game, tried: Try) {
        let player = game.umpire().turn();
        let view = game.umpire().view(player);
        let bytes = observation_bytes(&self.encoders[player as usize]);
        let steps = &mut self.script.steps;
        steps.push(("tries".into(), Expected::Line(sensible_tries(view))));
        steps.push(("observe".into(), Expected::Observation { bytes, player }));
        let answer = match game.judge(tried) {
            Ok(announcement) => {
                let entry = game.record().entries().last().expect("the try was recorded");
                for (encoder, observer) in self.encoders.iter_mut().zip(&mut self.observers) {
                    if let Some(observation) = observer.observe(entry) {
                        encoder.observe(&observation);
                    }
                }
                answer_line(&announcement)
            }
            Err(_) => "error capture=- victim=- capturer=- ep=0 promoted=0 checks=- \
                       pawn_tries=silent end=-"
                .into(),
        };
        steps.push((format!("try {tried}"), Expected::Line(answer)));
    }
}

/// The sensible tries in alphabetical order, "any?" first.
fn sensible_tries(view: &View) -> String {
    let mut tries: Vec<String> = view.tries().iter().map(|mv| mv.to_string()).collect();
    tries.sort_unstable();
    if view.can_ask_any() {
        tries.insert(0, "any?".into());
    }
    tries.join(" ")
}

/// An announcement as a line of the dialogue.
fn answer_line(announcement: &Announcement) -> String {
    let verdict = match announcement.verdict {
        Verdict::Begun => "begun",
        Verdict::Moved => "moved",
        Verdict::Refused => "refused",
        Verdict::Nonsense => "nonsense",
        Verdict::Any(true) => "any-yes",
        Verdict::Any(false) => "any-no",
        Verdict::Ended => unreachable!("no player resigns"),
    };
    let capture = announcement.capture;
    let square = capture.map_or("-".into(), |capture| capture.square.to_string());
    let victim = capture.and_then(|capture| capture.victim).map_or("-", |kind| kind.name());
    let capturer = capture.and_then(|capture| capture.capturer).map_or("-", |kind| kind.name());
    let en_passant = u8::from(capture.is_some_and(|capture| capture.en_passant));
    let promoted = u8::from(announcement.promoted);
    let mut checks: Vec<&str> =
        announcement.checks.iter().map(|direction| direction.name()).collect();
    if checks.is_empty() {
        checks.push("-");
    }
    let checks = checks.join(",");
    let pawn_tries = pawn_try_text(announcement.pawn_tries);
    let end = announcement.end.map_or("-".into(), end_text);
    format!(
        "{verdict} capture={square} victim={victim} capturer={capturer} ep={en_passant} \
         promoted={promoted} checks={checks} pawn_tries={pawn_tries} end={end}"
    )
}

fn pawn_try_text(announced: PawnTryAnnouncement) -> String {
    match announced {
        PawnTryAnnouncement::Silent => "silent".into(),
        PawnTryAnnouncement::Count(count) => format!("count:{count}"),
        PawnTryAnnouncement::Whether(yes) => format!("whether:{}", u8::from(yes)),
        PawnTryAnnouncement::From(squares) => {
            let names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
            format!("from:{}", names.join(","))
        }
    }
}

fn end_text(outcome: Outcome) -> String {
    let winner = match outcome.winner {
        Some(Color::White) => "white",
        Some(Color::Black) => "black",
        None => "draw",
    };
    match outcome.ending {
        Ending::Checkmate => format!("checkmate:{winner}"),
        Ending::Stalemate => format!("stalemate:{winner}"),
        Ending::InsufficientMaterial => "insufficient".into(),
        Ending::FiftyMoves => "fifty".into(),
        Ending::Threefold => "threefold".into(),
        other => unreachable!("the umpire declares no {}", other.name()),
    }
}
