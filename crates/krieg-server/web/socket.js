// The WebSocket of a game. It reconnects by itself, and `send` resolves with the server's reply.

import { ApiError } from "./requests.js";

/** @typedef {import("./types.js").ServerMessage} ServerMessage */
/** @typedef {"connecting" | "open" | "lost"} Connection */

/**
 * @typedef {object} PendingRequest
 * @property {(reply: ServerMessage) => void} resolve
 * @property {(error: Error) => void} reject
 */

/** Delays between attempts to reconnect: each is twice as long as the last, up to the maximum. */
const FIRST_RECONNECT_MS = 500;
const MAX_RECONNECT_MS = 5000;

/** Phones drop sockets silently. A ping without an answer within the timeout reveals that. */
const PING_INTERVAL_MS = 20_000;
const PING_TIMEOUT_MS = 8000;

/**
 * @param {string} id of the game
 * @param {(message: ServerMessage) => void} onMessage
 * @param {(connection: Connection) => void} onStatus
 */
export function gameSocket(id, onMessage, onStatus) {
  /** @type {Map<number, PendingRequest>} */
  const pending = new Map();
  let nextRef = 1;
  let reconnectMs = FIRST_RECONNECT_MS;
  let closed = false;
  let reconnectTimer = 0;
  /** @type {WebSocket | null} */
  let socket = null;

  function connect() {
    onStatus("connecting");
    const url = new URL(`/api/games/${encodeURIComponent(id)}/ws`, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const opened = new WebSocket(url);
    socket = opened;
    opened.addEventListener("open", () => {
      if (socket !== opened) return;
      reconnectMs = FIRST_RECONNECT_MS;
      onStatus("open");
    });
    opened.addEventListener("message", (event) => {
      if (socket === opened && typeof event.data === "string") receive(event.data);
    });
    opened.addEventListener("close", () => handleLoss(opened));
  }

  /** @param {WebSocket} lost */
  function handleLoss(lost) {
    if (socket !== lost || closed) return;
    socket = null;
    lost.close();
    for (const request of pending.values()) {
      const message = "The connection was lost before the umpire answered.";
      request.reject(new ApiError("offline", message, 0));
    }
    pending.clear();
    onStatus("lost");
    reconnectTimer = setTimeout(connect, reconnectMs);
    reconnectMs = Math.min(reconnectMs * 2, MAX_RECONNECT_MS);
  }

  /** @param {string} data */
  function receive(data) {
    /** @type {ServerMessage} */
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    const ref = "ref" in message ? message.ref : undefined;
    const request = ref === undefined ? undefined : pending.get(ref);
    if (ref !== undefined) pending.delete(ref);
    // The page receives the message before the promise of the request is settled.
    if (message.type === "error") {
      if (!request) onMessage(message);
    } else if (message.type !== "done") {
      onMessage(message);
    }
    if (message.type === "error") {
      request?.reject(new ApiError(message.code, message.message, 409));
    } else {
      request?.resolve(message);
    }
  }

  /**
   * @param {{ action: string } & Record<string, unknown>} action
   * @returns {Promise<ServerMessage>}
   */
  function send(action) {
    const open = socket;
    if (!open || open.readyState !== WebSocket.OPEN) {
      const message = "There is no connection to the server. Trying to reconnect.";
      return Promise.reject(new ApiError("offline", message, 0));
    }
    const ref = nextRef++;
    return new Promise((resolve, reject) => {
      pending.set(ref, { resolve, reject });
      open.send(JSON.stringify({ ...action, ref }));
    });
  }

  const pingTimer = setInterval(() => {
    const pinged = socket;
    if (!pinged || pinged.readyState !== WebSocket.OPEN) return;
    const timeout = setTimeout(() => handleLoss(pinged), PING_TIMEOUT_MS);
    send({ action: "ping" })
      .catch(() => {})
      .finally(() => clearTimeout(timeout));
  }, PING_INTERVAL_MS);

  function reconnect() {
    if (socket || closed) return;
    clearTimeout(reconnectTimer);
    connect();
  }
  const onVisibilityChange = () => document.hidden || reconnect();
  window.addEventListener("online", reconnect);
  document.addEventListener("visibilitychange", onVisibilityChange);

  connect();
  return {
    send,
    reconnect,
    close() {
      closed = true;
      clearTimeout(reconnectTimer);
      clearInterval(pingTimer);
      window.removeEventListener("online", reconnect);
      document.removeEventListener("visibilitychange", onVisibilityChange);
      socket?.close();
    },
  };
}

/** @typedef {ReturnType<typeof gameSocket>} GameSocket */
