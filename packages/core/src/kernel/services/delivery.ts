/** Where answers to callers wait until the commits that they state are in a replication target. */
import type { Transactions } from '../../storage/store/store.js';
import { Port } from '../ports/port.js';
import { withStore } from './confirmed-store.js';
import type { Runtime } from './runtime.js';

/**
 * Resolves once the target has every commit so far; null where answers don't wait. Throws
 * `replica_unavailable` or `replica_fenced`; the commits are stored then.
 */
export const delivery = new Port<(() => Promise<void>) | null>('the delivery of commits');

/** The delivery of what one change stores. */
export class DeliveredChange {
  /** The runtime that the change uses. */
  readonly runtime: Runtime;
  readonly #deliver: () => Promise<void>;
  #isMade = false;

  constructor(runtime: Runtime, deliver: () => Promise<void>) {
    this.#deliver = deliver;
    this.runtime = withStore(runtime, this.#noting(runtime));
  }

  /**
   * Waits for the delivery, if the change ran a transaction: also one that wrote nothing, because
   * it may have found what another one wrote.
   * @throws {AgentkeepError} as {@link delivery}.
   */
  async settle(): Promise<void> {
    if (this.#isMade) await this.#deliver();
  }

  #noting({ store }: Runtime): Transactions {
    return {
      // No store with a target is shared, so it has no `suppose`.
      isShared: store.isShared,
      read: (body) => store.read(body),
      transact: (body) => {
        this.#isMade = true;
        return store.transact(body);
      },
    };
  }
}

/**
 * Makes a change for a caller outside of `invoke()`, who gets its result once it is delivered.
 * @throws {AgentkeepError} what the change or {@link delivery} throws.
 */
export async function onceDelivered<T>(
  runtime: Runtime,
  change: (runtime: Runtime) => Promise<T>,
): Promise<T> {
  const deliver = delivery.of(runtime);
  if (deliver === null) return change(runtime);
  const delivered = new DeliveredChange(runtime, deliver);
  const result = await change(delivered.runtime);
  await delivered.settle();
  return result;
}
