// Starts the system's Chromium with the Playwright that tools/node installed.

import { createRequire } from "node:module";
import path from "node:path";

import { ROOT } from "./server.mjs";

// The packages are in a folder in which `import` does not look.
const require = createRequire(path.join(ROOT, ".tools/node/package.json"));
const { chromium, selectors } = require("playwright-core");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

selectors.setTestIdAttribute("data-test");

/** @returns {Promise<import("playwright-core").Browser>} */
export const openChromium = () =>
  chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
