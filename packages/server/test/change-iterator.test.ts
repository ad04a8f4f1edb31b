/** The iterator of changes, in process and over HTTP. */
import { type Agent, openKeep, type ScopeInput } from '@agentkeep/core';
import { agentFor, bootstrapTenant } from '@agentkeep/core/operator';
import { quickPasswords } from '@agentkeep/core/testing';
import { testStore } from '@agentkeep/testkit/test-store';
import { describe, expect, test } from 'vitest';
import { connect } from '../src/client.js';
import { createServer } from '../src/index.js';

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };
const other: ScopeInput = { ...scope, agent_id: 'b' };
const record = {
  episode_type: 'Observation' as const,
  content: { primary: 'x' },
  event_time_millis: 0,
};

async function openBoth() {
  const keep = await openKeep({ store: testStore(), passwords: quickPasswords });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const at = { url: 'http://localhost', fetch: createServer(keep).request as typeof fetch };
  const admin = connect({ ...at, secret });
  const issued = await admin.credentials.issue({
    subject_id: 'reader',
    capabilities: ['memory_read'],
    grants: [scope, other],
  });
  const options = { tenantId: 'acme', subjectId: 'writer', scopes: [scope, other] };
  const writer = await agentFor(keep, options);
  const embedded = await agentFor(keep, { ...options, subjectId: 'embedded' });
  const remote = connect({ ...at, secret: issued.secret });
  return { keep, writer, readers: { embedded, remote } };
}

describe.each(['embedded', 'remote'] as const)('%s', (kind) => {
  async function setUp() {
    const { keep, writer, readers } = await openBoth();
    const reader: Agent = readers[kind];
    return { keep, writer: writer.memory, reader: reader.memory };
  }

  test('the iterator yields what is there, then waits for more', async () => {
    const { keep, writer, reader } = await setUp();
    const made = [(await writer.in(scope).create(record)).record_id];
    const changes = reader.changes();
    const found = [(await changes.next()).value?.record_id];
    const next = changes.next();
    made.push((await writer.in(other).create(record)).record_id);
    found.push((await next).value?.record_id);
    expect(found).toEqual(made);
    await changes.return(undefined);
    await keep.close();
  });

  test('the iterator of a scope leaves out others, and goes on after a cursor', async () => {
    const { keep, writer, reader } = await setUp();
    await writer.in(other).create(record);
    const first = await writer.in(scope).create(record);
    const second = await writer.in(scope).create(record);
    const { value } = await reader.in(scope).changes().next();
    expect(value?.record_id).toBe(first.record_id);
    const later = await reader.in(scope).changes({ after: value?.cursor }).next();
    expect(later.value?.record_id).toBe(second.record_id);
    await keep.close();
  });

  test('a signal ends the iterator', async () => {
    const { keep, reader } = await setUp();
    const over = new AbortController();
    const waiting = reader.changes({ signal: over.signal }).next();
    setImmediate(() => {
      over.abort(new Error('enough'));
    });
    // Without a socket, the app itself answers the request that was left.
    await expect(waiting).rejects.toThrow(kind === 'embedded' ? 'enough' : /./u);
    await keep.close();
  });

  test('an unknown option is refused by name', async () => {
    const { keep, reader } = await setUp();
    const wrong = { cursor: 'x' } as object;
    await expect(reader.changes(wrong).next()).rejects.toThrow('unknown option `cursor`');
    await keep.close();
  });
});

test('closing a keep ends those who wait', async () => {
  const { keep, readers } = await openBoth();
  const waiting = readers.embedded.memory.changes().next();
  const outcome = expect(waiting).rejects.toMatchObject({ code: 'store_closed' });
  await new Promise((resolve) => setImmediate(resolve));
  await keep.close();
  await outcome;
});
