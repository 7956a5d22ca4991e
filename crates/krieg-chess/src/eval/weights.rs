//! The weights of the classical evaluation: one flat list, divided into named groups.
//!
//! The evaluation, the weights file and the tuner share the list, so a new feature is declared
//! here, with its name, and counted in one other place.

use std::fmt::Write as _;
use std::sync::LazyLock;

use cozy_chess::{Color, File, Piece, Square};
use krieg_core::{checksum, excerpt};
use thiserror::Error;

use super::TaperedValue;

krieg_core::feature_groups! {
    /// All groups, in the order of the list.
    groups GROUPS;
    /// Number of weights.
    count WEIGHT_COUNT;

    /// Material, from pawn to queen.
    MATERIAL "material" 5;
    /// Piece-square tables, from the piece's own side, a1 first. Files are mirrored, so each table
    /// has 32 entries.
    SQUARES "squares" 6 * 32;
    /// Mobility: by the number of squares attacked in the mobility area.
    KNIGHT_MOBILITY "knight-mobility" 9;
    BISHOP_MOBILITY "bishop-mobility" 14;
    ROOK_MOBILITY "rook-mobility" 15;
    QUEEN_MOBILITY "queen-mobility" 28;
    /// Bishops of both colours.
    BISHOP_PAIR "bishop-pair" 1;
    /// By the number of own pawns on squares of the bishop's colour.
    BISHOP_PAWNS "bishop-pawns" 9;
    /// Outposts of knight and bishop: squares defended by a pawn that no opposing pawn can attack.
    OUTPOST "outpost" 2;
    /// A minor piece directly behind a pawn.
    BEHIND_PAWN "behind-pawn" 1;
    /// Rook on an open file, rook on a semi-open file.
    ROOK_FILE "rook-file" 2;
    /// Isolated pawn, by distance of its file from the edge.
    ISOLATED "isolated" 4;
    /// Doubled pawn.
    DOUBLED "doubled" 1;
    /// Backward pawn.
    BACKWARD "backward" 1;
    /// Pawn beside another pawn, by rank.
    PHALANX "phalanx" 8;
    /// Pawn defended by a pawn, by rank.
    DEFENDED "defended" 8;
    /// Passed pawn, by rank.
    PASSED "passed" 8;
    /// Passed pawn defended by a pawn, by rank.
    PASSED_DEFENDED "passed-defended" 8;
    /// Passed pawn with an empty stop square, by rank.
    PASSED_FREE "passed-free" 8;
    /// Passed pawn whose stop square the opponent does not attack, by rank.
    PASSED_SAFE "passed-safe" 8;
    /// Passed pawn from its fourth rank on, by the distance of the own king from its stop square.
    PASSED_OWN_KING "passed-own-king" 8;
    /// The same for the opposing king.
    PASSED_OPPONENT_KING "passed-opponent-king" 8;
    /// Pawn shelter: for each of three files around the king, the rank of the nearest own pawn, 0
    /// if there is none.
    SHELTER "shelter" 3 * 8;
    /// Pawn storm: likewise, the rank of the nearest opposing pawn, from the king's side.
    STORM "storm" 3 * 8;
    /// Attack on the opposing king, by attack units.
    KING_ATTACK "king-attack" 40;
    /// Safe checks by knight, bishop, rook and queen.
    SAFE_CHECK "safe-check" 4;
    /// Squares next to the opposing king that are attacked and defended at most by the king or the
    /// queen alone.
    WEAK_RING "weak-ring" 1;
    /// Opposing piece attacked by a pawn, from pawn to queen.
    PAWN_THREAT "pawn-threat" 5;
    /// Opposing piece attacked by a knight or bishop.
    MINOR_THREAT "minor-threat" 5;
    /// Opposing piece attacked by a rook.
    ROOK_THREAT "rook-threat" 5;
    /// Attacked opposing piece without a defender.
    HANGING "hanging" 1;
    /// Opposing piece that a safe pawn push would attack.
    PUSH_THREAT "push-threat" 1;
    /// Undefended opposing piece attacked by the king.
    KING_THREAT "king-threat" 1;
    /// Side to move.
    TEMPO "tempo" 1;
}

/// The weights of all features, in centipawns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights(pub(crate) Box<[TaperedValue; WEIGHT_COUNT]>);

/// Why a weights file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// The line does not start with the name of a group.
    #[error("line {line}: {text:?} is not a group of weights")]
    UnknownGroup {
        /// Line number, from 1.
        line: usize,
        /// The start of the line.
        text: String,
    },
    /// The group does not have the right number of pairs of values.
    #[error("line {line}: {name} needs {expected} pairs of values such as 12/30")]
    WrongValues {
        /// Line number, from 1.
        line: usize,
        /// Name of the group.
        name: &'static str,
        /// Number of pairs expected.
        expected: usize,
    },
    /// The file lacks a group.
    #[error("the group {0} is missing")]
    Missing(&'static str),
}

static TUNED: LazyLock<Weights> = LazyLock::new(|| {
    Weights::read(include_str!("../../weights.txt")).expect("the embedded weights are valid")
});

impl Weights {
    /// Weights with these values, in the order of the list.
    #[must_use]
    pub fn from_values(values: Box<[TaperedValue; WEIGHT_COUNT]>) -> Self {
        Weights(values)
    }

    /// All values, in the order of the list.
    #[must_use]
    pub fn values(&self) -> &[TaperedValue; WEIGHT_COUNT] {
        &self.0
    }

    /// The embedded weights, tuned by `krieg tune` on self-play games.
    #[must_use]
    pub fn tuned() -> Self {
        TUNED.clone()
    }

    /// Untuned weights: the round numbers that tuning starts from.
    #[must_use]
    pub fn first_guess() -> Self {
        let mut w = [TaperedValue::default(); WEIGHT_COUNT];
        let mut set = |index: usize, middlegame: f64, endgame: f64| {
            w[index] = TaperedValue::new(middlegame.round() as i32, endgame.round() as i32);
        };
        for (i, value) in [100., 320., 330., 500., 950.].into_iter().enumerate() {
            set(MATERIAL + i, value, value);
        }
        for piece in Piece::ALL {
            for square in Square::ALL.into_iter().filter(|square| square.file() <= File::D) {
                let (file, rank) = (square.file() as i32 as f64, square.rank() as i32 as f64);
                // Distance from the centre: 0 on the four centre squares, 3 on the edge.
                let off_centre = ((file - 3.5).abs().max((rank - 3.5).abs()) - 0.5).round();
                let (middlegame, endgame) = match piece {
                    Piece::Pawn => ((3.0 - (file - 3.5).abs()) * 4.0, rank * 6.0 - 18.0),
                    Piece::Knight => (15.0 - 12.0 * off_centre, 10.0 - 8.0 * off_centre),
                    Piece::Bishop => (8.0 - 5.0 * off_centre, 5.0 - 4.0 * off_centre),
                    Piece::Rook => (if rank == 6.0 { 15.0 } else { 0.0 }, 0.0),
                    Piece::Queen => (0.0, 10.0 - 5.0 * off_centre),
                    Piece::King => {
                        ((file - 3.5).abs() * 8.0 - rank * 12.0, 30.0 - 18.0 * off_centre)
                    }
                };
                set(square_weight(piece, square), middlegame, endgame);
            }
        }
        for (start, len, middlegame, endgame) in [
            (KNIGHT_MOBILITY, 9, 4.0, 4.0),
            (BISHOP_MOBILITY, 14, 4.0, 4.0),
            (ROOK_MOBILITY, 15, 2.0, 4.0),
            (QUEEN_MOBILITY, 28, 1.0, 2.0),
        ] {
            for i in 0..len {
                let above_average = i as f64 - len as f64 / 2.0;
                set(start + i, above_average * middlegame, above_average * endgame);
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
                let shelter = [-20.0, 15.0, 8.0, 0.0, -4.0, -6.0, -8.0, -8.0][rank];
                set(SHELTER + file * 8 + rank, shelter, 0.0);
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
        for (i, (middlegame, endgame)) in
            [(5., 5.), (40., 30.), (40., 30.), (50., 30.), (50., 30.)].into_iter().enumerate()
        {
            set(PAWN_THREAT + i, middlegame, endgame);
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

    /// Parses a weights file: lines of a group name and its values; `#` starts a comment.
    ///
    /// ```
    /// use krieg_chess::Weights;
    /// let weights = Weights::tuned();
    /// assert_eq!(Weights::read(&weights.to_string()), Ok(weights));
    /// assert!(Weights::read("material 1/2").is_err());
    /// ```
    pub fn read(text: &str) -> Result<Self, WeightsError> {
        let mut weights = [TaperedValue::default(); WEIGHT_COUNT];
        let mut found = vec![false; GROUPS.len()];
        for (number, text) in (1..).zip(text.lines()) {
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let mut words = text.split_whitespace();
            let name = current_name(words.next().unwrap_or_default());
            let Some(index) = GROUPS.iter().position(|group| group.name == name) else {
                return Err(WeightsError::UnknownGroup { line: number, text: excerpt(text) });
            };
            let group = GROUPS[index];
            let pairs: Option<Vec<TaperedValue>> = words.map(parse_pair).collect();
            let pairs = pairs.filter(|pairs| pairs.len() == group.len).ok_or(
                WeightsError::WrongValues { line: number, name: group.name, expected: group.len },
            )?;
            weights[group.range()].copy_from_slice(&pairs);
            found[index] = true;
        }
        match found.iter().position(|&found| !found) {
            Some(missing) => Err(WeightsError::Missing(GROUPS[missing].name)),
            None => Ok(Weights(Box::new(weights))),
        }
    }

    /// A checksum of the weights that is the same under the names of earlier versions, so that
    /// files that record it stay valid.
    pub(super) fn checksum(&self) -> u64 {
        let text = EARLIER_NAMES
            .iter()
            .fold(self.to_string(), |text, (earlier, current)| text.replace(current, earlier));
        checksum(text.as_bytes())
    }

    /// The weights of a group; `None` if there is no such group.
    ///
    /// ```
    /// use krieg_chess::Weights;
    /// let material = Weights::first_guess().group("material").unwrap().to_vec();
    /// assert_eq!(material[0].middlegame(), 100);
    /// ```
    #[must_use]
    pub fn group(&self, name: &str) -> Option<&[TaperedValue]> {
        let group = GROUPS.iter().find(|group| group.name == name)?;
        Some(&self.0[group.range()])
    }
}

/// Groups that were renamed: their names in files of earlier versions, and now.
const EARLIER_NAMES: &[(&str, &str)] = &[("passed-enemy-king", "passed-opponent-king")];

/// The current name of a group that may have another name in the file.
fn current_name(name: &str) -> &str {
    EARLIER_NAMES.iter().find(|(earlier, _)| *earlier == name).map_or(name, |(_, current)| current)
}

fn parse_pair(text: &str) -> Option<TaperedValue> {
    let (middlegame, endgame) = text.split_once('/')?;
    let [middlegame, endgame] = [middlegame, endgame].map(|half| half.parse::<i32>().ok());
    let fits = |half: &i32| half.abs() <= 2_000;
    Some(TaperedValue::new(middlegame.filter(fits)?, endgame.filter(fits)?))
}

impl std::fmt::Display for Weights {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for group in GROUPS {
            let mut line = group.name.to_string();
            for pair in &self.0[group.range()] {
                write!(line, " {}/{}", pair.middlegame(), pair.endgame())?;
            }
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

/// Index of the piece-square weight. The square is from the piece's own side.
pub(crate) fn square_weight(piece: Piece, square: Square) -> usize {
    let file = (square.file() as usize).min(7 - square.file() as usize);
    SQUARES + piece as usize * 32 + square.rank() as usize * 4 + file
}

/// A square from the point of view of a side: flipped vertically for Black.
pub(crate) fn relative_square(square: Square, color: Color) -> Square {
    match color {
        Color::White => square,
        Color::Black => square.flip_rank(),
    }
}

/// The rank from the point of view of a side, 0 to 7.
pub(crate) fn relative_rank(square: Square, color: Color) -> usize {
    relative_square(square, color).rank() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_with_names_of_earlier_versions_are_read() {
        let current = Weights::tuned().to_string();
        let (earlier_name, name) = EARLIER_NAMES[0];
        let earlier = current.replace(name, earlier_name);
        assert_ne!(earlier, current);
        assert_eq!(Weights::read(&earlier), Ok(Weights::tuned()));
        assert_eq!(Weights::tuned().checksum(), checksum(earlier.as_bytes()));
    }
}
