// Requests to the server: JSON there and back, and errors with the server's own words.

/** What the server did not do, and why. */
export class ApiError extends Error {
  /**
   * @param {string} code as in docs/api.md; `offline` where no answer came
   * @param {string} message words for the person
   * @param {number} status of HTTP, 0 where there was none
   */
  constructor(code, message, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** @param {string} path @returns {Promise<any>} */
export const get = (path) => ask("GET", path);

/** @param {string} path @param {unknown} [body] a text is sent as it is, anything else as JSON @returns {Promise<any>} */
export const post = (path, body) => ask("POST", path, body ?? {});

/** @param {string} path @returns {Promise<any>} */
export const del = (path) => ask("DELETE", path);

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 */
async function ask(method, path, body) {
  /** @type {RequestInit} */
  const request = { method, headers: { Accept: "application/json" } };
  if (body !== undefined) {
    const text = typeof body === "string";
    request.headers = { ...request.headers, "Content-Type": text ? "text/plain; charset=utf-8" : "application/json" };
    request.body = text ? body : JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, request);
  } catch {
    throw new ApiError("offline", "The server cannot be reached. Is the network there?", 0);
  }
  const text = await response.text();
  const answer = parsed(text);
  if (response.ok) return answer;
  const error = answer?.error;
  throw new ApiError(error?.code ?? "internal-error", error?.message ?? `The server answered ${response.status}.`, response.status);
}

/** @param {string} text */
function parsed(text) {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
