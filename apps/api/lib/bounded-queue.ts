/**
 * A queue between a producer that must never wait and one slow reader. It holds at most `limit` items; the push that
 * would exceed it is refused, and the caller decides what happens to the reader. The reader gets what has come together
 * as one batch, so that a burst costs it one step, not one an item.
 */
export class BoundedQueue<T> implements AsyncIterable<readonly T[]> {
  #items: T[] = [];
  /** Items taken in but not yet dealt with by the reader, whichever batch they are in. */
  #held = 0;
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(
    private readonly limit: number,
    private readonly batchItems: number,
  ) {}

  /** False when the item was not taken: the queue is full or closed. */
  push(item: T): boolean {
    if (this.#closed || this.#held >= this.limit) return false;
    this.#held += 1;
    this.#items.push(item);
    this.#wakeReader();
    return true;
  }

  /** Ends the reader's loop at once; items that still wait are dropped. */
  close(): void {
    this.#closed = true;
    this.#items = [];
    this.#wakeReader();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<readonly T[]> {
    while (!this.#closed) {
      const batch = this.#items.splice(0, this.batchItems);
      if (batch.length > 0) {
        yield batch;
        this.#held -= batch.length;
        continue;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** After this round of the event loop: what one event of the producer pushes comes in one batch. */
  #wakeReader(): void {
    if (this.#wake !== undefined) setImmediate(this.#wake);
    this.#wake = undefined;
  }
}
