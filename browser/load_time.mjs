// Measures how soon a new visitor can start a game: `browser/run --load-time`.

import { openChromium } from "./chromium.mjs";
import { Server } from "./server.mjs";

const VISITS = 12;

const server = await Server.start();
const browser = await openChromium();
const times = [];
for (let visit = 0; visit < VISITS; visit += 1) {
  // A new context has an empty cache.
  const context = await browser.newContext();
  const page = await context.newPage();
  const start = performance.now();
  await page.goto(server.url, { waitUntil: "commit" });
  await page.locator("[data-test=play-marshal]:enabled").waitFor();
  times.push(Math.round(performance.now() - start));
  await context.close();
}
times.sort((a, b) => a - b);
console.log(`from the request to the button: ${times.join(", ")} ms`);
await browser.close();
await server.stop();
