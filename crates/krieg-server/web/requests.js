// HTTP requests to the server, with JSON in both directions.

/** An error that the server returned, or a failure to reach the server. */
export class ApiError extends Error {
  /**
   * @param {string} code as in docs/api.md; `offline` if the server could not be reached
   * @param {string} message text for the user
   * @param {number} status HTTP status; 0 if there was no response
   */
  constructor(code, message, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** @param {string} path @returns {Promise<any>} */
export const get = (path) => request("GET", path);

/**
 * @param {string} path
 * @param {unknown} [body] a string is sent as plain text, anything else as JSON
 * @returns {Promise<any>}
 */
export const post = (path, body) => request("POST", path, body ?? {});

/** @param {string} path @returns {Promise<any>} */
export const del = (path) => request("DELETE", path);

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 */
async function request(method, path, body) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  /** @type {RequestInit} */
  const init = { method, headers };
  if (typeof body === "string") {
    headers["Content-Type"] = "text/plain; charset=utf-8";
    init.body = body;
  } else if (body !== undefined) {
    headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, init);
  } catch {
    const message = "The server cannot be reached. Check your network connection and try again.";
    throw new ApiError("offline", message, 0);
  }
  const { status } = response;
  const answer = parseJson(await response.text());
  if (response.ok) return answer;
  const code = answer?.error?.code ?? "internal-error";
  const message = answer?.error?.message ?? `The server answered with status ${status}. Try again.`;
  throw new ApiError(code, message, status);
}

/** @param {string} text */
function parseJson(text) {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
