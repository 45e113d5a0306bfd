/**
 * A queue between a producer that must never wait and one slow reader. It holds at most `limit` items; the push that
 * would exceed it is refused, and the caller decides what happens to the reader.
 */
export class BoundedQueue<T> implements AsyncIterable<T> {
  #items: T[] = [];
  /** Items taken in but not yet handed to the reader, whichever batch they are in. */
  #held = 0;
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(private readonly limit: number) {}

  /** False when the item was not taken: the queue is full or closed. */
  push(item: T): boolean {
    if (this.#closed || this.#held >= this.limit) return false;
    this.#held += 1;
    this.#items.push(item);
    this.#wake?.();
    return true;
  }

  /** Ends the reader's loop at once; items that still wait are dropped. */
  close(): void {
    this.#closed = true;
    this.#items = [];
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    while (!this.#closed) {
      // Taken in batches, so that a burst is not shifted out of an array item by item.
      const batch = this.#items;
      this.#items = [];
      for (const item of batch) {
        if (this.#closed) return;
        this.#held -= 1;
        yield item;
      }
      if (batch.length > 0) continue;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}
