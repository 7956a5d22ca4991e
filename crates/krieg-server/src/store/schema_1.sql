-- Everybody who can sit at a board: guests, accounts, and bots with their thinking times.
CREATE TABLE people (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  folded TEXT NOT NULL UNIQUE, -- the name as it is compared with others
  kind TEXT NOT NULL CHECK (kind IN ('guest', 'account', 'bot')),
  password TEXT,           -- argon2, of accounts
  bot TEXT,                -- the player's specification, of bots
  bot_ms INTEGER,          -- how long the bot thinks about a move
  created_ms INTEGER NOT NULL
);

-- Who is signed in: only a digest of the token is kept.
CREATE TABLE sessions (
  token BLOB PRIMARY KEY,
  person INTEGER NOT NULL REFERENCES people (id),
  created_ms INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE games (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  ruleset TEXT NOT NULL,
  control TEXT NOT NULL,
  start TEXT NOT NULL,
  white INTEGER REFERENCES people (id),
  black INTEGER REFERENCES people (id),
  rated INTEGER NOT NULL,
  coach INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'playing', 'over', 'gone')),
  creator INTEGER REFERENCES people (id),
  invitation TEXT,         -- the secret of the link; open to everybody without one
  created_ms INTEGER NOT NULL,
  started_ms INTEGER,
  ended_ms INTEGER,
  moves INTEGER NOT NULL DEFAULT 0,
  result TEXT,
  ending TEXT,
  next TEXT,               -- the rematch
  source TEXT NOT NULL CHECK (source IN ('played', 'uploaded')),
  uploaded TEXT,           -- the text of an uploaded game
  names TEXT               -- of an uploaded game: its players
);
CREATE INDEX games_by_status ON games (status, number);
CREATE INDEX games_by_white ON games (white, number);
CREATE INDEX games_by_black ON games (black, number);

-- Everything that happened in a game, in order.
CREATE TABLE events (
  game INTEGER NOT NULL REFERENCES games (number),
  n INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  what TEXT NOT NULL,
  PRIMARY KEY (game, n)
) WITHOUT ROWID;

-- A player's guesses, as one text of squares and letters.
CREATE TABLE ghosts (
  game INTEGER NOT NULL REFERENCES games (number),
  side TEXT NOT NULL,
  men TEXT NOT NULL,
  PRIMARY KEY (game, side)
) WITHOUT ROWID;

-- Glicko-2, by ruleset.
CREATE TABLE ratings (
  person INTEGER NOT NULL REFERENCES people (id),
  ruleset TEXT NOT NULL,
  rating REAL NOT NULL,
  deviation REAL NOT NULL,
  volatility REAL NOT NULL,
  games INTEGER NOT NULL,
  PRIMARY KEY (person, ruleset)
) WITHOUT ROWID;

-- What was found when a finished game was analysed; nothing yet, while it waits.
CREATE TABLE analyses (
  game INTEGER PRIMARY KEY REFERENCES games (number),
  found TEXT
);

-- When the server was last known to run, and when it was down: that time is on nobody's clock.
CREATE TABLE alive (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  at_ms INTEGER NOT NULL
);
CREATE TABLE downtimes (
  from_ms INTEGER PRIMARY KEY,
  to_ms INTEGER NOT NULL
);
