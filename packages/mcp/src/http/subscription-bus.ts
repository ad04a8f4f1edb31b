/** The bus of one subscription: it ends with its stream. */
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';

/** Carries the changes of one caller to one stream, so that no caller learns of another's. */
export class SubscriptionBus implements ServerEventBus {
  readonly #closed: () => void;
  #listener: ((event: ServerEvent) => void) | undefined;

  /** Calls `closed` when the stream has ended. */
  constructor(closed: () => void) {
    this.#closed = closed;
  }

  /** Whether a stream listens. */
  get isOpen(): boolean {
    return this.#listener !== undefined;
  }

  /** Tells the stream that a resource changed. */
  publish(event: ServerEvent): void {
    this.#listener?.(event);
  }

  /** Connects the stream. */
  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.#listener = listener;
    return () => {
      if (this.#listener === undefined) return;
      this.#listener = undefined;
      this.#closed();
    };
  }
}
