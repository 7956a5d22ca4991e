//! What each feature of a position is worth: one flat list, cut into named groups.
//!
//! The evaluation, the file of weights and the tuner all read the same list, so a feature is
//! added in one place: here, with its name, and where it is counted.

use std::fmt::Write as _;
use std::sync::LazyLock;

use cozy_chess::{File, Piece, Square};
use krieg_core::excerpt;
use thiserror::Error;

use super::TaperedValue;

krieg_core::feature_groups! {
    /// Every group, in the order of the list.
    groups GROUPS;
    /// How many weights there are.
    count WEIGHT_COUNT;

    /// Pawn to queen.
    MATERIAL "material" 5;
    /// Half a board for each man, from its own side, a1 first: left and right are alike.
    SQUARES "squares" 6 * 32;
    KNIGHT_MOBILITY "knight-mobility" 9;
    BISHOP_MOBILITY "bishop-mobility" 14;
    ROOK_MOBILITY "rook-mobility" 15;
    QUEEN_MOBILITY "queen-mobility" 28;
    BISHOP_PAIR "bishop-pair" 1;
    /// Own pawns on the bishop's colour.
    BISHOP_PAWNS "bishop-pawns" 9;
    /// Knight, bishop; a square no enemy pawn can attack, held by a pawn.
    OUTPOST "outpost" 2;
    /// A minor piece right behind a pawn.
    BEHIND_PAWN "behind-pawn" 1;
    /// No pawn on the file; no own pawn.
    ROOK_FILE "rook-file" 2;
    /// Isolated, by file from the edge.
    ISOLATED "isolated" 4;
    DOUBLED "doubled" 1;
    BACKWARD "backward" 1;
    /// Pawns side by side, by rank.
    PHALANX "phalanx" 8;
    /// A pawn held by a pawn, by rank.
    DEFENDED "defended" 8;
    /// Passed, by rank.
    PASSED "passed" 8;
    /// Passed and held by a pawn, by rank.
    PASSED_DEFENDED "passed-defended" 8;
    /// Passed with a free square before it, by rank.
    PASSED_FREE "passed-free" 8;
    /// Passed, and its next step is attacked by nobody, by rank.
    PASSED_SAFE "passed-safe" 8;
    /// A passed pawn on its fifth rank or further, by the distance of each king from the square before it.
    PASSED_OWN_KING "passed-own-king" 8;
    PASSED_OPPONENT_KING "passed-enemy-king" 8;
    /// For the three files about the king: the rank of the own pawn nearest to home, 0 if none.
    SHELTER "shelter" 3 * 8;
    /// And the rank of the enemy's pawn, seen from the king's side.
    STORM "storm" 3 * 8;
    /// How hard the enemy's king is attacked, in units.
    KING_ATTACK "king-attack" 40;
    /// Safe checks by knight, bishop, rook, queen.
    SAFE_CHECK "safe-check" 4;
    /// Squares beside the enemy king that are attacked and held by nothing but king and queen.
    WEAK_RING "weak-ring" 1;
    /// What a pawn attacks.
    PAWN_THREAT "pawn-threat" 5;
    /// What a knight or bishop attacks.
    MINOR_THREAT "minor-threat" 5;
    /// What a rook attacks.
    ROOK_THREAT "rook-threat" 5;
    /// An attacked man that nothing defends.
    HANGING "hanging" 1;
    /// A pawn's step that would attack a man.
    PUSH_THREAT "push-threat" 1;
    /// What our king attacks undefended.
    KING_THREAT "king-threat" 1;
    TEMPO "tempo" 1;
}

/// What each feature is worth, in hundredths of a pawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights(pub(crate) Box<[TaperedValue; WEIGHT_COUNT]>);

/// Why a file of weights cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WeightsError {
    /// A line that is no group.
    #[error("line {line}: {text:?} is no group of weights")]
    NotAGroup {
        /// Counted from 1.
        line: usize,
        /// The line's beginning.
        text: String,
    },
    /// A group with the wrong number of pairs, or with something that is no pair.
    #[error("line {line}: {name} needs {wanted} pairs such as 12/30")]
    WrongPairs {
        /// Counted from 1.
        line: usize,
        /// The group.
        name: &'static str,
        /// Its length.
        wanted: usize,
    },
    /// A group that is not there.
    #[error("{0} is missing")]
    Missing(&'static str),
}

static TUNED: LazyLock<Weights> = LazyLock::new(|| {
    Weights::read(include_str!("../../weights.txt")).expect("the weights we ship can be read")
});

impl Weights {
    /// Weights of these values, in the order of the list.
    pub fn from_values(pairs: Box<[TaperedValue; WEIGHT_COUNT]>) -> Self {
        Weights(pairs)
    }

    /// All values, in the order of the list.
    pub fn values(&self) -> &[TaperedValue; WEIGHT_COUNT] {
        &self.0
    }

    /// The weights the program ships with, tuned by `krieg tune` on its own games.
    pub fn tuned() -> Self {
        TUNED.clone()
    }

    /// Where tuning begins: round numbers that anyone would write down.
    pub fn first_guess() -> Self {
        let mut w = [TaperedValue::default(); WEIGHT_COUNT];
        let mut set = |at: usize, middle: f64, end: f64| {
            w[at] = TaperedValue::new(middle.round() as i32, end.round() as i32);
        };
        for (i, value) in [100., 320., 330., 500., 950.].into_iter().enumerate() {
            set(MATERIAL + i, value, value);
        }
        for piece in Piece::ALL {
            for square in Square::ALL.into_iter().filter(|square| square.file() <= File::D) {
                let (file, rank) = (square.file() as i32 as f64, square.rank() as i32 as f64);
                // 0 in the four centre squares, 3 on the edge.
                let off = ((file - 3.5).abs().max((rank - 3.5).abs()) - 0.5).round();
                let (middle, end) = match piece {
                    Piece::Pawn => ((3.0 - (file - 3.5).abs()) * 4.0, rank * 6.0 - 18.0),
                    Piece::Knight => (15.0 - 12.0 * off, 10.0 - 8.0 * off),
                    Piece::Bishop => (8.0 - 5.0 * off, 5.0 - 4.0 * off),
                    Piece::Rook => (if rank == 6.0 { 15.0 } else { 0.0 }, 0.0),
                    Piece::Queen => (0.0, 10.0 - 5.0 * off),
                    Piece::King => ((file - 3.5).abs() * 8.0 - rank * 12.0, 30.0 - 18.0 * off),
                };
                set(square_weight(piece, square), middle, end);
            }
        }
        for (start, len, middle, end) in [
            (KNIGHT_MOBILITY, 9, 4.0, 4.0),
            (BISHOP_MOBILITY, 14, 4.0, 4.0),
            (ROOK_MOBILITY, 15, 2.0, 4.0),
            (QUEEN_MOBILITY, 28, 1.0, 2.0),
        ] {
            for i in 0..len {
                let above = i as f64 - len as f64 / 2.0;
                set(start + i, above * middle, above * end);
            }
        }
        set(BISHOP_PAIR, 30.0, 45.0);
        (0..9).for_each(|i| set(BISHOP_PAWNS + i, -2.0 * i as f64, -4.0 * i as f64));
        set(OUTPOST, 20.0, 15.0);
        set(OUTPOST + 1, 15.0, 8.0);
        set(ROOK_FILE, 25.0, 10.0);
        set(ROOK_FILE + 1, 12.0, 8.0);
        (0..4).for_each(|i| set(ISOLATED + i, -10.0, -12.0));
        set(DOUBLED, -8.0, -18.0);
        set(BACKWARD, -8.0, -8.0);
        for rank in 1..7 {
            let step = rank as f64;
            set(PHALANX + rank, step * 2.0, step * 2.0);
            set(DEFENDED + rank, step * 2.0 + 4.0, step * 2.0);
            set(PASSED + rank, step * step * 1.5, step * step * 3.0);
            set(PASSED_FREE + rank, 0.0, step * step * 0.8);
            set(PASSED_SAFE + rank, 0.0, step * step * 0.8);
            set(PASSED_DEFENDED + rank, step, step);
        }
        for i in 0..8 {
            set(PASSED_OWN_KING + i, 0.0, -4.0 * i as f64);
            set(PASSED_OPPONENT_KING + i, 0.0, 6.0 * i as f64);
        }
        for file in 0..3 {
            for rank in 0..8 {
                let shield = [-20.0, 15.0, 8.0, 0.0, -4.0, -6.0, -8.0, -8.0][rank];
                set(SHELTER + file * 8 + rank, shield, 0.0);
                let storm = [-5.0, 0.0, -12.0, -8.0, -4.0, 0.0, 0.0, 0.0][rank];
                set(STORM + file * 8 + rank, storm, 0.0);
            }
        }
        for units in 0..40 {
            let units_squared = (units * units) as f64;
            set(KING_ATTACK + units, (units_squared * 0.35).min(350.0), 0.0);
        }
        (0..4).for_each(|i| set(SAFE_CHECK + i, 20.0, 5.0));
        set(WEAK_RING, 8.0, 0.0);
        for (i, (middle, end)) in
            [(5., 5.), (40., 30.), (40., 30.), (50., 30.), (50., 30.)].into_iter().enumerate()
        {
            set(PAWN_THREAT + i, middle, end);
        }
        for (i, value) in [2., 15., 15., 30., 30.].into_iter().enumerate() {
            set(MINOR_THREAT + i, value, value);
        }
        for (i, value) in [2., 15., 15., 0., 30.].into_iter().enumerate() {
            set(ROOK_THREAT + i, value, value);
        }
        set(HANGING, 15.0, 15.0);
        set(PUSH_THREAT, 12.0, 12.0);
        set(KING_THREAT, 10.0, 20.0);
        set(TEMPO, 15.0, 15.0);
        Weights(Box::new(w))
    }

    /// Reads a file of weights.
    ///
    /// ```
    /// use krieg_chess::Weights;
    /// let weights = Weights::tuned();
    /// assert_eq!(Weights::read(&weights.to_string()), Ok(weights));
    /// assert!(Weights::read("material 1/2").is_err());
    /// ```
    pub fn read(text: &str) -> Result<Self, WeightsError> {
        let mut weights = [TaperedValue::default(); WEIGHT_COUNT];
        let mut seen = vec![false; GROUPS.len()];
        for (number, line) in text.lines().enumerate() {
            let line_number = number + 1;
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut words = line.split_whitespace();
            let name = words.next().unwrap_or_default();
            let Some(index) = GROUPS.iter().position(|group| group.name == name) else {
                return Err(WeightsError::NotAGroup { line: line_number, text: excerpt(line) });
            };
            let group = GROUPS[index];
            let wrong = || WeightsError::WrongPairs {
                line: line_number,
                name: group.name,
                wanted: group.len,
            };
            let pairs: Option<Vec<TaperedValue>> = words.map(read_pair).collect();
            let pairs = pairs.filter(|pairs| pairs.len() == group.len).ok_or_else(wrong)?;
            weights[group.start..group.start + group.len].copy_from_slice(&pairs);
            seen[index] = true;
        }
        match seen.iter().position(|&seen| !seen) {
            Some(missing) => Err(WeightsError::Missing(GROUPS[missing].name)),
            None => Ok(Weights(Box::new(weights))),
        }
    }

    /// One group's weights.
    ///
    /// ```
    /// use krieg_chess::Weights;
    /// let material = Weights::first_guess().group("material").unwrap().to_vec();
    /// assert_eq!(material[0].middlegame(), 100);
    /// ```
    pub fn group(&self, name: &str) -> Option<&[TaperedValue]> {
        let group = GROUPS.iter().find(|group| group.name == name)?;
        Some(&self.0[group.start..group.start + group.len])
    }
}

fn read_pair(text: &str) -> Option<TaperedValue> {
    let (middle, end) = text.split_once('/')?;
    let [middle, end] = [middle, end].map(|half| half.parse::<i32>().ok());
    let fits = |half: &i32| half.abs() <= 2_000;
    Some(TaperedValue::new(middle.filter(fits)?, end.filter(fits)?))
}

impl std::fmt::Display for Weights {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for group in GROUPS {
            let mut line = group.name.to_string();
            for pair in &self.0[group.start..group.start + group.len] {
                write!(line, " {}/{}", pair.middlegame(), pair.endgame())?;
            }
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

/// The place of a man on a square in the list, from the side of the man's own colour.
pub(crate) fn square_weight(piece: Piece, square: Square) -> usize {
    let file = (square.file() as usize).min(7 - square.file() as usize);
    SQUARES + piece as usize * 32 + square.rank() as usize * 4 + file
}

/// A square as its own side counts it: a1 is the near left corner of White, a8 of Black.
pub(crate) fn from_side(square: Square, color: cozy_chess::Color) -> Square {
    match color {
        cozy_chess::Color::White => square,
        cozy_chess::Color::Black => square.flip_rank(),
    }
}

/// The rank as its own side counts it.
pub(crate) fn rank_from_side(square: Square, color: cozy_chess::Color) -> usize {
    from_side(square, color).rank() as usize
}
