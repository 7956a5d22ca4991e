// The options that the server offers: rulesets with their texts, bots, and time controls.

import { get } from "./requests.js";

/** @typedef {import("./types.js").Options} Options */
/** @typedef {import("./types.js").RulesetOption} RulesetOption */

/** @type {Promise<Options> | null} */
let request = null;
/** @type {RulesetOption[]} */
let loadedRulesets = [];

/**
 * Loads the options; the server is asked once. Every page waits for this before it is shown.
 * @returns {Promise<Options>}
 */
export function loadOptions() {
  request ??= get("/api/options").then(
    (options) => {
      loadedRulesets = options.rulesets;
      return options;
    },
    (error) => {
      request = null;
      throw error;
    },
  );
  return request;
}

/** All rulesets, in the order in which they are explained. */
export const rulesets = () => loadedRulesets;

/** @param {string} name */
export const rulesetByName = (name) => loadedRulesets.find((ruleset) => ruleset.name === name);

/** @param {string} name */
export const rulesetTitle = (name) => rulesetByName(name)?.title ?? name;
