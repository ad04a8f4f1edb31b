/** Consolidates memory: gives what changed to a function, and writes what it makes of it, once. */
import type { ScopeInput } from '../../kernel/access/scope.js';
import { hasCode } from '../../contract/errors/agentkeep-error.js';
import type { CommittedChange } from '../../domains/memory/changes/schema.js';
import { SOURCES_MAX } from '../../domains/memory/documents/lineage-limits.js';
import type {
  BatchCommand,
  MemoryChangeInput,
  MemoryRecord,
  RecordInput,
} from '../../domains/memory/documents/schema.js';
import type { Agent } from '../agent.js';
import type { ScopedMemory } from '../scoped-memory.js';
import type { ConsumedPage } from './consumer.js';

/** How often a page is given again after what it was made from has changed meanwhile. */
const TRIES_MAX = 3;

/** What changed since the last run, as it is now. */
export interface ChangedMemory {
  /** The same each time that this page is given. */
  readonly id: string;
  /** The changed records, without those that a model wrote. */
  readonly records: readonly MemoryRecord[];
  /** Ids of changed records that are deleted or have expired. */
  readonly removed: readonly string[];
  /** How often this page was given in this run, from 1. */
  readonly attempt: number;
  /** Returns records of the scope that may contradict one, as `memory.conflicts()` does. */
  readonly conflicts: ScopedMemory['conflicts'];
}

/** A change of the scope, or `{ scope, operation }` of another one. */
type ProposedChange = MemoryChangeInput | BatchCommand;

/** Makes changes of memory, at most 256, from what changed. */
export type Propose = (
  changed: ChangedMemory,
) => readonly ProposedChange[] | Promise<readonly ProposedChange[]>;

/** Settings of a consolidation. */
export interface ConsolidateOptions {
  /** Name of the consumer that keeps the position. Default: a name that is made of the scope. */
  readonly name?: string | undefined;
  /** Most changes of a page, 1 to 32; default 32. */
  readonly limit?: number | undefined;
  /** How long another worker waits after the last sign of this one; default 300. */
  readonly leaseSeconds?: number | undefined;
  /**
   * Where the changes go: into `memory` at once, or, each page as one proposal, into `review`, where
   * they wait for another subject. Default: `memory`.
   */
  readonly into?: 'memory' | 'review' | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a run did. */
export interface Consolidation {
  /** Pages that are done. */
  readonly pages: number;
  /** Changes that were written or proposed. */
  readonly written: number;
  /** Pages for which an earlier run had written already, before it could say so. */
  readonly known: number;
}

/**
 * Gives what changed in a scope since the last run to a function, in pages, and writes the changes
 * that it returns: those of a page all or none, once. Records that state no `source` get `model`,
 * and those that state no `derived_from` get all records of the page.
 *
 * It may be killed at any time and called again, also beside itself: a page that was not committed
 * is given again, and its idempotency key follows from the page. So nothing is lost or doubled,
 * even if the function returns something else then.
 *
 * The agent needs `memory_read` and `memory_write` in the scope, or, with `into: 'review'`,
 * `memory_read` and `memory_propose`. A scope that requires review gets proposals in any case.
 *
 * @throws {AgentkeepError} `consumer_held` while another worker runs; what a command is refused
 * with, `revision_conflict` after three tries.
 * @example
 * ```ts
 * import { consolidate, inMemoryStore, openKeep, type ScopeInput } from '@agentkeep/core';
 * import { agentFor } from '@agentkeep/core/operator';
 *
 * await using keep = await openKeep({ store: inMemoryStore() });
 * const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
 * const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'helper', scopes: [scope] });
 * await agent.memory.in(scope).remember('Ann likes tea.', { source: 'user' });
 *
 * const done = await consolidate(agent, scope, ({ records }) => {
 *   const primary = records.map(({ payload }) => payload.content.primary).join(' ');
 *   return [{ type: 'put', name: 'summary', record: { content: { primary } } }];
 * });
 * console.log(done); // { pages: 1, written: 1, known: 0 }
 * ```
 */
export async function consolidate(
  agent: Agent,
  scope: ScopeInput,
  propose: Propose,
  {
    name = nameOf(scope),
    limit = SOURCES_MAX,
    leaseSeconds = 300,
    into = 'memory',
    signal,
  }: ConsolidateOptions = {},
): Promise<Consolidation> {
  if (!(limit >= 1 && limit <= SOURCES_MAX)) {
    throw new RangeError(`limit has to be from 1 to ${SOURCES_MAX}.`);
  }
  const memory = agent.memory.in(scope);
  const consumer = memory.consumers.open(name, { leaseSeconds });
  const done = { pages: 0, written: 0, known: 0 };
  for await (const page of consumer.pages({ limit, signal })) {
    const { written, isKnown } = await consolidatePage(memory, page, {
      scope,
      propose,
      into,
      signal,
    });
    done.pages += 1;
    done.written += written;
    done.known += Number(isKnown);
  }
  return done;
}

/** Returns the name of the consumer of a scope. */
function nameOf({ project_id, mission_id, agent_id, visibility }: ScopeInput): string {
  return ['consolidation', project_id, mission_id ?? '', agent_id, visibility].join('/');
}

interface Consolidating {
  readonly scope: ScopeInput;
  readonly propose: Propose;
  readonly into: NonNullable<ConsolidateOptions['into']>;
  readonly signal: AbortSignal | undefined;
}

/** What was written for a page. */
interface PageResult {
  readonly written: number;
  readonly isKnown: boolean;
}

async function consolidatePage(
  memory: ScopedMemory,
  page: ConsumedPage,
  { scope, propose, into, signal }: Consolidating,
): Promise<PageResult> {
  const conflicts: ChangedMemory['conflicts'] = (record, options) =>
    memory.conflicts(record, { signal, ...options });
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    const changed = await changedIn(memory, page.changes, signal);
    if (changed.records.length === 0 && changed.removed.length === 0) return NOTHING;
    const proposed = await propose({ ...changed, id: page.id, attempt, conflicts });
    if (proposed.length === 0) return NOTHING;
    await page.renew();
    const changes = proposed.map((each) =>
      'operation' in each
        ? { ...each, operation: withLineage(each.operation, changed.records, scope) }
        : withLineage(each, changed.records),
    );
    try {
      const idempotencyKey = `consolidation ${page.id}`;
      const options = { idempotencyKey, signal, propose: into === 'review' };
      const { outcomes } = await memory.batch(changes, options);
      return { written: outcomes.length, isKnown: false };
    } catch (error) {
      // The same page, with another proposal: an earlier run has written its own.
      if (hasCode(error, 'idempotency_conflict')) return { written: 0, isKnown: true };
      const isOutdated = hasCode(error, 'revision_conflict', 'record_not_found');
      if (!isOutdated || attempt === TRIES_MAX) throw error;
    }
  }
}

const NOTHING: PageResult = { written: 0, isKnown: false };

/** Reads changed records as they are now, each once. */
async function changedIn(
  memory: ScopedMemory,
  changes: readonly CommittedChange[],
  signal: AbortSignal | undefined,
): Promise<Pick<ChangedMemory, 'records' | 'removed'>> {
  const records: MemoryRecord[] = [];
  const removed: string[] = [];
  for (const id of new Set(changes.map(({ record_id }) => record_id))) {
    try {
      const record = await memory.read(id, { signal });
      if (record.payload.source !== 'model') records.push(record);
    } catch (error) {
      if (!hasCode(error, 'record_not_found')) throw error;
      removed.push(id);
    }
  }
  return { records, removed };
}

/** Returns a change whose record says what it came from; `scope` is that of the sources. */
function withLineage(
  change: MemoryChangeInput,
  records: readonly MemoryRecord[],
  scope?: ScopeInput,
): MemoryChangeInput {
  if (!('record' in change)) return change;
  const named = scope === undefined ? {} : { scope };
  const from = records.map(({ record_id, revision }) => ({ ...named, record_id, revision }));
  const record: RecordInput = {
    source: 'model',
    ...(from.length === 0 ? {} : { derived_from: from }),
    ...change.record,
  };
  return { ...change, record };
}
