/** An answer that an operation prints itself is the document that its handler returns. */
import { type AgentkeepError, openKeep, type RecordInput, type ScopeInput } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { ManualClock } from '@agentkeep/core/testing';
import { testStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import { createServer } from '../src/http/create-server.js';

const scope: ScopeInput = { project_id: 'p "1"', agent_id: 'ä', visibility: 'private' };
const base: RecordInput = {
  episode_type: 'Observation',
  content: { primary: 'Short answers, "please"\\.\n\u2028' },
  event_time_millis: 0,
};
const START_MS = new ManualClock().now();
const records: readonly RecordInput[] = [
  base,
  { ...base, valid_until_millis: START_MS + 10_000 },
  {
    ...base,
    episode_type: { Custom: 'ünlike' },
    content: { ...base.content, context: ',],"', data: { b: [1, null], 1: {} }, embedding: [0.1] },
    tags: ['a', 'b'],
    metadata: { b: '}', '10': 1, '9': [] },
  },
];

test('a record is the same as text and as a document, and hidden at the same time', async () => {
  const clock = new ManualClock();
  await using keep = await openKeep({ store: testStore(), clock });
  const { secret: admin } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const { secret } = await (
    await keep.authenticate(admin)
  ).credentials.issue({
    subject_id: 'writer',
    capabilities: ['memory_read', 'memory_write'],
    grants: [scope],
  });
  const { memory } = await keep.authenticate(secret);
  const app = createServer(keep);
  const answered = async (id: string): Promise<string> => {
    const query = new URLSearchParams({ contract_version: '1', ...scope } as never).toString();
    const headers = { authorization: `Bearer ${secret}` };
    return (await app.request(`/api/v1/memory/records/${id}?${query}`, { headers })).text();
  };
  const shownScope = { ...scope, mission_id: null };
  const printed = (id: string): Promise<string> =>
    memory
      .in(scope)
      .read(id)
      .then(
        (record) => JSON.stringify({ contract_version: 1, scope: orderedOf(shownScope), record }),
        (error: unknown) => (error as AgentkeepError).code,
      );
  const ids: string[] = [];
  for (const record of records) ids.push((await memory.in(scope).create(record)).record_id);
  ids.push((await memory.in(scope).put('named "it"', base)).record_id);
  for (const id of ids) expect(await answered(id)).toBe(await printed(id));

  clock.advance(20_000);
  await memory.in(scope).delete({ recordId: ids[0] ?? '', expectedRevision: 1 });
  for (const id of ids.slice(0, 2)) {
    expect(await answered(id)).toContain('"code":"record_not_found"');
    expect(await printed(id)).toBe('record_not_found');
  }
  for (const id of ids.slice(2)) expect(await answered(id)).toBe(await printed(id));
});

/** Orders the members of a scope as answers do. */
function orderedOf({ project_id, mission_id, agent_id, visibility }: ScopeInput): ScopeInput {
  return { project_id, mission_id: mission_id ?? null, agent_id, visibility };
}
