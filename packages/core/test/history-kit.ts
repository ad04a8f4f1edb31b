/** Random histories of memory, and all that reads answer about a scope. */
import fc from 'fast-check';
import type { MemoryScopeInput } from '../src/kernel/access/scope.js';
import type { Agent, Receipt, ScopeInput, SearchOptions } from '../src/index.js';

type AsOf = NonNullable<SearchOptions['asOf']>;

/** The scope of the histories. */
export const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };
/** Another scope. */
export const other: ScopeInput = { ...scope, project_id: 'other' };
const KINDS = [
  ...(['create', 'put', 'update', 'delete', 'remove', 'restore', 'redact'] as const),
  ...(['elsewhere', 'batch'] as const),
] as const;
const TEXTS = ['tea', 'rain and tea', 'alps', 'tea tea in the alps'];
/** Bounds of pages. */
export const scanLimits = [undefined, 1, 3, undefined];
const NAMES = ['n0', 'n1', 'n2'];

/** A step of a history. */
export const step = fc.record({
  kind: fc.constantFrom(...KINDS),
  of: fc.nat({ max: 5 }),
  text: fc.constantFrom(...TEXTS),
  lasts: fc.boolean(),
});
/** Histories of some steps. */
export const histories = fc.array(step, { maxLength: 14, size: 'max' });
/** A step of a history. */
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The records of a history, and their revisions as its commands made them. */
export interface Made {
  readonly ids: string[];
  readonly revisions: Map<string, number>;
}

/** Returns the records before the first step. */
export function nothingMade(): Made {
  return { ids: [], revisions: new Map() };
}

/** Returns the same records, to go on from them separately. */
export function copied({ ids, revisions }: Made): Made {
  return { ids: [...ids], revisions: new Map(revisions) };
}

/** Executes a step. Throws where it is refused. */
export async function take(
  agent: Agent,
  made: Made,
  step: Step,
  { nowMs, where = scope }: { readonly nowMs: number; readonly where?: MemoryScopeInput },
): Promise<void> {
  for (const { record_id, revision, action } of await outcomesOf(agent, made, step, nowMs, where)) {
    if (action === 'redacted') continue;
    if (!made.revisions.has(record_id)) made.ids.push(record_id);
    made.revisions.set(record_id, revision);
  }
}

type Outcome = Pick<Receipt, 'record_id' | 'revision' | 'action'>;

async function outcomesOf(
  agent: Agent,
  { ids, revisions }: Made,
  { kind, of, text, lasts }: Step,
  nowMs: number,
  where: MemoryScopeInput,
): Promise<readonly Outcome[]> {
  const memory = agent.memory.in(where);
  const recordId = ids[of % Math.max(1, ids.length)] ?? '';
  const expectedRevision = revisions.get(recordId) ?? 0;
  const name = NAMES[of % NAMES.length] ?? '';
  const record = {
    content: { primary: text, embedding: [of, 1] },
    tags: [text.slice(0, 3)],
    valid_until_millis: lasts ? null : nowMs + 2_500,
  };
  const before = (revisionsBack: number) => Math.max(1, expectedRevision - revisionsBack);
  switch (kind) {
    case 'create':
      return [await memory.create(record)];
    case 'put':
      return [await memory.put(name, record)];
    case 'update':
      return [await memory.update({ recordId, expectedRevision }, record)];
    case 'delete':
      return [await memory.delete({ recordId, expectedRevision })];
    case 'remove':
      return [await memory.delete({ name })];
    case 'restore':
      return [await memory.restore({ recordId, revision: before(1), expectedRevision })];
    case 'redact':
      return [await memory.redact({ recordId, revision: before(2) })];
    case 'elsewhere':
      await agent.memory.in(other).create(record);
      return [];
    case 'batch': {
      const receipt = await agent.memory.batch([
        { scope: where, operation: { type: 'create', record } },
        { scope: where, operation: { type: 'put', name, expected_revision: null, record } },
      ]);
      return receipt.outcomes;
    }
  }
}

/** Where and how to look. */
export interface Looked {
  readonly asOf?: AsOf | undefined;
  readonly scanLimit?: number | undefined;
  readonly where?: MemoryScopeInput;
}

/** Returns all that reads answer about a scope. */
export async function stateOf(
  agent: Agent,
  ids: readonly string[],
  { asOf, scanLimit, where = scope }: Looked = {},
) {
  const memory = agent.memory.in(where);
  const found: unknown[] = [];
  const at = { ...(asOf === undefined ? {} : { asOf }) };
  for await (const record of memory.query({}, { ...at, limit: 3 })) found.push(record);
  const words = { words: { text: 'tea alps', match: 'any' as const } };
  const scan = scanLimit === undefined ? {} : { scanLimit };
  for (const order of [
    'newest',
    'oldest_event',
    'most_words',
    'rarest_words',
    'best_words',
  ] as const) {
    for await (const match of memory.search(words, { ...at, ...scan, order, limit: 2 })) {
      found.push(match);
    }
  }
  const vector = { values: [1, 1] };
  for await (const match of memory.search(
    {},
    { ...at, ...scan, order: 'nearest', vector, limit: 4 },
  )) {
    found.push(match);
  }
  const { matches } = await memory.searchPage(
    {},
    { ...at, order: 'hybrid', vector, words: { text: 'tea' }, scopes: [where, other] },
  );
  found.push(matches, await memory.count({}, { ...at, by: ['tag', 'type'] }));
  found.push(await memory.recall('tea in the alps', at));
  for (const name of NAMES) found.push((await memory.read({ name }, at)) ?? name);
  for (const id of ids)
    found.push(await memory.read(id, at).catch((error: unknown) => String(error)));
  return found;
}
