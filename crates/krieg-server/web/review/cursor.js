// The current step of a review. All parts of the page subscribe to it.

export class Cursor {
  #at = 0;
  /** @type {((at: number) => void)[]} */ #subscribers = [];

  /** @param {number} last the last position, which is the number of steps */
  constructor(last) {
    this.last = last;
  }

  /** The number of steps that have been made. */
  get at() {
    return this.#at;
  }

  /** @param {number} position */
  moveTo(position) {
    const at = Math.max(0, Math.min(this.last, Math.trunc(position) || 0));
    if (at === this.#at) return;
    this.#at = at;
    this.notify();
  }

  /** @param {(at: number) => void} subscriber called at once, and after each change */
  subscribe(subscriber) {
    this.#subscribers.push(subscriber);
    subscriber(this.#at);
  }

  /** Calls all subscribers, for example when there is more to show at the same step. */
  notify() {
    for (const subscriber of this.#subscribers) subscriber(this.#at);
  }
}
