/** A branch answers as a copy of its scope does (docs/contract/branches.md#bra-6). */
import { testStore, testStoreKind } from '@agentkeep/testkit/test-store';
import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  copied,
  histories,
  type Made,
  nothingMade,
  other,
  scope,
  type Step,
  step,
  stateOf,
  take,
} from '../../../../test/history-kit.js';
import type { MemoryScopeInput } from '../../../kernel/access/scope.js';
import { type Agent, type KeepOptions, openKeep } from '../../../index.js';
import { agentFor, bootstrapTenant } from '../../../operator.js';
import { ManualClock } from '../../../testing.js';

/** Records elsewhere are known by no number. */
const isHere = ({ kind }: Step): boolean => kind !== 'elsewhere';

const later = fc.array(fc.record({ step, isInBranch: fc.boolean() }), {
  maxLength: 14,
  size: 'max',
});

/** Where a keep stores its data: the store of all tests, or a directory of its own. */
type Place = 'store' | 'directory';

async function placeOf(place: Place): Promise<KeepOptions> {
  if (place === 'store') return { store: testStore() };
  const dataDir = await mkdtemp(join(tmpdir(), 'agentkeep-branches-'));
  directories.push(dataDir);
  return { dataDir, durability: 'relaxed', reserveBytes: 0 };
}

const directories: string[] = [];

afterAll(async () => {
  for (const each of directories) await rm(each, { recursive: true, force: true });
});

/** Opens a keep with an agent; what is deleted can be restored. */
async function opened(clock: ManualClock, queryCacheBytes: number, place: Place) {
  const where = await placeOf(place);
  const keep = await openKeep({ ...where, clock, queryCacheBytes });
  const root = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'root' });
  const admin = await keep.authenticate(root.secret);
  await admin.retention.set({ expectedRevision: 0 }, { deleted_days: 9 });
  const worker = { tenantId: 'acme', subjectId: 's', scopes: [scope, other] };
  return { keep, agent: await agentFor(keep, worker) };
}

/** Returns a state without what differs between two keeps. */
function comparable(state: unknown, { ids }: Made, agentId: string): unknown {
  let text = JSON.stringify(state);
  for (const [at, id] of ids.entries()) text = text.replaceAll(id, `record ${at}`);
  text = text.replaceAll(agentId, 'agent').replaceAll(/,"branch":"[^"]*"/g, '');
  return JSON.parse(text);
}

/** Executes a step; returns how it went. */
function attempt(...rest: Parameters<typeof take>): Promise<string> {
  return take(...rest).then(
    () => 'done',
    (error: unknown) => String(error),
  );
}

/** Returns the records of a scope, without what tells when and how often they were written. */
async function recordsIn(agent: Agent, where: MemoryScopeInput): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for await (const { record_id, name, payload } of agent.memory.in(where).query({})) {
    found.set(record_id, { name, payload });
  }
  return found;
}

/** Merges a branch, and requires the scope to be as commands with the base revisions leave it. */
async function mergeAsCommands(agent: Agent, id: string): Promise<void> {
  const differences = [];
  for await (const each of agent.branches.diff(id)) differences.push(each);
  const { digest } = await agent.branches.diffPage(id);
  const before = await stateOf(agent, []);
  const expected = await recordsIn(agent, scope);
  const tried = await agent.branches.merge(id, { digest, dryRun: true });
  const isClean = differences.every(({ conflict }) => conflict === null);
  expect(tried.state).toBe(isClean ? 'checked' : 'conflicts');
  const merge = await agent.branches.merge(id, { digest, idempotencyKey: 'merge' });
  if (!isClean) {
    expect(await stateOf(agent, [])).toEqual(before);
    const records = differences.flatMap((each) => (each.conflict ? [] : [each.record_id]));
    if (records.length === 0) return;
    const part = await agent.branches.merge(id, { digest, records });
    if (part.state !== 'merged') return;
  } else expect(merge).toMatchObject({ state: 'merged', left: 0, merged: differences.length });
  const visible = await recordsIn(agent, { ...scope, branch: id });
  for (const { record_id: recordId, conflict, base_revision: base } of differences) {
    if (conflict !== null) continue;
    const own = visible.get(recordId);
    if (own === undefined) expected.delete(recordId);
    else {
      expected.set(recordId, own);
      const { revision } = await agent.memory.in(scope).read(recordId);
      expect(revision).toBe((base ?? 0) + 1);
    }
  }
  expect(await recordsIn(agent, scope)).toEqual(expected);
  const again = await agent.branches.merge(id, { digest, idempotencyKey: 'merge' });
  if (isClean) expect(again).toEqual(merge);
  expect(await recordsIn(agent, scope)).toEqual(expected);
}

/** Runs on the store of all tests, and on others of a few, which take longer. */
const runs = { store: testStoreKind === 'memory' ? 30 : 5, directory: 6 };

describe.each<Place>(['store', 'directory'])('BRA-6, BRA-24 in a %s', (place) => {
  test('a branch answers as a copy does, and is merged as commands would be', async () => {
    await fc.assert(
      fc.asyncProperty(histories, later, fc.boolean(), async (first, then, isCached) => {
        const clock = new ManualClock();
        const cache = isCached ? 1 << 24 : 0;
        const { keep, agent } = await opened(clock, cache, place);
        const copy = await opened(clock, cache, place);
        await using base = keep;
        await using other = copy.keep;
        expect(base).not.toBe(other);
        const [made, madeInCopy] = [nothingMade(), nothingMade()];
        for (const each of first.filter(isHere)) {
          clock.advance(1_000);
          await attempt(agent, made, each, { nowMs: clock.now() });
          await attempt(copy.agent, madeInCopy, each, { nowMs: clock.now() });
        }
        const branch = await agent.branches.create('trial', [scope]);
        const where = { ...scope, branch: branch.id };
        const [inBranch, inBase] = [copied(made), copied(made)];
        for (const { step: each, isInBranch } of then.filter(({ step }) => isHere(step))) {
          clock.advance(1_000);
          if (!isInBranch) {
            if (each.kind !== 'redact') await attempt(agent, inBase, each, { nowMs: clock.now() });
            continue;
          }
          const did = await attempt(agent, inBranch, each, { nowMs: clock.now(), where });
          const expected = await attempt(copy.agent, madeInCopy, each, { nowMs: clock.now() });
          expect(did).toBe(expected);
          if (each.of % 3 > 0) continue;
          const read = await stateOf(agent, inBranch.ids, { where });
          const told = await stateOf(copy.agent, madeInCopy.ids);
          expect(comparable(read, inBranch, (await agent.whoAmI()).id)).toEqual(
            comparable(told, madeInCopy, (await copy.agent.whoAmI()).id),
          );
        }
        await mergeAsCommands(agent, branch.id);
        const before = await stateOf(agent, inBase.ids);
        await agent.branches.drop(branch.id);
        expect(await stateOf(agent, inBase.ids)).toEqual(before);
        await expect(agent.memory.in(where).count()).rejects.toMatchObject({
          code: 'branch_not_found',
        });
      }),
      { numRuns: Number(process.env['AGENTKEEP_PROPERTY_RUNS'] ?? runs[place]) },
    );
  });
});
