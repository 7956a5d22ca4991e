// The table as a socket: it connects again by itself, and every message sent is a promise of its answer.

import { ApiError } from "./requests.js";

/** @typedef {import("./types.js").TableSays} TableSays */
/** @typedef {"connecting" | "open" | "lost"} Connection */
/** @typedef {{ resolve: (answer: TableSays) => void, reject: (error: Error) => void }} Waiting */

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5000;
// Phones drop sockets without a word; a ping that stays unanswered finds out.
const PING_MS = 20000;
const PATIENCE_MS = 8000;

/**
 * @param {string} id of the game
 * @param {(message: TableSays) => void} onMessage
 * @param {(connection: Connection) => void} onStatus
 */
export function tableSocket(id, onMessage, onStatus) {
  /** @type {Map<number, Waiting>} */
  const waiting = new Map();
  let nextRef = 1;
  let pause = FIRST_PAUSE_MS;
  let left = false;
  let again = 0;
  /** @type {WebSocket | null} */
  let socket = null;

  function connect() {
    onStatus("connecting");
    const address = new URL(`/api/games/${encodeURIComponent(id)}/ws`, location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const fresh = new WebSocket(address);
    socket = fresh;
    fresh.addEventListener("open", () => {
      if (socket !== fresh) return;
      pause = FIRST_PAUSE_MS;
      onStatus("open");
    });
    fresh.addEventListener("message", (event) => {
      if (socket === fresh && typeof event.data === "string") hear(event.data);
    });
    fresh.addEventListener("close", () => lose(fresh));
  }

  /** @param {WebSocket} gone */
  function lose(gone) {
    if (socket !== gone || left) return;
    socket = null;
    gone.close();
    for (const each of waiting.values()) {
      each.reject(new ApiError("offline", "The connection was lost before the umpire answered.", 0));
    }
    waiting.clear();
    onStatus("lost");
    again = setTimeout(connect, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }

  /** @param {string} text */
  function hear(text) {
    /** @type {TableSays} */
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    const ref = "ref" in message ? message.ref : undefined;
    const asker = ref === undefined ? undefined : waiting.get(ref);
    if (ref !== undefined) waiting.delete(ref);
    // The page knows of what happened before the promise tells who asked for it.
    if (message.type === "error") {
      if (!asker) onMessage(message);
    } else if (message.type !== "done") {
      onMessage(message);
    }
    if (message.type === "error") asker?.reject(new ApiError(message.code, message.message, 409));
    else asker?.resolve(message);
  }

  /**
   * @param {{ action: string } & Record<string, unknown>} action
   * @returns {Promise<TableSays>}
   */
  function send(action) {
    const open = socket;
    if (!open || open.readyState !== WebSocket.OPEN) {
      return Promise.reject(new ApiError("offline", "There is no connection to the table just now.", 0));
    }
    const ref = nextRef++;
    return new Promise((resolve, reject) => {
      waiting.set(ref, { resolve, reject });
      open.send(JSON.stringify({ ...action, ref }));
    });
  }

  const heartbeat = setInterval(() => {
    const pinged = socket;
    if (!pinged || pinged.readyState !== WebSocket.OPEN) return;
    const tooLong = setTimeout(() => lose(pinged), PATIENCE_MS);
    send({ action: "ping" }).catch(() => {}).finally(() => clearTimeout(tooLong));
  }, PING_MS);

  function connectNow() {
    if (socket || left) return;
    clearTimeout(again);
    connect();
  }
  const awake = () => document.hidden || connectNow();
  window.addEventListener("online", connectNow);
  document.addEventListener("visibilitychange", awake);

  connect();
  return {
    send,
    connectNow,
    close() {
      left = true;
      clearTimeout(again);
      clearInterval(heartbeat);
      window.removeEventListener("online", connectNow);
      document.removeEventListener("visibilitychange", awake);
      socket?.close();
    },
  };
}

/** @typedef {ReturnType<typeof tableSocket>} TableSocket */
