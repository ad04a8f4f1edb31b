/** What a session promises, on an embedded agent and over HTTP. */
import { type AgentInputItem, MemorySession, UserError } from '@openai/agents-core';
import { openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { sharedTestStore } from '@agentkeep/testkit/test-store';
import { describe, expect, test } from 'vitest';
import { AgentkeepSession, SessionLimitError } from '../src/index.js';
import { failingAgent, type Failures } from './failing-agent.js';
import { opened, scope, ways } from './two-ways.js';

const said = (content: string): AgentInputItem => ({ role: 'user', content });

const called = (callId: string, text: string): AgentInputItem & { type: 'function_call' } => ({
  type: 'function_call',
  callId,
  name: 'search',
  arguments: text,
});

const append = (operationId: string, ...items: AgentInputItem[]) => ({
  operationId,
  transaction: { type: 'append_items' as const, items },
});

const replace = (
  operationId: string,
  expectedSuffix: AgentInputItem[],
  replacement: AgentInputItem[],
) => ({
  operationId,
  transaction: { type: 'replace_suffix' as const, expectedSuffix, replacement },
});

/** Returns an object whose prototype is that of a class. */
const made = (members: object): object => Object.assign(Object.create({}) as object, members);

/** Bytes with a member of their own. */
const extended = Object.assign(new Uint8Array(2), { more: 1 });

const isRecordOfItems = (name: string | undefined): boolean =>
  name?.startsWith('openai-agents/ann/') ?? false;

describe.each(ways)('a session, %s', (way) => {
  test('another object of the same id sees the items, another id does not', async () => {
    await using desk = await opened(way);
    const { agent } = desk;
    const one = new AgentkeepSession({ agent, scope, sessionId: 'ann' });
    await one.addItems([said('Hello.'), said('Are you there?')]);
    await one.addItems([]);
    const again = new AgentkeepSession({ agent, scope, sessionId: 'ann' });
    expect(await again.getItems()).toEqual([said('Hello.'), said('Are you there?')]);
    expect(await again.getItems(1)).toEqual([said('Are you there?')]);
    expect(await again.getItems(0)).toEqual([]);
    const other = new AgentkeepSession({ agent, scope });
    expect(await other.getItems()).toEqual([]);
    expect(await other.getSessionId()).toHaveLength(36);
    expect(await again.getSessionId()).toBe('ann');
  });

  test('keeps bytes, look-alikes of bytes, and text that is not well-formed', async () => {
    await using desk = await opened(way);
    const session = new AgentkeepSession({ agent: desk.agent, scope, sessionId: 'ann' });
    const items: AgentInputItem[] = [
      { role: 'user', content: 'half \ud83d', providerData: { $bytes: 'AA==', $$bytes: 1 } },
      { role: 'user', content: 'x', providerData: { inner: { $bytes: 'AA==' } } },
      { role: 'user', content: 'y', providerData: { inner: { $$bytes: [] } } },
      { role: 'user', content: 'z', providerData: { inner: new Uint8Array([0, 255]) } },
    ];
    await session.addItems(items);
    expect(await session.getItems()).toEqual(items);
    const odd = { role: 'user', content: 'when', providerData: { at: new Date(0) } } as const;
    await expect(session.addItems([odd])).rejects.toThrow(UserError);
    expect(await session.getItems()).toEqual(items);
  });

  test('keeps the order of items that span pages, and takes them off from the end', async () => {
    await using desk = await opened(way);
    const { agent } = desk;
    const session = new AgentkeepSession({ agent, scope, sessionId: 'ann' });
    const items = Array.from({ length: 12 }, (_, at) => said(`${at} `.repeat(4_000)));
    for (const item of items) await session.addItems([item]);
    expect(await session.getItems()).toEqual(items);
    expect(await session.getItems(7)).toEqual(items.slice(-7));
    for (const item of items.toReversed()) expect(await session.popItem()).toEqual(item);
    expect(await session.popItem()).toBeUndefined();
    expect(await session.getItems()).toEqual([]);
    const left = (await agent.memory.in(scope).queryPage()).records.map(({ name }) => name);
    expect(left).toEqual(['openai-agents/ann/head']);
  });

  test('refuses what one change cannot hold, and changes nothing', async () => {
    await using desk = await opened(way);
    const session = new AgentkeepSession({ agent: desk.agent, scope, sessionId: 'ann' });
    await session.addItems([said('x'.repeat(900_000))]);
    const adding = session.addItems([said('x'.repeat(1_100_000))]);
    await expect(adding).rejects.toThrow(SessionLimitError);
    await expect(adding).rejects.toMatchObject({ limit: 'change_bytes' });
    expect(await session.getItems()).toHaveLength(1);
  });

  test('clear removes every record and forgets applied operations', async () => {
    await using desk = await opened(way);
    const { agent } = desk;
    const session = new AgentkeepSession({ agent, scope, sessionId: 'ann' });
    await session.clearSession();
    await session.addItems([said('x'.repeat(40_000))]);
    await session.applyHistoryTransaction(append('op', said('once')));
    await session.clearSession();
    const left = (await agent.memory.in(scope).queryPage()).records;
    expect(left.filter(({ name }) => isRecordOfItems(name))).toEqual([]);
    await session.applyHistoryTransaction(append('op', said('another')));
    expect(await session.getItems()).toEqual([said('another')]);
  });

  test('a compaction replaces the history and keeps what was applied', async () => {
    await using desk = await opened(way);
    const session = new AgentkeepSession({ agent: desk.agent, scope, sessionId: 'ann' });
    await session.addItems([said('x'.repeat(40_000)), said('y')]);
    await session.applyHistoryTransaction(append('op', said('z')));
    const items: AgentInputItem[] = [{ type: 'compaction', encrypted_content: 'e' }, said('z')];
    await session.replaceHistoryWithCompaction(items);
    await session.applyHistoryTransaction(append('op', said('z')));
    expect(await session.getItems()).toEqual(items);
  });

  test('a mutation replaces the first call and drops further ones of the same id', async () => {
    await using desk = await opened(way);
    const session = new AgentkeepSession({ agent: desk.agent, scope, sessionId: 'ann' });
    const big = said('x'.repeat(40_000));
    await session.addItems([said('a'), called('1', 'old'), big]);
    await session.addItems([called('1', 'older'), said('b')]);
    const replacement = called('1', 'new');
    const mutations = [{ type: 'replace_function_call' as const, callId: '1', replacement }];
    await session.applyHistoryMutations({ mutations });
    expect(await session.getItems()).toEqual([said('a'), replacement, big, said('b')]);
    const before = await desk.agent.memory.in(scope).read({ name: 'openai-agents/ann/head' });
    await session.applyHistoryMutations({ mutations });
    await session.applyHistoryMutations({ mutations: [] });
    const after = await desk.agent.memory.in(scope).read({ name: 'openai-agents/ann/head' });
    expect(after?.revision).toBe(before?.revision);
  });

  test('a transaction is applied once, and another one of its id is refused', async () => {
    await using desk = await opened(way);
    const session = new AgentkeepSession({ agent: desk.agent, scope, sessionId: 'ann' });
    for (let turn = 0; turn < 2; turn += 1) {
      await session.applyHistoryTransaction(append('op', said('a'), said('b')));
    }
    const again = new AgentkeepSession({ agent: desk.agent, scope, sessionId: 'ann' });
    await again.applyHistoryTransaction(replace('op-2', [said('b')], [said('c')]));
    await again.applyHistoryTransaction(replace('op-2', [said('b')], [said('c')]));
    expect(await session.getItems()).toEqual([said('a'), said('c')]);
    const refused = [
      append('op', said('a')),
      replace('op-3', [said('b')], []),
      append(' ', said('a')),
      { operationId: 'op-4', transaction: { type: 'other' } },
      { operationId: 'op-5', transaction: { type: 'append_items', items: [{ type: 'no' }] } },
      { operationId: 'op-6', transaction: { ...append('', said('a')).transaction, more: 1 } },
      undefined,
    ];
    for (const args of refused) {
      const applying = session.applyHistoryTransaction(args as ReturnType<typeof append>);
      await expect(applying).rejects.toThrow(UserError);
    }
    expect(await session.getItems()).toEqual([said('a'), said('c')]);
  });

  test('a transaction is read once, and has plain values alone', async () => {
    await using desk = await opened(way);
    const session = new AgentkeepSession({ agent: desk.agent, scope, sessionId: 'ann' });
    const oracle = new MemorySession();
    let reads = 0;
    const changing = () => ({
      ...append('', said('a')),
      get operationId() {
        reads += 1;
        return `op-${String(reads)}`;
      },
    });
    await session.applyHistoryTransaction(changing());
    expect(reads).toBe(1);
    const plain = () => append('op', said('b')).transaction;
    const hidden = Object.defineProperty(said('b'), 'content', { enumerable: false });
    const wrong = [
      new Proxy(plain(), {}),
      made(plain()),
      { ...plain(), items: [made(said('b'))] },
      { ...plain(), items: Object.assign([said('b')], { more: 1 }) },
      { ...plain(), items: [{ ...said('b'), providerData: { bytes: extended } }] },
      { ...plain(), items: [new Proxy(said('b'), {})] },
      { ...plain(), items: [hidden] },
      { ...plain(), items: [{ ...said('b'), [Symbol('x')]: 1 }] },
      {
        type: 'append_items',
        get items() {
          return [said('b')];
        },
      },
    ];
    for (const [at, transaction] of wrong.entries()) {
      const args = { operationId: `wrong ${String(at)}`, transaction } as ReturnType<typeof append>;
      await expect(oracle.applyHistoryTransaction(args)).rejects.toThrow(UserError);
      await expect(session.applyHistoryTransaction(args)).rejects.toThrow(UserError);
    }
    const callable = Object.assign(() => undefined, append('op', said('b')));
    await expect(oracle.applyHistoryTransaction(callable)).rejects.toThrow(UserError);
    await expect(session.applyHistoryTransaction(callable)).rejects.toThrow(UserError);
    const unread = new Proxy(append('op', said('b')), {
      get: () => {
        throw new Error('unreadable');
      },
    });
    await expect(session.applyHistoryTransaction(unread)).rejects.toThrow(UserError);
    expect(await session.getItems()).toEqual([said('a')]);
  });

  test('two programs that add at once lose nothing', async () => {
    await using desk = await opened(way);
    const { agent } = desk;
    const writers = ['one', 'two', 'three'].map((name) => ({
      name,
      session: new AgentkeepSession({ agent, scope, sessionId: 'ann' }),
    }));
    const long = 'x'.repeat(3_000);
    await Promise.all(
      writers.map(async ({ name, session }) => {
        for (let at = 0; at < 15; at += 1) await session.addItems([said(`${name} ${at} ${long}`)]);
      }),
    );
    const items = await writers[0]!.session.getItems();
    const texts = items.map((item) => ('content' in item ? item.content : ''));
    for (const { name } of writers) {
      const own = texts.filter((text) => JSON.stringify(text).startsWith(`"${name} `));
      expect(own).toEqual(Array.from({ length: 15 }, (_, at) => `${name} ${at} ${long}`));
    }
    expect(items).toHaveLength(45);
  });

  test('two programs that take items off get each item once', async () => {
    await using desk = await opened(way);
    const { agent } = desk;
    const [one, two] = [0, 1].map(() => new AgentkeepSession({ agent, scope, sessionId: 'ann' }));
    const items = Array.from({ length: 10 }, (_, at) => said(`${at} ${'x'.repeat(10_000)}`));
    await one!.addItems(items.slice(0, 5));
    await one!.addItems(items.slice(5));
    const popping = Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? one! : two!).popItem());
    const popped = (await Promise.all(popping)).filter((item) => item !== undefined);
    const texts = (list: AgentInputItem[]): string[] => list.map((each) => JSON.stringify(each));
    expect(texts(popped).sort()).toEqual(texts(items).sort());
  });

  test.each(['before', 'after'] as const)(
    'a transaction that fails %s its commit is applied once when it is repeated',
    async (when) => {
      await using desk = await opened(way);
      const failures: Failures = { next: when };
      const agent = failingAgent(desk.agent, failures);
      const session = new AgentkeepSession({ agent, scope, sessionId: 'ann' });
      const applying = session.applyHistoryTransaction(append('op', said('a')));
      await expect(applying).rejects.toMatchObject({ code: 'server_unreachable' });
      await session.applyHistoryTransaction(append('op', said('a')));
      expect(await session.getItems()).toEqual([said('a')]);
    },
  );

  test('pages that have expired count as empty', async () => {
    await using desk = await opened(way);
    const memory = desk.agent.memory.in(scope);
    const session = new AgentkeepSession({ agent: desk.agent, scope, sessionId: 'ann' });
    await session.addItems([said('x'.repeat(40_000))]);
    await session.addItems([said('a')]);
    await session.addItems([said('y'.repeat(40_000))]);
    const { records } = await memory.queryPage();
    const pages = records.flatMap(({ name = '', payload }) =>
      name.endsWith('/head') ? [] : [{ name, payload }],
    );
    for (const { name, payload } of pages) {
      await memory.put(name, { ...payload, valid_until_millis: 0 });
    }
    await session.addItems([said('b')]);
    expect(await session.getItems()).toEqual([said('b')]);
    expect(await session.popItem()).toEqual(said('b'));
    expect(await session.popItem()).toBeUndefined();
    await session.addItems([said('c')]);
    expect(await session.getItems()).toEqual([said('c')]);
    await session.clearSession();
    expect(await session.getItems()).toEqual([]);
  });

  test('a search finds what was said', async () => {
    await using desk = await opened(way);
    const session = new AgentkeepSession({ agent: desk.agent, scope, sessionId: 'ann' });
    await session.addItems([said('The parcel goes to Lisbon.')]);
    const { matches } = await desk.agent.memory.in(scope).searchPage({ words: { text: 'lisbon' } });
    expect(matches).toHaveLength(1);
  });
});

test('a session id must be a text that leaves room for names', async () => {
  await using desk = await opened('embedded');
  const { agent } = desk;
  for (const sessionId of ['', ' ', '\ud800', 'ä'.repeat(80)]) {
    expect(() => new AgentkeepSession({ agent, scope, sessionId })).toThrow(UserError);
  }
  const session = new AgentkeepSession({ agent, scope, sessionId: 'a/b ü' });
  await session.addItems([said('a')]);
  expect(await session.getItems()).toHaveLength(1);
});

test('remembers more operations than the head holds', async () => {
  await using desk = await opened('embedded');
  const session = new AgentkeepSession({ agent: desk.agent, scope, sessionId: 'ann' });
  for (let at = 0; at < 260; at += 1) {
    await session.applyHistoryTransaction(append(`op-${at}`, said(`${at}`)));
  }
  for (const at of [0, 255, 256, 259]) {
    await session.applyHistoryTransaction(append(`op-${at}`, said(`${at}`)));
  }
  expect(await session.getItems()).toHaveLength(260);
});

test('two servers over one store lose nothing', async () => {
  const store = sharedTestStore();
  await using one = await openKeep({ store: store.open() });
  await using two = await openKeep({ store: store.open() });
  const ops = await bootstrapTenant(one, { tenantId: 'acme', subjectId: 'ops' });
  const administrator = await one.authenticate(ops.secret);
  const { secret } = await administrator.credentials.issue({
    subject_id: 'helper',
    capabilities: ['memory_read', 'memory_write'],
    grants: [scope],
  });
  const agents = [await one.authenticate(secret), await two.authenticate(secret)];
  const sessions = agents.map((agent) => new AgentkeepSession({ agent, scope, sessionId: 'ann' }));
  await Promise.all(
    sessions.map(async (session, at) => {
      for (let count = 0; count < 20; count += 1) await session.addItems([said(`${at} ${count}`)]);
    }),
  );
  for (const session of sessions) {
    const items = (await session.getItems()).map((item) => JSON.stringify(item));
    expect(new Set(items).size).toBe(40);
  }
});

test('an agent without a grant is refused', async () => {
  await using desk = await opened('embedded');
  const elsewhere = { ...scope, project_id: 'elsewhere' };
  const session = new AgentkeepSession({ agent: desk.agent, scope: elsewhere });
  await expect(session.getItems()).rejects.toMatchObject({ code: 'forbidden' });
});
