// What the server says, as types: see docs/api.md and docs/referee.md. There is nothing here but types.

/** @typedef {"white" | "black"} Side */
/** @typedef {"guest" | "account" | "bot"} PersonKind */
/** @typedef {{ id: number, name: string, kind: PersonKind, rating?: number | null }} Person */
/** @typedef {"open" | "playing" | "over" | "cancelled"} Status */
/** @typedef {"pawn" | "knight" | "bishop" | "rook" | "queen" | "king"} Kind */

/**
 * @typedef {object} Summary
 * @property {string} id
 * @property {string} ruleset
 * @property {string} control
 * @property {boolean} rated
 * @property {boolean} coach
 * @property {Status} status
 * @property {Person | null} white
 * @property {Person | null} black
 * @property {Side | null} you
 * @property {number} moves
 * @property {string | null} result
 * @property {string | null} ending
 * @property {number} created_ms
 * @property {number | null} ended_ms
 * @property {"played" | "uploaded"} source
 */

/** @typedef {{ ending: string, winner: Side | null, text?: string }} End */
/** @typedef {number | boolean | string[] | null} PawnTries */
/** @typedef {"rank" | "file" | "long-diagonal" | "short-diagonal" | "knight"} Check */
/** @typedef {"begun" | "moved" | "refused" | "nonsense" | "yes" | "no" | "ended"} Verdict */

/**
 * @typedef {object} Said
 * @property {Side} by
 * @property {Verdict} verdict
 * @property {Side[]} [heard_by]
 * @property {{ square: string, victim?: "pawn" | "piece", capturer?: "pawn" | "piece", en_passant?: boolean }} [capture]
 * @property {boolean} [promoted]
 * @property {Check[]} [checks]
 * @property {PawnTries} [pawn_tries]
 * @property {End} [end]
 */

/**
 * @typedef {object} View
 * @property {Side} player
 * @property {Side | null} turn
 * @property {number} ply
 * @property {string} pieces
 * @property {string} castling
 * @property {string[]} tries
 * @property {boolean} may_ask
 * @property {boolean} owes_pawn_capture
 * @property {PawnTries} pawn_tries
 * @property {Check[]} checks
 * @property {boolean | null} any
 * @property {number} refusals
 * @property {{ pawns: number, pieces: number, unknown: number }} captured
 * @property {End | null} end
 */

/** @typedef {{ white_ms: number, black_ms: number, running: Side | null }} Clock */

/**
 * @typedef {object} Line
 * @property {number} n
 * @property {Side} by
 * @property {boolean} mine
 * @property {string | null} [try]
 * @property {string | null} [name]
 * @property {Said} announcement
 * @property {string} text
 * @property {number | null} [ms]
 * @property {number} move
 */

/** @typedef {Record<string, string>} Ghosts */
/** @typedef {null | { by?: Side, game?: string }} Rematch */

/**
 * @typedef {object} StateMessage
 * @property {"state"} type
 * @property {Summary} game
 * @property {Side} you
 * @property {View} view
 * @property {Clock | null} clock
 * @property {Line[]} log
 * @property {Ghosts} guesses
 * @property {Side | null} offer
 * @property {Rematch} rematch
 * @property {boolean} opponent_connected
 */

/** @typedef {{ type: "observation", ref?: number, observation: Line, view: View, clock: Clock | null, offer: Side | null }} ObservationMessage */
/** @typedef {{ type: "status", ref?: number, offer: Side | null, rematch: Rematch, opponent_connected: boolean, clock: Clock | null }} StatusMessage */
/** @typedef {{ type: "over", game: Summary }} OverMessage */
/** @typedef {{ type: "done", ref: number }} DoneMessage */
/** @typedef {{ type: "error", ref?: number, code: string, message: string }} ErrorMessage */
/** @typedef {StateMessage | ObservationMessage | StatusMessage | OverMessage | DoneMessage | ErrorMessage} TableSays */

/** @typedef {{ name: string, about: string, any: boolean }} RulesetOption */
/** @typedef {{ name: string, about: string }} BotOption */
/** @typedef {{ rulesets: RulesetOption[], bots: BotOption[], bot_ms: number[], controls: string[] }} Options */

/** @typedef {{ games: Summary[], next: string | number | null }} GameList */
/** @typedef {{ user: Person, rating: number, deviation: number, games: number }} Rating */
/** @typedef {{ ratings: Rating[] }} Ratings */
/** @typedef {{ title: string, columns: string[], rows: (string | number | null)[][] }} ArenaTable */

/** @typedef {Record<string, Partial<Record<Kind, number>>>} Enemy */

/**
 * @typedef {object} CoachTry
 * @property {string} try
 * @property {string} name
 * @property {number} visits
 * @property {number} visit_share
 * @property {number | null} expected
 * @property {number} legal
 * @property {number} captures
 * @property {Partial<Record<Kind, number>>} victims
 * @property {number} checks
 * @property {number} mates
 * @property {number} recaptured
 * @property {number} exchange
 * @property {string | null} excluded
 */

/**
 * @typedef {object} Advice
 * @property {number} observations
 * @property {number} boards
 * @property {boolean} exact
 * @property {string | null} contradiction
 * @property {Enemy} opponent_pieces
 * @property {{ name: string, probability: number }[]} opponent_types
 * @property {boolean} ask_any
 * @property {string | null} preferred
 * @property {number | null} expected
 * @property {CoachTry[]} [tries]
 * @property {string[]} reasons
 */

/**
 * @typedef {object} ReviewStep
 * @property {Side} by
 * @property {string | null} try
 * @property {string | null} name
 * @property {Said} announcement
 * @property {string} text
 * @property {number} move
 * @property {number | null} ms
 * @property {string | null} fen
 * @property {string} [pieces]
 */

/**
 * @typedef {object} Review
 * @property {Summary} game
 * @property {string} start
 * @property {{ announcement: Said, text: string }} opening
 * @property {ReviewStep[]} steps
 * @property {(End & { text: string }) | null} end
 * @property {{ white?: Ghosts, black?: Ghosts }} guesses
 * @property {Side | null} [narrator]
 */

/** @typedef {{ try: string, name: string, expected: number | null }} JudgedTry */

/**
 * @typedef {object} Judgement
 * @property {number} at
 * @property {number} move
 * @property {number} expected
 * @property {number} boards
 * @property {Enemy} opponent_pieces
 * @property {JudgedTry | null} preferred
 * @property {JudgedTry | null} played
 * @property {number} loss
 * @property {string[]} reasons
 */

/** @typedef {{ side: Side, at: number, move: number, loss: number, text: string }} Moment */

/**
 * @typedef {object} Analysis
 * @property {"none" | "waiting" | "running" | "done"} status
 * @property {number} [done]
 * @property {number} [of]
 * @property {number[]} [balance]
 * @property {Judgement[]} [white]
 * @property {Judgement[]} [black]
 * @property {Moment[]} [moments]
 */

export {};
