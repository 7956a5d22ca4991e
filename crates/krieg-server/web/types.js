// The types of the server's messages, as documented in docs/api.md and docs/referee.md.

/** @typedef {"white" | "black"} Side */

/** @typedef {"guest" | "account" | "bot"} UserKind */

/** @typedef {{ id: number, name: string, kind: UserKind, rating?: number | null }} User */

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
 * @property {User | null} white
 * @property {User | null} black
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
 * @typedef {object} Capture
 * @property {string} square
 * @property {"pawn" | "piece"} [victim]
 * @property {"pawn" | "piece"} [capturer]
 * @property {boolean} [en_passant]
 */

/**
 * @typedef {object} Announcement
 * @property {Side} by
 * @property {Verdict} verdict
 * @property {Side[]} [heard_by]
 * @property {Capture} [capture]
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
 * @typedef {object} Observation
 * @property {number} n
 * @property {Side} by
 * @property {boolean} mine
 * @property {string | null} [try]
 * @property {string | null} [name]
 * @property {Announcement} announcement
 * @property {string} text
 * @property {number | null} [ms]
 * @property {number} move
 */

/** @typedef {Record<string, string>} Guesses */

/** @typedef {null | { by?: Side, game?: string }} Rematch */

/**
 * @typedef {object} StateMessage
 * @property {"state"} type
 * @property {Summary} game
 * @property {Side} you
 * @property {View} view
 * @property {Clock | null} clock
 * @property {Observation[]} log
 * @property {Guesses} guesses
 * @property {Side | null} offer
 * @property {Rematch} rematch
 * @property {boolean} opponent_connected
 */

/**
 * @typedef {object} ObservationMessage
 * @property {"observation"} type
 * @property {number} [ref]
 * @property {Observation} observation
 * @property {View} view
 * @property {Clock | null} clock
 * @property {Side | null} offer
 */

/**
 * @typedef {object} StatusMessage
 * @property {"status"} type
 * @property {number} [ref]
 * @property {Side | null} offer
 * @property {Rematch} rematch
 * @property {boolean} opponent_connected
 * @property {Clock | null} clock
 */

/** @typedef {{ type: "over", game: Summary }} OverMessage */

/** @typedef {{ type: "done", ref: number }} DoneMessage */

/** @typedef {{ type: "error", ref?: number, code: string, message: string }} ErrorMessage */

/** @typedef {OverMessage | DoneMessage | ErrorMessage} OtherMessage */

/** @typedef {StateMessage | ObservationMessage | StatusMessage | OtherMessage} ServerMessage */

/** @typedef {{ topic: string, rule: string }} RuleOption */

/**
 * @typedef {object} RulesetOption
 * @property {string} name
 * @property {string} about
 * @property {boolean} any
 * @property {string} title
 * @property {string} summary
 * @property {string} description
 * @property {string} hint
 * @property {RuleOption[]} rules
 */

/** @typedef {{ name: string, about: string }} BotOption */

/**
 * @typedef {object} Options
 * @property {RulesetOption[]} rulesets
 * @property {BotOption[]} bots
 * @property {number[]} bot_ms
 * @property {string[]} controls
 */

/** @typedef {{ games: Summary[], next: string | number | null }} GameList */

/** @typedef {{ user: User, rating: number, deviation: number, games: number }} Rating */

/** @typedef {{ ratings: Rating[] }} Ratings */

/**
 * @typedef {object} ArenaTable
 * @property {string} title
 * @property {string[]} columns
 * @property {(string | number | null)[][]} rows
 */

/** @typedef {Record<string, Partial<Record<Kind, number>>>} OpponentPieces */

/**
 * @typedef {object} RankedTry
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
 * @property {OpponentPieces} opponent_pieces
 * @property {{ name: string, probability: number }[]} opponent_types
 * @property {boolean} ask_any
 * @property {string | null} preferred
 * @property {number | null} expected
 * @property {RankedTry[]} [tries]
 * @property {string[]} reasons
 */

/**
 * @typedef {object} ReviewStep
 * @property {Side} by
 * @property {string | null} try
 * @property {string | null} name
 * @property {Announcement} announcement
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
 * @property {{ announcement: Announcement, text: string }} opening
 * @property {ReviewStep[]} steps
 * @property {(End & { text: string }) | null} end
 * @property {{ white?: Guesses, black?: Guesses }} guesses
 * @property {Side | null} [narrator]
 */

/** @typedef {{ try: string, name: string, expected: number | null }} EvaluatedTry */

/**
 * @typedef {object} TurnAnalysis
 * @property {number} at
 * @property {number} move
 * @property {number} expected
 * @property {number} boards
 * @property {OpponentPieces} opponent_pieces
 * @property {EvaluatedTry | null} preferred
 * @property {EvaluatedTry | null} played
 * @property {number} loss
 * @property {string[]} reasons
 */

/** @typedef {{ side: Side, at: number, move: number, loss: number, text: string }} Moment */

/**
 * @typedef {object} Analysis
 * @property {"none" | "waiting" | "running" | "done"} status
 * @property {number} [done]
 * @property {number} [total]
 * @property {number[]} [balance]
 * @property {TurnAnalysis[]} [white]
 * @property {TurnAnalysis[]} [black]
 * @property {Moment[]} [moments]
 */

export {};
