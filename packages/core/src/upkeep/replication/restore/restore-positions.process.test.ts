/** A restore of 100 random positions and times, against what was there at each of them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, inject, test } from 'vitest';
import { contentOf, ReplicatedStore } from '../../../../test/replicated-store.js';
import { openKeep } from '../../../keep/open-keep.js';
import { agentFor, restoreReplica } from '../../../operator.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;
const RESTORES = 100;

const home = await mkdtemp(join(tmpdir(), 'agentkeep-positions-'));
afterAll(() => rm(home, { recursive: true }));

/** Returns whole numbers below a bound, the same ones for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

test('REP-50 a restore of any position has what was there', async () => {
  const next = numbers(Number(inject('seed')) + 57);
  const from = join(home, 'target');
  let timeMs = Date.UTC(2026, 0, 1);
  const source = await ReplicatedStore.open(join(home, 'data'), from, () => {
    // Some commits have the same time.
    timeMs += next(3) * 1_000;
    return timeMs;
  });
  const keep = await openKeep({ store: source.store, dataDir: join(home, 'beside') });
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann', scopes: [scope] });
  const memory = agent.memory.in(scope);
  for (let step = 0; step < 300; step += 1) {
    const name = `fact-${next(40)}`;
    if (next(4) === 0) await memory.delete({ name }).catch(() => undefined);
    else await memory.remember(`${step} `.repeat(1 + next(200)), { name });
    if (next(5) === 0) await source.ship(1 + next(20));
    if (next(60) === 0) await source.base(timeMs);
  }
  await source.ship();
  await keep.close();
  // A close may commit more.
  const end = source.log.tip?.last.position ?? 0;
  expect(end).toBeGreaterThan(200);
  for (let at = 0; at < RESTORES; at += 1) {
    const dataDir = join(home, 'restored');
    const position = next(end + 1);
    const byTime = position > 0 && at % 10 === 0;
    const moment = byTime ? { at: source.timeOf(position) } : { position };
    const report = await restoreReplica({ from, dataDir, ...moment });
    if (byTime) {
      expect(source.timeOf(report.position)).toBe(source.timeOf(position));
      const isLast = report.position === end;
      if (!isLast) expect(source.timeOf(report.position + 1)).toBeGreaterThan(moment.at ?? 0);
    } else expect(report.position).toBe(position);
    expect(await contentOf(dataDir)).toEqual(source.contentAt(report.position));
    await rm(dataDir, { recursive: true });
  }
}, 600_000);
