// The scale of the graph: steps from left to right, White's score from bottom to top.

export class Scale {
  left = 34;
  right = 12;
  top = 12;
  bottom = 22;

  /** @param {number} width @param {number} height @param {number} last the last step */
  constructor(width, height, last) {
    this.width = width;
    this.height = height;
    this.last = Math.max(1, last);
  }

  /** @param {number} at a step */
  x(at) {
    return this.left + (at / this.last) * (this.width - this.left - this.right);
  }

  /** @param {number} score of White, from 0 to 1 */
  y(score) {
    return this.top + (1 - score) * (this.height - this.top - this.bottom);
  }

  /** The step at a position on the graph. @param {number} x */
  stepAt(x) {
    return Math.round(((x - this.left) / (this.width - this.left - this.right)) * this.last);
  }

  /**
   * The SVG path of a line through points. A point without a score interrupts the line.
   * @param {[number, number | null | undefined][]} points
   */
  path(points) {
    let command = "M";
    let path = "";
    for (const [at, score] of points) {
      if (typeof score !== "number") {
        command = "M";
        continue;
      }
      path += `${command}${this.x(at).toFixed(1)} ${this.y(score).toFixed(1)}`;
      command = "L";
    }
    return path;
  }
}
