/** Consumers of changes: one that reads on, and all that there are. */
import { refuseUnknownOptions, requireArguments } from '../../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import type { CommittedChange } from '../../domains/memory/changes/schema.js';
import type {
  ConsumerPage,
  Consumer as ShownConsumer,
} from '../../domains/memory/consumers/schema.js';
import type { ScopeInput } from '../../kernel/access/scope.js';
import { type CallOperation, type CallOptions, type NewKey, stated } from '../call.js';

/** How long one call waits for changes. */
const WAIT_MILLIS = 30_000;

/** How a worker goes on with a consumer. */
interface ConsumerOptions {
  /** Names the worker, unlike any other. Default: a new name for each consumer that is opened. */
  readonly holder?: string | undefined;
  /** How long others wait after the last sign of this worker: 1 to 3,600; default 60. */
  readonly leaseSeconds?: number | undefined;
  /** Where a new consumer begins: with the `oldest` change (default), or after the `latest`. */
  readonly start?: 'oldest' | 'latest' | undefined;
}

/** Which pages to read. */
interface ConsumerPagesOptions extends CallOptions {
  /** Most changes of a page, 1 to 256; default 100. */
  readonly limit?: number | undefined;
  /** Whether to wait for more changes at the end, until the signal ends it; default false. */
  readonly wait?: boolean | undefined;
}

/** A page that is committed when the next one is asked for. */
export interface ConsumedPage {
  /** The same each time that this page is read, at any worker. */
  readonly id: string;
  readonly changes: readonly CommittedChange[];
  /** Renews the lease, for work that takes longer than it. */
  readonly renew: () => Promise<void>;
}

/** What a consumer is made with. */
interface ConsumerParts {
  readonly call: CallOperation;
  readonly newKey: NewKey;
  /** Only changes in this scope; absent for all that the agent may read. */
  readonly scope: ScopeInput | undefined;
}

/** A worker of a consumer. */
class Consumer {
  readonly name: string;
  /** The name of this worker. */
  readonly holder: string;
  readonly #parts: ConsumerParts;
  readonly #options: ConsumerOptions;

  constructor(parts: ConsumerParts, name: string, options: ConsumerOptions) {
    this.name = name;
    this.holder = options.holder ?? parts.newKey();
    this.#parts = parts;
    this.#options = options;
  }

  /**
   * Yields the pages that are left, in order of commits. A page is committed when the loop
   * comes back for the next one; a loop that is left or that throws leaves its page to the next
   * worker. The consumer is claimed before the first page and released after the last.
   * @throws {AgentkeepError} `consumer_held` while another worker holds it; `consumer_not_held` when
   * another one has claimed it meanwhile; `position_expired` when changes are no longer kept.
   * @example
   * ```ts
   * import { inMemoryStore, openKeep } from '@agentkeep/core';
   * import { agentFor } from '@agentkeep/core/operator';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * const { memory } = await agentFor(keep, { subject: 'ann' });
   * await memory.remember('Ann prefers short answers.');
   *
   * for await (const { changes } of memory.consumers.open('nightly').pages()) {
   *   console.log(changes.map(({ action }) => action)); // [ 'created' ]
   * }
   * ```
   */
  async *pages(options: ConsumerPagesOptions = {}): AsyncGenerator<ConsumedPage, void> {
    const { limit, wait = false, signal } = options;
    const renew = async (): Promise<void> => {
      await this.claim({ signal });
    };
    await renew();
    try {
      for (;;) {
        const waitMillis = wait ? WAIT_MILLIS : 0;
        const { page_id: id, page } = await this.read({ limit, waitMillis, signal });
        if (page.changes.length > 0) yield { id, changes: page.changes, renew };
        await this.commit(page.next_after, { signal });
        if (!wait && !page.has_more) return;
      }
    } finally {
      // The lease ends by itself where this fails.
      await this.release().catch(() => undefined);
    }
  }

  /** Claims the consumer for this worker, makes it if there is none, or renews its lease. */
  async claim({
    restart = false,
    signal,
  }: CallOptions & { readonly restart?: boolean | undefined } = {}): Promise<ShownConsumer> {
    const { start } = this.#options;
    const document = {
      ...this.#document(),
      ...this.#lease(),
      scope: this.#parts.scope ?? null,
      ...stated({ start }),
      restart,
    };
    const parts = { id: this.name, document };
    return (await this.#parts.call('claimConsumer', parts, { signal })).consumer;
  }

  /** Reads the next page; the same one until a position is committed. */
  read({
    limit,
    waitMillis,
    signal,
  }: CallOptions & {
    readonly limit?: number | undefined;
    readonly waitMillis?: number | undefined;
  } = {}): Promise<ConsumerPage> {
    const document = {
      ...this.#document(),
      ...stated({ limit, wait_millis: waitMillis }),
    };
    return this.#parts.call('readConsumer', { id: this.name, document }, { signal });
  }

  /** Moves the consumer on to a cursor of a page, and renews the lease. */
  async commit(cursor: string, { signal }: CallOptions = {}): Promise<ShownConsumer> {
    const document = { ...this.#document(), ...this.#lease(), cursor };
    const parts = { id: this.name, document };
    return (await this.#parts.call('commitConsumer', parts, { signal })).consumer;
  }

  /** Lets another worker claim the consumer at once. */
  async release({ signal }: CallOptions = {}): Promise<ShownConsumer> {
    const parts = { id: this.name, document: this.#document() };
    return (await this.#parts.call('releaseConsumer', parts, { signal })).consumer;
  }

  #document() {
    return { contract_version: CONTRACT_VERSION, holder: this.holder };
  }

  #lease(): { lease_seconds?: number } {
    const { leaseSeconds } = this.#options;
    return stated({ lease_seconds: leaseSeconds });
  }
}

const parameters = { contract_version: CONTRACT_VERSION };

/** Opens, lists and deletes consumers of the subject of an agent. */
export class ConsumersClient {
  readonly #parts: ConsumerParts;

  constructor(parts: ConsumerParts) {
    this.#parts = parts;
  }

  /** Returns a worker of the consumer with a name. Its first claim makes the consumer. */
  open(name: string, options: ConsumerOptions = {}): Consumer {
    const call = 'memory.consumers.open()';
    requireArguments(call, { name });
    refuseUnknownOptions(call, options, ['holder', 'leaseSeconds', 'start']);
    return new Consumer(this.#parts, name, options);
  }

  /** Returns the consumers of the subject, by name. */
  async list({ signal }: CallOptions = {}): Promise<ShownConsumer[]> {
    return (await this.#parts.call('listConsumers', { parameters }, { signal })).consumers;
  }

  /**
   * Deletes a consumer with its position.
   * @throws {AgentkeepError} `target_not_found` when there is none.
   */
  async delete(name: string, { signal }: CallOptions = {}): Promise<void> {
    requireArguments('memory.consumers.delete()', { name });
    await this.#parts.call('deleteConsumer', { id: name, parameters }, { signal });
  }
}
