//! Every player there is, by name.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use krieg_belief::OpponentMixture;

use crate::ismcts::{Choose, Fresh, Ismcts, IsmctsSettings, LeafKind};
use crate::lone_king::LoneKingController;
use crate::marshal::value::ValueModel;
use crate::marshal::{Marshal, MarshalSettings, OpponentMemory};
use crate::pimc::{Pimc, PimcSettings};
use crate::protocol::{Engine, EngineSettings};
use crate::{
    BeliefKind, Greedy, ImaginingSettings, ModelKind, Paced, Player, Random, SemiRandom, SpecError,
};

/// Something a player can be told before it plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// What it is if nobody says; without this, it must be said.
    pub default: Option<&'static str>,
    /// Whether it is the command of a program, which is started when the player is made.
    pub is_command: bool,
}

impl Parameter {
    const fn new(name: &'static str, about: &'static str, default: &'static str) -> Self {
        Parameter { name, about, default: Some(default), is_command: false }
    }
}

/// A kind of player.
#[derive(Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// How it plays, in a line.
    pub about: &'static str,
    /// What it can be told.
    pub parameters: &'static [Parameter],
    pub(crate) make: fn(&Settings) -> Result<Box<dyn Player>, SpecError>,
}

const POOL: &str = "boards kept in mind, if there is time for them";
const MODELS: &str =
    "how the opponent is thought to choose, with belief=smc: uniform, recapture, value or fitted";
const BELIEFS: &str = "how boards are imagined: smc, hs, aosp or los";
const CURIOSITY: &str = "how much is given to curiosity, as against what is known to be good";
const ITERATIONS: &str = "iterations for a turn, where no clock runs";
const LEAVES: &str = "how a leaf is valued: chess, rollout or adjudicated";
const FRESH: &str =
    "first: every try is made before any is made again; fair: only while it promises more";
const CHOICES: &str =
    "visits: the try chosen most often; share: most often of the times it could be";
const PLIES: &str = "plies after which a random game is a draw";

const TABLES: &str =
    "yes: a lone king is mated by the tables of endgames, or towards them; no: as the player likes";
const WITH_TABLES: Parameter = Parameter::new("tables", TABLES, "yes");
/// For players who think.
const PACE: Parameter = Parameter::new(
    "ms",
    "milliseconds for a move, be there a clock or none; 0: as the clock says",
    "0",
);
/// Players that others are measured by stay what they were.
const WITHOUT_TABLES: Parameter = Parameter::new("tables", TABLES, "no");

const ISMCTS: &[Parameter] = &[
    Parameter::new("c", CURIOSITY, "0.05"),
    Parameter::new("iterations", ITERATIONS, "2000"),
    Parameter::new("pool", POOL, "4000"),
    Parameter::new("belief", BELIEFS, "smc"),
    Parameter::new("model", MODELS, "recapture"),
    Parameter::new("leaf", LEAVES, "chess"),
    Parameter::new("plies", PLIES, "300"),
    Parameter::new("fresh", FRESH, "fair"),
    Parameter::new("choose", CHOICES, "share"),
    PACE,
    WITH_TABLES,
];

/// All players, from the simple to the strong.
pub const PLAYERS: &[Kind] = &[
    Kind {
        name: "random",
        about: "tries whatever is sensible, each try as likely as any other",
        parameters: &[WITHOUT_TABLES],
        make: |settings| settings.finishing(Random::new()),
    },
    Kind {
        name: "darkboard2a",
        about: "Favini's approach A: boards by what was said last, random games until an ending is won",
        parameters: &[
            Parameter::new("c", CURIOSITY, "1"),
            Parameter::new("iterations", ITERATIONS, "1000"),
            Parameter::new("plies", PLIES, "1000"),
            WITHOUT_TABLES,
        ],
        make: |settings| {
            settings.finishing(Ismcts::new(IsmctsSettings {
                c: settings.at_least_nought("c")?,
                iterations: settings.positive("iterations")?,
                plies: settings.positive("plies")?,
                imagining: ImaginingSettings {
                    belief: BeliefKind::LastObservation,
                    model: ModelKind::Uniform,
                    pool: 1,
                },
                leaf: LeafKind::Adjudicated,
                fresh: Fresh::First,
                choose: Choose::Visits,
                with_opponent: false,
            }))
        },
    },
    Kind {
        name: "semi-random",
        about: "takes back where it lost a man, uses pawn tries, else plays at random",
        parameters: &[WITHOUT_TABLES],
        make: |settings| settings.finishing(SemiRandom::new()),
    },
    Kind {
        name: "greedy",
        about: "semi-random that also promotes, takes where a man must stand, and leaves where it burns",
        parameters: &[WITH_TABLES],
        make: |settings| settings.finishing(Greedy::new()),
    },
    Kind {
        name: "mo-ismcts",
        about: "ismcts with a tree for the opponent as well, who chooses what is good for him",
        parameters: ISMCTS,
        make: |settings| settings.pacing(settings.finishing(Ismcts::new(settings.ismcts(true)?))?),
    },
    Kind {
        name: "pimc",
        about: "imagines boards, asks a chess engine about each, and tries what is best on the average",
        parameters: &[
            Parameter::new("worlds", "boards imagined for a move", "64"),
            Parameter::new("pool", POOL, "8000"),
            Parameter::new("nodes", "nodes for each board, where no clock runs", "1000"),
            Parameter::new("belief", BELIEFS, "smc"),
            Parameter::new("model", MODELS, "recapture"),
            Parameter::new(
                "combine",
                "mean: by the value of every move on every board; votes: by where it is best",
                "mean",
            ),
            Parameter {
                name: "engine",
                about: "another chess engine to ask, over UCI, as engine=stockfish",
                default: Some(""),
                is_command: true,
            },
            Parameter::new(
                "engine_ms",
                "milliseconds for which it is asked about each board",
                "20",
            ),
            PACE,
            WITH_TABLES,
        ],
        make: |settings| {
            let command: String = settings.get("engine")?;
            let engine = if command.is_empty() { None } else { Some(settings.get("engine")?) };
            let pimc = Pimc::new(PimcSettings {
                worlds: settings.positive("worlds")?,
                imagining: settings.imagining()?,
                nodes: settings.positive("nodes")?,
                combine: settings.get("combine")?,
                engine,
                engine_time: Duration::from_millis(settings.positive("engine_ms")?),
            });
            settings.pacing(settings.finishing(pimc.map_err(SpecError::NoStart)?)?)
        },
    },
    Kind {
        name: "ismcts",
        about: "grows a tree of what it may do and hear, on imagined boards, against a semi-random opponent",
        parameters: ISMCTS,
        make: |settings| settings.pacing(settings.finishing(Ismcts::new(settings.ismcts(false)?))?),
    },
    Kind {
        name: "marshal",
        about: "weighs boards, models the opponent, and grows a tree of tries and answers",
        parameters: &[
            Parameter::new("boards", POOL, "12000"),
            Parameter::new("effort", "boards looked at to freshen up the others, for each", "4"),
            Parameter::new("model", MODELS, "fitted"),
            Parameter::new("opponents", "a file of `krieg learn opponent`, for model=fitted", ""),
            Parameter::new("value", "a file of `krieg learn value`", ""),
            Parameter::new("simulations", "simulations for a turn, where no clock runs", "4000"),
            Parameter::new("depth", "own moves that a simulation looks ahead", "4"),
            Parameter::new("c", CURIOSITY, "0.8"),
            Parameter::new("caution", "so much less is expected of a try never made", "0.02"),
            Parameter::new("threads", "trees grown at the same time, each on its own core", "1"),
            Parameter::new("resign", "yes: games without hope are given up", "no"),
            Parameter::new("memory", "a file to keep in what opponents are like, by name", ""),
            PACE,
            WITH_TABLES,
        ],
        make: |settings| settings.pacing(settings.finishing(Marshal::new(settings.marshal()?))?),
    },
    Kind {
        name: "engine",
        about: "a program that speaks the protocol of `krieg engine`",
        parameters: &[
            Parameter {
                name: "cmd",
                about: "the command that starts it, as cmd=\"python3 bot.py\"",
                default: None,
                is_command: true,
            },
            Parameter::new(
                "options",
                "options to set in it, as options=\"Depth=3;Style=bold\"",
                "",
            ),
            Parameter::new("patience", "seconds to wait for an answer where no clock runs", "60"),
        ],
        make: |settings| {
            let engine = Engine::start(EngineSettings {
                program: settings.get("cmd")?,
                options: settings.get("options")?,
                patience: settings.get("patience")?,
            });
            Ok(Box::new(engine.map_err(SpecError::NoStart)?))
        },
    },
];

/// The values a player is made with.
#[derive(Debug)]
pub struct Settings<'a> {
    pub(crate) kind: &'static Kind,
    pub(crate) given: &'a [(String, String)],
}

impl Default for MarshalSettings {
    /// What `marshal` is told where nobody says anything: the list above is the one place where that stands.
    fn default() -> Self {
        let kind = PLAYERS.iter().find(|kind| kind.name == "marshal");
        let kind = kind.expect("marshal is a player");
        Settings { kind, given: &[] }.marshal().expect("what a player is told anyway is good")
    }
}

/// Yes or no, as people write it.
struct Answer(bool);

impl FromStr for Answer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "yes" => Ok(Answer(true)),
            "no" => Ok(Answer(false)),
            _ => Err("there are yes and no".to_string()),
        }
    }
}

impl Settings<'_> {
    /// The player, with or without tables.
    fn finishing(&self, player: impl Player + 'static) -> Result<Box<dyn Player>, SpecError> {
        Ok(match self.get("tables")? {
            Answer(true) => Box::new(LoneKingController::new(Box::new(player))),
            Answer(false) => Box::new(player),
        })
    }

    /// The player, with an hourglass of its own if it is told to have one.
    fn pacing(&self, player: Box<dyn Player>) -> Result<Box<dyn Player>, SpecError> {
        Ok(match self.get("ms")? {
            0 => player,
            ms => Box::new(Paced::new(player, Duration::from_millis(ms))),
        })
    }

    fn imagining(&self) -> Result<ImaginingSettings, SpecError> {
        Ok(ImaginingSettings {
            belief: self.get("belief")?,
            model: self.get("model")?,
            pool: self.positive("pool")?,
        })
    }

    fn ismcts(&self, with_opponent: bool) -> Result<IsmctsSettings, SpecError> {
        Ok(IsmctsSettings {
            c: self.at_least_nought("c")?,
            iterations: self.positive("iterations")?,
            imagining: self.imagining()?,
            leaf: self.get("leaf")?,
            plies: self.positive("plies")?,
            fresh: self.get("fresh")?,
            choose: self.get("choose")?,
            with_opponent,
        })
    }

    fn marshal(&self) -> Result<MarshalSettings, SpecError> {
        Ok(MarshalSettings {
            particles: self.positive("boards")?,
            rejuvenation: self.at_least_nought("effort")?,
            model: self.get("model")?,
            opponents: self.file("opponents", OpponentMixture::read)?,
            value: self.file("value", ValueModel::read)?,
            simulations: self.positive("simulations")?,
            depth: self.positive("depth")?,
            exploration: self.at_least_nought("c")?,
            first_play_penalty: self.at_least_nought("caution")?,
            threads: self.positive("threads")?,
            resign: matches!(self.get("resign")?, Answer(true)),
            memory: self.memory()?,
        })
    }

    fn memory(&self) -> Result<Option<OpponentMemory>, SpecError> {
        let path: String = self.get("memory")?;
        if path.is_empty() {
            return Ok(None);
        }
        OpponentMemory::open(&path).map(Some).map_err(|why| self.wrong("memory", &path, &why))
    }

    /// The value of a parameter that is a number, and not below nought.
    pub fn at_least_nought(&self, name: &str) -> Result<f64, SpecError> {
        let value: f64 = self.get(name)?;
        if value.is_finite() && value >= 0.0 {
            return Ok(value);
        }
        Err(self.wrong(name, value, "it must be a number from 0 on"))
    }

    fn wrong(&self, name: &str, value: impl Display, why: &str) -> SpecError {
        SpecError::Value {
            player: self.kind.name,
            parameter: name.to_string(),
            value: value.to_string(),
            why: why.to_string(),
        }
    }

    /// The value of a parameter that must be above nought.
    pub fn positive<T>(&self, name: &str) -> Result<T, SpecError>
    where
        T: FromStr<Err: Display> + Default + PartialOrd + Display,
    {
        let value: T = self.get(name)?;
        if value > T::default() {
            return Ok(value);
        }
        Err(self.wrong(name, value, "it must be above 0"))
    }

    /// What the file says that a parameter names; without a name, what everybody has.
    fn file<T: Default, E: Display>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, SpecError> {
        let path: String = self.get(name)?;
        if path.is_empty() {
            return Ok(T::default());
        }
        let text = std::fs::read_to_string(&path);
        let text = text.map_err(|why| self.wrong(name, &path, &why.to_string()))?;
        read(&text).map_err(|why| self.wrong(name, &path, &why.to_string()))
    }

    /// The value of a parameter, given or by default.
    pub fn get<T: FromStr<Err: Display>>(&self, name: &str) -> Result<T, SpecError> {
        let text =
            self.given.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str());
        let default = || self.kind.parameters.iter().find(|known| known.name == name)?.default;
        let text = text.or_else(default).ok_or_else(|| SpecError::Missing {
            player: self.kind.name,
            parameter: name.to_string(),
        })?;
        text.parse().map_err(|why: T::Err| SpecError::Value {
            player: self.kind.name,
            parameter: name.to_string(),
            value: krieg_core::excerpt(text),
            why: why.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlayerSpec;

    #[test]
    fn whoever_thinks_for_himself_may_be_told_about_tables() {
        for kind in PLAYERS.iter().filter(|kind| kind.name != "engine") {
            let tables = kind.parameters.iter().find(|known| known.name == "tables");
            let is_measure = ["random", "semi-random", "darkboard2a"].contains(&kind.name);
            let expected = if is_measure { "no" } else { "yes" };
            assert_eq!(tables.and_then(|known| known.default), Some(expected), "{}", kind.name);
        }
        let spec: PlayerSpec = "random(tables=yes)".parse().unwrap();
        assert_eq!(spec.to_string(), "random(tables=yes)");
        assert!(spec.make().is_ok());
        let Err(wrong) = "random(tables=some)".parse::<PlayerSpec>().unwrap().make() else {
            panic!("there is yes and no")
        };
        assert!(wrong.to_string().contains("there are yes and no"), "{wrong}");
    }
}
