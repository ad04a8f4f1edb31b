/** A conflict names exactly the members in which two commands differ. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { openKeep } from '../../../keep/open-keep.js';
import { agentFor } from '../../../operator.js';
import { testStore } from '@agentkeep/testkit/test-store';

/** Two values for each member, by its path; equal ones of neighbours are common. */
const members = {
  episode_type: ['Decision', { Custom: 'Decision' }],
  'content.primary': ['', 'a'],
  'content.secondary': [null, 'a'],
  'content.context': ['a', ''],
  'content.data': [null, { a: [] }],
  'content.embedding': [[0.5], [0.5, 0]],
  event_time_millis: [0, -1],
  valid_until_millis: [9e14, 9e14 + 1],
  tags: [[], ['a']],
  metadata: [{}, { a: null }],
} as const;
const paths = Object.keys(members) as (keyof typeof members)[];
const choices = fc.tuple(...paths.map(() => fc.nat({ max: 1 })));

function recordOf(chosen: readonly number[]): never {
  const record: Record<string, unknown> = {};
  const content: Record<string, unknown> = {};
  for (const [at, path] of paths.entries()) {
    const value = members[path][chosen[at] ?? 0];
    if (path.startsWith('content.')) content[path.slice('content.'.length)] = value;
    else record[path] = value;
  }
  return { ...record, content } as never;
}

test('MEM-102 a conflict names the members that differ, and those alone', async () => {
  await using keep = await openKeep({ store: testStore() });
  const { memory } = await agentFor(keep, { subject: 'ann' });
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(choices, choices, async (one, other) => {
      const options = { idempotencyKey: `k${(runs += 1)}` };
      await memory.create(recordOf(one), options);
      const error: unknown = await memory.create(recordOf(other), options).catch((e: unknown) => e);
      const named = error instanceof AgentkeepError ? error.members.map(({ path }) => path) : [];
      expect(named).toEqual(
        paths.filter((_, at) => one[at] !== other[at]).map((path) => `operation.record.${path}`),
      );
    }),
  );
});
