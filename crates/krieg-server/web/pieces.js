// The shapes of the pieces: silhouettes of 45 by 45, with a few lines that tell them apart at small
// sizes.

import { svg } from "./dom.js";
import { sideOf } from "./squares.js";

/** @type {Record<string, { body: string, detail: string, dots?: [number, number, number][] }>} */
const SHAPES = {
  p: {
    body:
      "M22.5 7.8a5.4 5.4 0 0 1 3.9 9.1h1.3a1.5 1.5 0 0 1 0 3h-1.5c.2 6.3 2 10.4 5.3 13.2" +
      "c1.7 1.4 2.5 3.2 2.5 6.1h-23c0-2.9.8-4.7 2.5-6.1c3.3-2.8 5.1-6.9 5.3-13.2h-1.5" +
      "a1.5 1.5 0 0 1 0-3h1.3a5.4 5.4 0 0 1 3.9-9.1z",
    detail: "M18.8 19.9h7.4M13.8 34.6h17.4",
  },
  n: {
    body:
      "M11.2 39.2C11.2 36.5 12 34.9 13.6 33.9C13.9 29.6 17.6 27.4 20.3 23.6" +
      "C18.4 24.6 16.6 24.9 15.2 25.3C14.4 26.6 13.4 27.4 12.2 27.2" +
      "C10.2 26.8 8.6 24.6 8.9 22.9C9.2 21.4 11.3 19.4 12.3 17.2C13.2 15 14.4 12.6 16.6 10.9" +
      "L16.4 6.2L20.3 9.2C28.4 9.9 33.4 16.8 33 26.2C32.9 29.4 32.2 31.9 31.6 33.9" +
      "C33.2 34.9 33.8 36.5 33.8 39.2Z",
    detail: "M23.6 13c4.4 2.2 6.4 6.6 6 13M13.8 34.6h17.6M20.3 23.6c1.4-1.2 2.2-2.6 2.3-4.4",
    dots: [[17.2, 15.4, 1.2], [11.4, 22.9, 0.7]],
  },
  b: {
    body:
      "M22.5 8.6c4.6 3.5 7.2 7.2 7.2 11c0 3-1.3 5.2-3.4 6.7h1.2a1.4 1.4 0 0 1 0 2.8h-1.2" +
      "c.5 2.2 2 3.6 4.4 4.5c2.2.8 3.2 2.4 3.2 5.6h-22.8c0-3.2 1-4.8 3.2-5.6" +
      "c2.4-.9 3.9-2.3 4.4-4.5h-1.2a1.4 1.4 0 0 1 0-2.8h1.2c-2.1-1.5-3.4-3.7-3.4-6.7" +
      "c0-3.8 2.6-7.5 7.2-11zM22.5 8.9a2.2 2.2 0 1 1 0-4.4a2.2 2.2 0 0 1 0 4.4z",
    detail: "M25.6 13.4l-4 6.4M18.7 26.3h7.6M18.7 29.1h7.6M14.2 34.6h16.6",
  },
  r: {
    body:
      "M12.5 8h4.3v3.2h3.6V8h4.2v3.2h3.6V8h4.3v6.4l-3.2 3c.1 6.2.6 10.4 1.6 14.1" +
      "c2.2 1.2 3.4 3.6 3.4 7.7H10.7c0-4.1 1.2-6.5 3.4-7.7c1-3.7 1.5-7.9 1.6-14.1l-3.2-3z",
    detail: "M15.7 17.4h13.6M14.1 31.5h16.8M12 35.4h21",
  },
  q: {
    body:
      "M10.5 13.5L15.6 20.5L16.3 10.3L20.3 19L22.5 9L24.7 19L28.7 10.3L29.4 20.5L34.5 13.5" +
      "L30.6 27.6c-.5 1.8.1 3.6 1.6 5.2c1.4 1.5 1.9 3.2 1.9 6.4h-23.2c0-3.2.5-4.9 1.9-6.4" +
      "c1.5-1.6 2.1-3.4 1.6-5.2zM10 14.2a2 2 0 1 1 0-4a2 2 0 0 1 0 4zM16 10.6a2 2 0 1 1 0-4" +
      "a2 2 0 0 1 0 4zM22.5 9.2a2 2 0 1 1 0-4a2 2 0 0 1 0 4zM29 10.6a2 2 0 1 1 0-4" +
      "a2 2 0 0 1 0 4zM35 14.2a2 2 0 1 1 0-4a2 2 0 0 1 0 4z",
    detail:
      "M14.4 27.6c5-1.3 11.2-1.3 16.2 0M13.4 32.2c5.6-1.2 12.6-1.2 18.2 0M12 35.8" +
      "c6-1.1 15-1.1 21 0",
  },
  k: {
    body:
      "M22.5 11.4c2.9 0 5.2.9 6.6 2.6h2.3c1.1 0 1.7.9 1.4 1.9l-3.7 10.9h.6" +
      "a1.4 1.4 0 0 1 0 2.8h-1c.6 1.9 1.8 3.1 3.4 3.9c1.6.8 2.2 2.5 2.2 5.7H10.7" +
      "c0-3.2.6-4.9 2.2-5.7c1.6-.8 2.8-2 3.4-3.9h-1a1.4 1.4 0 0 1 0-2.8h.6l-3.7-10.9" +
      "c-.3-1 .3-1.9 1.4-1.9h2.3c1.4-1.7 3.7-2.6 6.6-2.6zM21.3 3.4h2.4v2.3h2.3v2.4h-2.3v3.4" +
      "h-2.4V8.1h-2.3V5.7h2.3z",
    detail: "M15.9 14h13.2M15.9 26.8h13.2M16.3 29.6h12.4M13.4 34.6h18.2",
  },
};

/**
 * The shape of a piece, 45 by 45 with its corner at the origin.
 * @param {string} letter as in a FEN, or `?` for an unknown piece
 * @param {string} [className] further classes, such as `guess`
 * @param {import("./types.js").Side} [side] required for `?`, which has no case
 * @returns {SVGGElement}
 */
export function pieceShape(letter, className = "", side = sideOf(letter)) {
  const classes = `piece ${side} ${className}`.trim();
  if (letter === "?") {
    const text = { class: "body question", x: 22.5, y: 33.5, "text-anchor": "middle" };
    return svg("g", { class: classes }, svg("text", text, "?"));
  }
  const shape = SHAPES[letter.toLowerCase()];
  return svg("g", { class: classes },
    svg("path", { class: "body", d: shape.body }),
    svg("path", { class: "detail", d: shape.detail }),
    (shape.dots ?? []).map(([cx, cy, r]) => svg("circle", { class: "dot", cx, cy, r })),
  );
}

/**
 * A piece as an icon, hidden from screen readers: the text beside it says what it is.
 * @param {string} letter
 * @param {string} [className]
 * @param {import("./types.js").Side} [side]
 */
export function pieceIcon(letter, className = "", side = sideOf(letter)) {
  const shape = pieceShape(letter, className, side);
  return svg("svg", { class: "piece-icon", viewBox: "0 0 45 45", "aria-hidden": "true" }, shape);
}
