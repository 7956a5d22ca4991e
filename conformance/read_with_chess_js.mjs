// Prints the moves of each game in a PGN file as chess.js reads them, as JSON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const packages = new URL("../.tools/node/", import.meta.url);
const { Chess } = createRequire(packages)("chess.js");

/** The games of a PGN file; each begins with its first tag. */
function split(text) {
  return text.split(/\n\n(?=\[Event )/).filter((game) => game.trim());
}

/** The moves of one game in coordinates. */
function moves(pgn) {
  const game = new Chess();
  game.loadPgn(pgn);
  const history = game.history({ verbose: true });
  return history.map((move) => move.from + move.to + (move.promotion ?? ""));
}

const games = split(readFileSync(process.argv[2], "utf8")).map(moves);
process.stdout.write(JSON.stringify(games));
