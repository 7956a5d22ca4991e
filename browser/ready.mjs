// How soon a visitor can begin a game: `browser/run --ready`. Twelve first visits, each as if nobody had been there before.

import { openChromium } from "./chromium.mjs";
import { Server } from "./server.mjs";

const VISITS = 12;

const server = await Server.start();
const browser = await openChromium();
const times = [];
for (let visit = 0; visit < VISITS; visit += 1) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const asked = performance.now();
  await page.goto(server.address, { waitUntil: "commit" });
  await page.locator("[data-test=play-marshal]:enabled").waitFor();
  times.push(Math.round(performance.now() - asked));
  await context.close();
}
times.sort((one, other) => one - other);
console.log(`from the request to the button: ${times.join(", ")} ms`);
await browser.close();
await server.stop();
