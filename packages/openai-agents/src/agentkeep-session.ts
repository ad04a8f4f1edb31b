/** A session of the OpenAI Agents SDK whose history is stored in a scope. */
import { type Agent, AgentkeepError, type ScopeInput } from '@agentkeep/client';
import {
  type AgentInputItem,
  applySessionHistoryMutations,
  type SessionHistoryRewriteArgs,
  type SessionHistoryRewriteAwareSession,
  type SessionHistoryTransactionArgs,
  type SessionHistoryTransactionAwareSession,
  UserError,
} from '@openai/agents-core';
import { checkedTransaction, copiedItems, operationOf } from './history-transaction.js';
import { canonicalItems } from './item-json.js';
import {
  itemCount,
  lastPages,
  type Operation,
  type SessionChange,
  withItems,
  withOperation,
  withoutLast,
} from './session-state.js';
import { type SessionHead, SessionStore } from './session-store.js';

/** The location of a session. */
export interface AgentkeepSessionOptions {
  /** Acts on the records; it needs `memory_read` and `memory_write` on the scope. */
  readonly agent: Agent;
  /** The scope of the records. A private one belongs to the subject of the agent. */
  readonly scope: ScopeInput;
  /** Which session of the scope; default: a new one. */
  readonly sessionId?: string | undefined;
  /** Replaces the clock, in tests: Unix milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** What to do after the head was read; without `change`, nothing is written. */
interface Decision<T> {
  readonly change?: SessionChange | 'clear' | undefined;
  readonly result: T;
}

/** Conflicting changes by others after which one call gives up. */
const ATTEMPTS_MAX = 1_000;

/**
 * A session that survives the process and can be used by several processes at once. Each change is
 * one atomic commit, based on the history that it saw: if another process was faster, the change is
 * decided again on the newer history.
 * @example
 * ```ts
 * import { AgentkeepSession } from '@agentkeep/openai-agents';
 * import { inMemoryStore, openKeep, type ScopeInput } from '@agentkeep/core';
 * import { agentFor } from '@agentkeep/core/operator';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
 * const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'helper', scopes: [scope] });
 *
 * const session = new AgentkeepSession({ agent, scope, sessionId: 'ann' });
 * await session.addItems([{ role: 'user', content: 'Hello.' }]);
 * console.log((await session.getItems()).length); // 1
 * ```
 */
export class AgentkeepSession
  implements SessionHistoryRewriteAwareSession, SessionHistoryTransactionAwareSession
{
  readonly #sessionId: string;
  readonly #store: SessionStore;
  /** Calls of one object run one after the other, in the order in which they were made. */
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Begins or continues a session; nothing is sent yet.
   * @throws {UserError} for a session id that is blank or too long.
   */
  constructor({ agent, scope, sessionId, now = Date.now }: AgentkeepSessionOptions) {
    this.#sessionId = sessionId ?? crypto.randomUUID();
    this.#store = new SessionStore(agent.memory.in(scope), this.#sessionId, now);
  }

  /** Returns the id of the session. */
  getSessionId(): Promise<string> {
    return Promise.resolve(this.#sessionId);
  }

  /** Returns all items, or the latest ones up to a number, in their order. */
  getItems(limit?: number): Promise<AgentInputItem[]> {
    if (limit !== undefined && limit <= 0) return Promise.resolve([]);
    return this.#decide(async (head) => {
      const items = await this.#lastItems(head, limit ?? Number.POSITIVE_INFINITY);
      return items && { result: items };
    });
  }

  /**
   * Appends items, all or none.
   * @throws {SessionLimitError} when they are more than one change may have.
   */
  async addItems(items: AgentInputItem[]): Promise<void> {
    if (items.length === 0) return;
    const copies = copiedItems(items);
    await this.#decide(({ state }) => ({
      change: withItems(withoutLast(state, 0), copies),
      result: undefined,
    }));
  }

  /** Removes the latest item and returns it, or `undefined` if there is none. */
  popItem(): Promise<AgentInputItem | undefined> {
    return this.#decide(async (head) => {
      let gone = 0;
      for (;;) {
        const { state } = withoutLast(head.state, gone);
        const items = await this.#lastItems({ ...head, state }, 1);
        if (items === undefined) return undefined;
        if (itemCount(state) === 0 || items.length > 0) {
          const popped = gone + items.length;
          const change = popped === 0 ? undefined : withoutLast(head.state, popped);
          return { change, result: items[0] };
        }
        // The last page has expired, so the item before it is the latest.
        gone += state.pages.at(-1)?.[1] ?? 0;
      }
    });
  }

  /** Removes all items and forgets the operations that were applied. */
  async clearSession(): Promise<void> {
    await this.#decide(() => ({ change: 'clear', result: undefined }));
  }

  /** Replaces the whole history in one commit; operations that were applied stay known. */
  async replaceHistoryWithCompaction(items: AgentInputItem[]): Promise<void> {
    const copies = copiedItems(items);
    await this.#decide(({ state }) => ({
      change: withItems(withoutLast(state, itemCount(state)), copies),
      result: undefined,
    }));
  }

  /** Rewrites stored items in one commit. */
  async applyHistoryMutations({ mutations }: SessionHistoryRewriteArgs): Promise<void> {
    if (mutations.length === 0) return;
    await this.#decide(async (head) => {
      const before = await this.#lastItems(head, Number.POSITIVE_INFINITY);
      if (before === undefined) return undefined;
      const after = copiedItems(applySessionHistoryMutations(before, mutations));
      if (canonicalItems(before) === canonicalItems(after)) return { result: undefined };
      const isWhole = before.length === itemCount(head.state);
      const kept = isWhole ? equalFromStart(before, after) : 0;
      const cut = withoutLast(head.state, itemCount(head.state) - kept);
      return { change: withItems(cut, after.slice(kept)), result: undefined };
    });
  }

  /**
   * Changes the history once for each operation id, in one commit with the id.
   * @throws {UserError} when the id was applied with another transaction, when the suffix isn't the
   * expected one, and for arguments that are none of the contract; nothing is changed then.
   */
  async applyHistoryTransaction(args: SessionHistoryTransactionArgs): Promise<void> {
    const { operationId, transaction } = checkedTransaction(args);
    const named = operationOf(operationId, transaction);
    await this.#decide(async (head) => {
      const operation = await named;
      const applied = await this.#applied(head, operation);
      if (applied === undefined) return undefined;
      if (applied) return { result: undefined };
      const isAppend = transaction.type === 'append_items';
      const expected = isAppend ? [] : transaction.expectedSuffix;
      const actual = await this.#lastItems(head, expected.length);
      if (actual === undefined) return undefined;
      if (canonicalItems(actual) !== canonicalItems(expected)) {
        throw new UserError('The history does not end with the items that are to be replaced.');
      }
      const items = isAppend ? transaction.items : transaction.replacement;
      const cut = withoutLast(head.state, expected.length);
      return { change: withOperation(withItems(cut, items), operation), result: undefined };
    });
  }

  /** Returns whether an operation was applied, or `undefined` if the head was changed meanwhile. */
  async #applied(head: SessionHead, [id, transaction]: Operation): Promise<boolean | undefined> {
    const isSame = (operation: Operation): boolean => operation[0] === id;
    const earlier = await this.#store.operations(head);
    const found = [...(earlier ?? []), ...head.state.operations].find(isSame);
    if (found === undefined) return earlier && false;
    if (found[1] === transaction) return true;
    throw new UserError('This operationId was applied with another transaction.');
  }

  /** Returns the latest items, or `undefined` if the head was changed meanwhile. */
  async #lastItems(head: SessionHead, limit: number): Promise<AgentInputItem[] | undefined> {
    if (limit <= 0) return [];
    const pages = await this.#store.items(head, lastPages(head.state, limit));
    return pages && [...pages.flat(), ...head.state.tail].slice(-limit);
  }

  /** Decides on the current head, again whenever the head was changed meanwhile. */
  #decide<T>(
    decision: (head: SessionHead) => Decision<T> | Promise<Decision<T> | undefined>,
  ): Promise<T> {
    const run = async (): Promise<T> => {
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
        const head = await this.#store.head();
        const decided = await decision(head);
        if (decided === undefined) continue;
        const { change, result } = decided;
        const isDone =
          change === undefined ||
          (change === 'clear'
            ? await this.#store.clear(head)
            : await this.#store.commit(head, change));
        if (isDone) return result;
      }
      throw new AgentkeepError('revision_conflict');
    };
    const done = this.#last.then(run);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** Returns how many items two lists have in common at their starts. */
function equalFromStart(one: readonly AgentInputItem[], other: readonly AgentInputItem[]): number {
  const differs = one.findIndex((item, index) => {
    const peer = other[index];
    return peer === undefined || canonicalItems([item]) !== canonicalItems([peer]);
  });
  return differs === -1 ? one.length : differs;
}
