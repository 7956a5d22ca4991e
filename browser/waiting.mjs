// Waiting for what is to come, instead of sleeping for as long as it usually takes.

/** Much longer than anything takes that goes well: the machine may have other things to do. */
export const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 30;

/**
 * Looks again and again until nothing is thrown any more; then gives what the look gave.
 * @template T
 * @param {() => T | Promise<T>} look
 * @param {number} [patience]
 * @returns {Promise<T>}
 */
export async function eventually(look, patience = PATIENCE_MS) {
  const late = performance.now() + patience;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > late) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
