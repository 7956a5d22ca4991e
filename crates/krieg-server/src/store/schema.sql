-- The database of version 2. New databases are created from this file; `migration_2.sql` brings
-- databases of version 1 to the same tables.

-- Guests, accounts, and bots with their thinking times.
CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  folded_name TEXT NOT NULL UNIQUE, -- the name in lower case, for comparison
  kind TEXT NOT NULL CHECK (kind IN ('guest', 'account', 'bot')),
  password_hash TEXT,      -- accounts: an Argon2 hash
  bot TEXT,                -- bots: the specification of the player
  bot_ms INTEGER,          -- bots: the thinking time per move
  created_ms INTEGER NOT NULL
);

-- Users who are logged in. Only a digest of the session token is stored.
CREATE TABLE sessions (
  token_digest BLOB PRIMARY KEY,
  user INTEGER NOT NULL REFERENCES users (id),
  created_ms INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE games (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  ruleset TEXT NOT NULL,
  control TEXT NOT NULL,
  start TEXT NOT NULL,
  white INTEGER REFERENCES users (id),
  black INTEGER REFERENCES users (id),
  rated INTEGER NOT NULL,
  coach INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'playing', 'over', 'cancelled')),
  creator INTEGER REFERENCES users (id),
  invitation TEXT,         -- the invitation token; NULL if the game is open to all
  created_ms INTEGER NOT NULL,
  started_ms INTEGER,
  ended_ms INTEGER,
  moves INTEGER NOT NULL DEFAULT 0,
  result TEXT,
  ending TEXT,
  rematch TEXT,            -- the id of the rematch
  source TEXT NOT NULL CHECK (source IN ('played', 'uploaded')),
  uploaded_text TEXT,      -- uploaded games: extended PGN
  player_names TEXT        -- uploaded games: the names of White and Black, one per line
);
CREATE INDEX games_by_status ON games (status, number);
CREATE INDEX games_by_white ON games (white, number);
CREATE INDEX games_by_black ON games (black, number);

-- The events of each game, in order.
CREATE TABLE events (
  game INTEGER NOT NULL REFERENCES games (number),
  number INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  event TEXT NOT NULL,
  PRIMARY KEY (game, number)
) WITHOUT ROWID;

-- A player's guesses: squares, each followed by a letter.
CREATE TABLE guesses (
  game INTEGER NOT NULL REFERENCES games (number),
  color TEXT NOT NULL,
  guesses TEXT NOT NULL,
  PRIMARY KEY (game, color)
) WITHOUT ROWID;

-- Glicko-2 ratings by ruleset.
CREATE TABLE ratings (
  user INTEGER NOT NULL REFERENCES users (id),
  ruleset TEXT NOT NULL,
  rating REAL NOT NULL,
  deviation REAL NOT NULL,
  volatility REAL NOT NULL,
  games INTEGER NOT NULL,
  PRIMARY KEY (user, ruleset)
) WITHOUT ROWID;

-- Finished analyses of finished games, as JSON.
CREATE TABLE analyses (
  game INTEGER PRIMARY KEY REFERENCES games (number),
  analysis TEXT
);

-- The last time at which the server is known to have run, and the periods in which it did not run.
-- Clocks do not count these periods.
CREATE TABLE heartbeat (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at_ms INTEGER NOT NULL
);
CREATE TABLE downtimes (
  from_ms INTEGER PRIMARY KEY,
  to_ms INTEGER NOT NULL
);
