/** A read as of a position answers as it did then (docs/contract/as-of.md#aso-3). */
import { testStore } from '@agentkeep/testkit/test-store';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Agent, openKeep, type ScopeInput } from '../../index.js';
import { agentFor, bootstrapTenant } from '../../operator.js';
import { ManualClock } from '../../testing.js';
import type { AsOf } from '../documents/as-of-schema.js';

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };
const other: ScopeInput = { ...scope, project_id: 'other' };
const KINDS = [
  ...(['create', 'put', 'update', 'delete', 'remove', 'restore', 'redact'] as const),
  ...(['elsewhere', 'batch'] as const),
] as const;
const TEXTS = ['tea', 'rain and tea', 'alps', 'tea tea in the alps'];
const scanLimits = [undefined, 1, 3, undefined];
const NAMES = ['n0', 'n1', 'n2'];

const step = fc.record({
  kind: fc.constantFrom(...KINDS),
  of: fc.nat({ max: 5 }),
  text: fc.constantFrom(...TEXTS),
  lasts: fc.boolean(),
});
const histories = fc.array(step, { maxLength: 14, size: 'max' });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Executes a step. Returns whether it changed something. */
async function take(agent: Agent, ids: string[], { kind, of, text, lasts }: Step, nowMs: number) {
  const memory = agent.memory.in(scope);
  const id = ids[of % Math.max(1, ids.length)] ?? '';
  const name = NAMES[of % NAMES.length] ?? '';
  const record = {
    content: { primary: text, embedding: [of, 1] },
    tags: [text.slice(0, 3)],
    valid_until_millis: lasts ? null : nowMs + 2_500,
  };
  const current = async () => {
    const { items } = await memory.historyPage(id, { limit: 1 });
    return items[0]?.revision ?? 0;
  };
  switch (kind) {
    case 'create':
      return ids.push((await memory.create(record)).record_id);
    case 'put':
      return ids.push((await memory.put(name, record)).record_id);
    case 'update':
      return memory.update({ recordId: id, expectedRevision: await current() }, record);
    case 'delete':
      return memory.delete({ recordId: id, expectedRevision: await current() });
    case 'remove':
      return memory.delete({ name });
    case 'restore': {
      const revision = await current();
      const target = { recordId: id, revision: Math.max(1, revision - 1) };
      return memory.restore({ ...target, expectedRevision: revision });
    }
    case 'redact':
      return memory.redact({ recordId: id, revision: Math.max(1, (await current()) - 2) });
    case 'elsewhere':
      return agent.memory.in(other).create(record);
    case 'batch':
      return agent.memory.batch([
        { scope, operation: { type: 'create', record } },
        { scope, operation: { type: 'put', name, expected_revision: null, record } },
      ]);
  }
}

/** Everything that reads say of a scope. */
async function stateOf(agent: Agent, ids: readonly string[], asOf?: AsOf, scanLimit?: number) {
  const memory = agent.memory.in(scope);
  const found: unknown[] = [];
  const at = { ...(asOf === undefined ? {} : { asOf }) };
  for await (const record of memory.query({}, { ...at, limit: 3 })) found.push(record);
  const words = { words: { text: 'tea alps', match: 'any' as const } };
  const scan = scanLimit === undefined ? {} : { scanLimit };
  for (const order of ['newest', 'oldest_event', 'most_words', 'rarest_words'] as const) {
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
    { ...at, order: 'hybrid', vector, words: { text: 'tea' }, scopes: [scope, other] },
  );
  found.push(matches, await memory.count({}, { ...at, by: ['tag', 'type'] }));
  found.push(await memory.recall('tea in the alps', at));
  for (const name of NAMES) found.push((await memory.read({ name }, at)) ?? name);
  for (const id of ids)
    found.push(await memory.read(id, at).catch((error: unknown) => String(error)));
  return found;
}

test(
  'ASO-3 every position answers as it did when it was the last',
  { timeout: 300_000 },
  async () => {
    let gone = 0;
    await fc.assert(
      fc.asyncProperty(histories, fc.boolean(), async (steps, isCached) => {
        const clock = new ManualClock();
        await using keep = await openKeep({
          store: testStore(),
          clock,
          queryCacheBytes: isCached ? 1 << 24 : 0,
        });
        const root = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'root' });
        const admin = await keep.authenticate(root.secret);
        const worker = { tenantId: 'acme', subjectId: 's', scopes: [scope, other] };
        const agent = await agentFor(keep, worker);
        await admin.retention.set({ expectedRevision: 0 }, { deleted_days: 9 });
        const ids: string[] = [];
        const states: { asOf: AsOf; state: unknown; redacted: number }[] = [];
        let after: string | undefined;
        let redacted = 0;
        for (const each of steps) {
          clock.advance(1_000);
          const done = await take(agent, ids, each, clock.now()).catch(() => undefined);
          if (done === undefined) continue;
          if (each.kind === 'redact') redacted += 1;
          const page = await agent.memory.changesPage({ limit: 256, ...(after && { after }) });
          after = page.next_after;
          // Another redaction of the same revision changes nothing.
          if (page.changes.length === 0) continue;
          const position = { cursor: page.next_after };
          states.push({ asOf: position, state: await stateOf(agent, ids), redacted });
          const millis = { millis: clock.now() };
          states.push({ asOf: millis, state: states.at(-1)?.state, redacted });
        }
        clock.advance(1_000);
        for (const { asOf, state, redacted: then } of states) {
          const scanLimit = scanLimits[states.length % scanLimits.length];
          const asked = stateOf(agent, ids, asOf, scanLimit);
          const answer = await asked.catch((error: unknown) => String(error));
          if (typeof answer === 'string') {
            gone += 1;
            expect(answer).toContain('History');
            expect(then).toBeLessThan(redacted);
            continue;
          }
          const known = (state as unknown[]).slice(0, answer.length);
          expect(answer.slice(0, known.length)).toEqual(known);
        }
      }),
      { numRuns: Number(process.env['AGENTKEEP_PROPERTY_RUNS'] ?? 30) },
    );
    expect(gone).toBeGreaterThan(0);
  },
);
