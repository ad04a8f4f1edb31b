/** Clients of both SDKs call the tools over HTTP, each in the revision that it speaks. */
import { type ScopeInput } from '@agentkeep/core';
import { describe, expect, test } from 'vitest';
import { mcpHandler } from '../src/index.js';
import {
  type CallResult,
  type ClientKind,
  clientKinds,
  connectClient,
  type TestClient,
} from './clients.js';
import { keepFixture, otherScope, scope, type Way, ways } from './keep-fixture.js';
import { loopback } from './loopback.js';

const record = {
  episode_type: 'Observation',
  content: { primary: 'The customer prefers short answers.' },
  event_time_millis: 0,
  tags: ['customer'],
};

const elsewhere: ScopeInput = { project_id: 'other', agent_id: 'a', visibility: 'shared' };

/** Members of the documents that tools answer. */
interface Answered {
  readonly receipt?: { readonly record_id: string; readonly revision: number };
  readonly record?: { readonly revision: number } | null;
  readonly page?: { readonly matches?: readonly object[]; readonly items?: readonly object[] };
}

/** Returns the document of an answer; fails for an error. */
function documentOf(result: CallResult): Answered {
  expect(result.content[0]?.text).not.toMatch(/^[a-z_]+: /);
  expect(result.isError ?? false).toBe(false);
  return result.structuredContent as Answered;
}

function codeOf(result: CallResult): string | undefined {
  expect(result.isError).toBe(true);
  return result.content[0]?.text?.split(':')[0];
}

async function withClient(
  way: Way,
  kind: ClientKind,
  run: (client: TestClient) => Promise<void>,
): Promise<void> {
  await using fixture = await keepFixture(way);
  const secret = await fixture.issue('helper', [scope, otherScope]);
  const { fetch } = mcpHandler({ authenticate: fixture.authenticate });
  await using server = await loopback(fetch);
  await using client = await connectClient(kind, { url: `${server.url}/mcp`, secret });
  await run(client);
}

describe.each(ways)('%s', (way) => {
  describe.each(clientKinds)('%s over HTTP', (kind) => {
    test('writes, reads, searches, lists revisions and deletes', () =>
      withClient(way, kind, async (client) => {
        expect(client.revision()).toBe(
          kind.endsWith('auto') || kind.endsWith('pinned') ? '2026-07-28' : '2025-11-25',
        );
        const who = documentOf(await client.call('whoami'));
        expect(who).toMatchObject({ credential: { spec: { subject_id: 'helper' } } });
        const named = { scope, name: 'customers/ann' };
        const first = documentOf(await client.call('memory_put', { ...named, record }));
        const id = first.receipt?.record_id;
        const update = { scope, record_id: id, expected_revision: 1, record };
        const updated = documentOf(await client.call('memory_update', update));
        expect(updated.receipt?.revision).toBe(2);
        const found = documentOf(await client.call('memory_get', named));
        expect(found.record?.revision).toBe(2);
        const query = { scopes: [scope], filter: { words: { text: 'short answers' } } };
        const page = documentOf(await client.call('memory_search', query));
        expect(page.page?.matches).toHaveLength(1);
        const history = await client.call('memory_history', { scope, record_id: id });
        expect(documentOf(history).page?.items).toHaveLength(2);
        documentOf(await client.call('memory_delete', named));
        expect(documentOf(await client.call('memory_get', named))).toEqual({ record: null });
      }));

    test('repeats a call safely, by an argument or by what comes beside it', () =>
      withClient(way, kind, async (client) => {
        const keyed = { scope, record, idempotency_key: 'note-1' };
        const first = documentOf(await client.call('memory_create', keyed));
        expect(documentOf(await client.call('memory_create', keyed))).toEqual(first);
        const meta = { 'agentkeep/idempotency-key': 'note-2' };
        const batch = { commands: [{ scope, operation: { type: 'create', record } }] };
        const second = documentOf(await client.call('memory_batch', batch, meta));
        expect(documentOf(await client.call('memory_batch', batch, meta))).toEqual(second);
        const other = { ...keyed, record: { ...record, tags: [] } };
        expect(codeOf(await client.call('memory_create', other))).toBe('idempotency_conflict');
      }));

    test('gets errors with a stable code and what to do', () =>
      withClient(way, kind, async (client) => {
        documentOf(await client.call('memory_put', { scope, name: 'n', record }));
        const stale = await client.call('memory_put', {
          ...{ scope, name: 'n', record, expected_revision: 4 },
        });
        expect(codeOf(stale)).toBe('revision_conflict');
        expect(stale._meta?.['agentkeep/error']).toMatchObject({ code: 'revision_conflict' });
        const refused = [
          client.call('memory_put', { scope, name: 'n', record, expectedRevision: 4 }),
          client.call('memory_get', { scope }),
          client.call('memory_get', { scope, name: 'n', record_id: crypto.randomUUID() }),
          client.call('memory_create', { record }),
        ];
        for (const each of refused) expect(codeOf(await each)).toBe('invalid_request');
        const absent = { scope, record_id: crypto.randomUUID() };
        expect(codeOf(await client.call('memory_get', absent))).toBe('record_not_found');
        expect(codeOf(await client.call('memory_create', { scope: elsewhere, record }))).toBe(
          'forbidden',
        );
      }));
  });
});
