/** The bus of one subscription: it ends with its stream, and is no faster than its reader. */
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';

/** Carries the changes of one caller to one stream, so that no caller learns of another's. */
export class SubscriptionBus implements ServerEventBus {
  readonly #closed: () => void;
  #listener: ((event: ServerEvent) => void) | undefined;
  #isAwaited = false;
  /** Continues the work that waits for the reader. */
  #wake: (() => void) | undefined;

  /** Calls `closed` when the stream has ended. */
  constructor(closed: () => void) {
    this.#closed = closed;
  }

  /** Whether a stream listens. */
  get isOpen(): boolean {
    return this.#listener !== undefined;
  }

  /** Reports to the stream that a resource changed. */
  publish(event: ServerEvent): void {
    this.#listener?.(event);
  }

  /** Resolves when the reader has read everything and waits for more, or has disconnected. */
  async ready(): Promise<void> {
    if (this.#isAwaited || !this.isOpen) return;
    await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  /** Returns the body of the stream, which is read only on demand of its reader. */
  bodyOf(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    const source = {
      pull: async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
        this.#isAwaited = true;
        this.#wake?.();
        const { done, value } = await reader.read();
        this.#isAwaited = false;
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason: unknown) => reader.cancel(reason),
    };
    return new ReadableStream(source, { highWaterMark: 0 });
  }

  /** Connects the stream. */
  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.#listener = listener;
    return () => {
      if (this.#listener === undefined) return;
      this.#listener = undefined;
      this.#wake?.();
      this.#closed();
    };
  }
}
