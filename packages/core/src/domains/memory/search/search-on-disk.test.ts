/** Searches of a store on disk, which lends its bytes for one step only. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openKeep } from '../../../keep/open-keep.js';
import { agentFor } from '../../../operator.js';
import type { RecordInput } from '../documents/schema.js';

const RECORDS = 1_200;
const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;

const recordAt = (turn: number): RecordInput => ({
  episode_type: 'Observation',
  content: { primary: turn % 400 === 0 ? 'A xylophone.' : `Turn ${turn}.` },
  event_time_millis: turn,
});

test('what a search remembers of a store on disk is what the store holds', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'agentkeep-search-'));
  const keep = await openKeep({ dataDir, durability: 'relaxed' });
  const { memory } = await agentFor(keep, { tenantId: 'acme', subjectId: 'h', scopes: [scope] });
  const records = Array.from({ length: RECORDS }, (_, turn) => recordAt(turn));
  let made = 0;
  for await (const { outcomes } of memory.in(scope).createMany(records)) made += outcomes.length;
  expect(made).toBe(RECORDS);
  const turns = async (text: string | undefined, limit: number): Promise<number[]> => {
    const filter = text === undefined ? {} : { words: { text } };
    const { matches } = await memory.in(scope).searchPage(filter, { limit });
    return matches.map(({ record }) => record.payload.event_time_millis);
  };
  for (let round = 0; round < 3; round += 1) {
    expect(await turns('xylophone', 20)).toEqual([800, 400, 0]);
    expect(await turns(undefined, 3)).toEqual([1_199, 1_198, 1_197]);
    expect(await turns('absent', 20)).toEqual([]);
  }
  await keep.close();
  await rm(dataDir, { recursive: true });
});
