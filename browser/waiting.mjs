// Waits until a condition holds, instead of sleeping for the time that it usually takes.

/** The default timeout, long enough for a busy machine. */
export const TIMEOUT_MS = 30_000;
const RETRY_MS = 30;

/**
 * Calls a function until it does not throw, and returns its result.
 * @template T
 * @param {() => T | Promise<T>} check
 * @param {number} [timeoutMs]
 * @returns {Promise<T>}
 */
export async function eventually(check, timeoutMs = TIMEOUT_MS) {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
