/** Pages of queries are the same with and without the segment cache, before and after writes. */
import { expect, test } from 'vitest';
import type { Agent } from '../../../client/agent.js';
import type { QueryFilterInput, QueryOptions } from '../../../client/memory-options.js';
import { openKeep } from '../../../keep/open-keep.js';
import { agentFor, bootstrapTenant } from '../../../operator.js';
import { inMemoryStore } from '../../../storage/in-memory-store/in-memory-store.js';
import type { RecordInput } from '../documents/schema.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;

async function agentWith(queryCacheBytes: number) {
  const keep = await openKeep({ store: inMemoryStore(), queryCacheBytes });
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'helper', scopes: [scope] });
  return { keep, agent };
}

/** Records of 62 KB that a page of 4 MiB holds. */
const FITTING = 67;

const recordOf = (primary: string, tags: string[] = []): RecordInput => ({
  episode_type: 'Observation',
  content: { primary },
  event_time_millis: 0,
  tags,
});

/** Walks through all pages of a query. Returns numbers of records instead of ids. */
async function pagesOf(
  agent: Agent,
  ids: readonly string[],
  filter: QueryFilterInput,
  options: QueryOptions,
) {
  const pages: object[] = [];
  let after: string | null = null;
  do {
    const position: QueryOptions = after === null ? {} : { after };
    const page = await agent.memory.in(scope).queryPage(filter, { ...options, ...position });
    const found = page.records.map(({ record_id }) => ids.indexOf(record_id));
    after = page.next_after;
    const next = after === null ? null : ids.indexOf(after);
    pages.push({ found, next, scanned: page.scanned_records });
  } while (after !== null);
  return pages;
}

test.each([0, 2 ** 20, 2 ** 27])(
  'a page that is full counts what is up to its last record, with a cache of %i bytes',
  async (bytes) => {
    const { keep, agent } = await agentWith(bytes);
    const large = 'x'.repeat(62_000);
    const texts = [
      ...Array.from({ length: FITTING }, () => recordOf(large, ['wanted'])),
      // Enough for a slice that finds nothing.
      ...Array.from({ length: 20 }, () => recordOf(large)),
      recordOf(large, ['wanted']),
    ];
    const ids: string[] = [];
    for (const each of texts) ids.push((await agent.memory.in(scope).create(each)).record_id);
    const pages = () => pagesOf(agent, ids, { tag: 'wanted' }, { limit: 1_000 });
    const first = await pages();
    const [one, two] = first as { found: number[]; next: number; scanned: number }[];
    expect(first.length).toBe(2);
    expect(one).toMatchObject({ next: FITTING - 1, scanned: FITTING });
    expect(one?.found.length).toBe(FITTING);
    expect(two).toEqual({ found: [FITTING + 20], next: null, scanned: 21 });
    expect(await pages()).toEqual(first);
    expect(await pages()).toEqual(first);
    // LOA-2
    const search = await agent.memory.in(scope).searchPage({}, { limit: 100 });
    // A match has its scope beside the record.
    expect(search.matches.length).toBe(FITTING - 1);
    expect(search.next_cursor).not.toBeNull();
    await keep.close();
  },
);

test('CON-166 a query shows every write before it, and refuses a credential that has ended', async () => {
  const keep = await openKeep({ store: inMemoryStore() });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await keep.authenticate(secret);
  const issued = await admin.credentials.issue({
    subject_id: 'helper',
    capabilities: ['memory_read', 'memory_write'],
    grants: [scope],
  });
  const agent = await keep.authenticate(issued.secret);
  const count = async (text: string): Promise<number> =>
    (await agent.memory.in(scope).queryPage({ text_contains: text }, { limit: 1_000 })).records
      .length;
  const ids: string[] = [];
  for (let index = 0; index < 300; index += 1) {
    ids.push((await agent.memory.in(scope).create(recordOf(`Apples ${index}`))).record_id);
  }
  for (let scan = 0; scan < 3; scan += 1) {
    expect([await count('APPLES 2'), await count('pears')]).toEqual([111, 0]);
  }
  const target = { recordId: ids[55] ?? '', expectedRevision: 1 };
  await agent.memory.in(scope).update(target, recordOf('Pears'));
  expect([await count('apples 5'), await count('pears')]).toEqual([10, 1]);
  await agent.memory.in(scope).delete({ recordId: ids[55] ?? '', expectedRevision: 2 });
  expect(await count('pears')).toBe(0);
  await agent.memory.in(scope).create(recordOf('More pears'));
  expect(await count('pears')).toBe(1);
  await admin.credentials.revoke(issued.credential.id, 1);
  await expect(count('pears')).rejects.toMatchObject({ code: 'unauthorized' });
  await keep.close();
});

test.each([-1, 0.5, 1_000, Number.NaN, '1'])('refuses a cache of %j bytes', async (bytes) => {
  const options = { store: inMemoryStore(), queryCacheBytes: bytes as number };
  await expect(openKeep(options)).rejects.toMatchObject({
    code: 'invalid_request',
    members: [{ path: 'queryCacheBytes' }],
  });
});
