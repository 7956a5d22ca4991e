// Reduces a PNG to a palette of 256 colours (median cut), which is a third of the size.

import { deflateSync } from "node:zlib";

const MAX_COLORS = 256;

/** @typedef {{ color: number, count: number }} ColorCount a colour as 0xRRGGBB, and its pixels */

/**
 * @param {import("playwright-core").Page} page any page; it decodes the image
 * @param {Buffer} png
 * @returns {Promise<Buffer>} the same image in at most 256 colours
 */
export async function palettePng(page, png) {
  const { width, height, pixels } = await decode(page, png);
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1);
  const boxes = medianCut([...counts].map(([color, count]) => ({ color, count })));
  /** @type {Map<number, number>} */
  const indices = new Map(boxes.flatMap((box, index) => box.map(({ color }) => [color, index])));
  // The most frequent colour of a box represents it, so that plain areas keep their colour.
  const palette = boxes.map((box) => box.reduce((a, b) => (b.count > a.count ? b : a)).color);
  const rows = Buffer.alloc((width + 1) * height);
  pixels.forEach((color, index) => {
    rows[index + Math.floor(index / width) + 1] = indices.get(color) ?? 0;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const rgb = palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(rgb)),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** @param {import("playwright-core").Page} page @param {Buffer} png */
async function decode(page, png) {
  const { width, height, base64 } = await page.evaluate(async (input) => {
    const bytes = Uint8Array.from(atob(input), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const blockSize = 32_768;
    let binary = "";
    for (let start = 0; start < data.length; start += blockSize) {
      binary += String.fromCharCode(...data.subarray(start, start + blockSize));
    }
    return { width: bitmap.width, height: bitmap.height, base64: btoa(binary) };
  }, png.toString("base64"));
  const bytes = Buffer.from(base64, "base64");
  const colorAt = (/** @type {number} */ index) => bytes.readUInt32BE(index * 4) >>> 8;
  const pixels = Uint32Array.from({ length: width * height }, (_, index) => colorAt(index));
  return { width, height, pixels };
}

/**
 * Divides colours into boxes of similar ones: the box with the highest priority is cut in two,
 * until there are enough boxes.
 * @param {ColorCount[]} colors
 * @returns {ColorCount[][]}
 */
function medianCut(colors) {
  const boxes = [makeBox(colors)];
  while (boxes.length < MAX_COLORS) {
    boxes.sort((a, b) => b.priority - a.priority);
    const [{ colors: box, shift, priority }] = boxes;
    if (priority === 0) break;
    box.sort((a, b) => channel(a, shift) - channel(b, shift));
    const [first, last] = [channel(box[0], shift), channel(box[box.length - 1], shift)];
    const cut = box.findIndex((each) => channel(each, shift) > (first + last) / 2);
    boxes.splice(0, 1, makeBox(box.slice(0, cut)), makeBox(box.slice(cut)));
  }
  return boxes.map(({ colors: box }) => box);
}

/** @param {ColorCount} color @param {number} shift */
const channel = ({ color }, shift) => (color >> shift) & 255;

/** Finds the channel in which a box is widest, and its priority. @param {ColorCount[]} colors */
function makeBox(colors) {
  const pixels = colors.reduce((sum, { count }) => sum + count, 0);
  const widths = [16, 8, 0].map((shift) => {
    const values = colors.map((each) => channel(each, shift));
    return { shift, width: Math.max(...values) - Math.min(...values) };
  });
  const { shift, width } = widths.reduce((a, b) => (b.width > a.width ? b : a));
  return { colors, shift, priority: width * width * Math.sqrt(pixels) };
}

/** @param {string} name @param {Buffer} data */
function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const result = Buffer.alloc(8 + body.length);
  result.writeUInt32BE(data.length, 0);
  result.set(body, 4);
  result.writeUInt32BE(crc32(body), 4 + body.length);
  return result;
}

/** @param {Buffer} bytes */
function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
