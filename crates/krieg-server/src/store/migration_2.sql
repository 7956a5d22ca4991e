-- From version 1 to version 2: standard names for tables and columns. No data changes, except that
-- the status of cancelled games is 'cancelled'.

ALTER TABLE people RENAME TO users;
ALTER TABLE users RENAME COLUMN folded TO folded_name;
ALTER TABLE users RENAME COLUMN password TO password_hash;
ALTER TABLE sessions RENAME COLUMN token TO token_digest;
ALTER TABLE sessions RENAME COLUMN person TO user;
ALTER TABLE ratings RENAME COLUMN person TO user;
ALTER TABLE events RENAME COLUMN n TO number;
ALTER TABLE events RENAME COLUMN what TO event;
ALTER TABLE analyses RENAME COLUMN found TO analysis;
ALTER TABLE alive RENAME TO heartbeat;
ALTER TABLE heartbeat RENAME COLUMN only TO id;

CREATE TABLE guesses (
  game INTEGER NOT NULL REFERENCES games (number),
  color TEXT NOT NULL,
  guesses TEXT NOT NULL,
  PRIMARY KEY (game, color)
) WITHOUT ROWID;
INSERT INTO guesses SELECT * FROM ghosts;
DROP TABLE ghosts;

-- SQLite cannot change the constraint on the status, so the table is copied.
CREATE TABLE new_games (
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
  invitation TEXT,
  created_ms INTEGER NOT NULL,
  started_ms INTEGER,
  ended_ms INTEGER,
  moves INTEGER NOT NULL DEFAULT 0,
  result TEXT,
  ending TEXT,
  rematch TEXT,
  source TEXT NOT NULL CHECK (source IN ('played', 'uploaded')),
  uploaded_text TEXT,
  player_names TEXT
);
INSERT INTO new_games
  SELECT number, id, ruleset, control, start, white, black, rated, coach, seed,
    CASE status WHEN 'gone' THEN 'cancelled' ELSE status END,
    creator, invitation, created_ms, started_ms, ended_ms, moves, result, ending, next, source,
    uploaded, names
  FROM games;
DROP TABLE games;
ALTER TABLE new_games RENAME TO games;
CREATE INDEX games_by_status ON games (status, number);
CREATE INDEX games_by_white ON games (white, number);
CREATE INDEX games_by_black ON games (black, number);
