// The browser: the system's Chromium, driven by the Playwright that tools/browser installed.

import { createRequire } from "node:module";
import path from "node:path";

import { ROOT } from "./server.mjs";

// It stands where imports do not look.
const { chromium, selectors } = createRequire(path.join(ROOT, ".tools/node/package.json"))("playwright-core");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

selectors.setTestIdAttribute("data-test");

/** @returns {Promise<import("playwright-core").Browser>} */
export const openChromium = () => chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
