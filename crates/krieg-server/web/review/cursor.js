// Where in the game the reviewer stands: after so many steps. Everything on the page follows it.

export class Cursor {
  #at = 0;
  /** @type {((at: number) => void)[]} */ #followers = [];

  /** @param {number} last the last place, which is the number of steps */
  constructor(last) {
    this.last = last;
  }

  get at() {
    return this.#at;
  }

  /** @param {number} place */
  to(place) {
    const at = Math.max(0, Math.min(this.last, Math.trunc(place) || 0));
    if (at === this.#at) return;
    this.#at = at;
    this.tell();
  }

  /** @param {(at: number) => void} follower */
  follow(follower) {
    this.#followers.push(follower);
    follower(this.#at);
  }

  /** Tells all followers again, such as when there is more to show of the same place. */
  tell() {
    for (const follower of this.#followers) follower(this.#at);
  }
}
