// Doing something that may take a name: if the server asks who it is, the person is asked, and it is done again.

import { ApiError, needName } from "../api.js";

/**
 * @template T
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
export async function named(act) {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "sign-in-required") throw error;
    await needName();
    return act();
  }
}
