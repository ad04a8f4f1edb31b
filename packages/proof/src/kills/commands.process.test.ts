/**
 * A server that is killed again and again under load loses nothing that it acknowledged, and does
 * nothing twice.
 * @module
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { type MemoryClient, type ScopeInput } from '@agentkeep/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '@agentkeep/server/client';
import {
  type Acknowledged,
  type Command,
  CommandHistory,
  contextOf,
  type RecordState,
  send,
  stateAfter,
} from './command-history.js';
import { LoadClient, randomFrom } from './command-load.js';
import { bootstrapTenant, ServerProcess } from '../process/server-process.js';

const KILLS = 20;
const CLIENTS = 32;
const LOAD_MS_MIN = 200;
const LOAD_MS_SPAN = 400;
const TIMEOUT_MS = 180_000;

const privateScope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'private' };
const scopes: readonly ScopeInput[] = [
  privateScope,
  { ...privateScope, mission_id: 'm', visibility: 'shared' },
];

let home: string;
let dataDir: string;
let server: ServerProcess;
let url: string;
const started: ServerProcess[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-kill-'));
  dataDir = join(home, 'data');
});

afterEach(async () => {
  for (const each of started.splice(0)) await each.kill();
  await rm(home, { recursive: true, force: true });
});

async function startServer(): Promise<void> {
  server = new ServerProcess(dataDir);
  started.push(server);
  url = await server.listens();
}

/** Issues the credential that all clients share. */
async function writerSecret(adminSecret: string): Promise<string> {
  const admin = connect({ url, secret: adminSecret });
  const { secret } = await admin.credentials.issue({
    subject_id: 's',
    capabilities: ['memory_read', 'memory_write'],
    grants: [...scopes],
  });
  return secret;
}

/** Runs a task for every item, some at a time. */
async function forEach<T>(items: Iterable<T>, task: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) await task(next.value);
  };
  await Promise.all(Array.from({ length: CLIENTS }, worker));
}

/** What a record reads as; two states of one record never read alike, but for deleted ones. */
function told(state: Pick<RecordState, 'revision' | 'text'>): string {
  return state.text === null ? 'deleted' : `${state.revision}: ${state.text}`;
}

interface Seen {
  readonly records: Map<string, { scope: ScopeInput; tells: string }>;
  readonly entries: number;
}

/** Everything that queries give, in pages. */
async function seenBy(memory: MemoryClient): Promise<Seen> {
  const records: Seen['records'] = new Map();
  let entries = 0;
  for (const scope of scopes) {
    let after: string | null = null;
    do {
      const page = await memory.queryPage(scope, after === null ? {} : { after });
      for (const { record_id, revision, payload } of page.records) {
        const { primary, context } = payload.content;
        expect(context).toBe(contextOf(primary));
        expect(records.has(record_id)).toBe(false);
        records.set(record_id, { scope, tells: told({ revision, text: primary }) });
      }
      entries += page.scanned_records;
      after = page.next_after;
    } while (after !== null);
  }
  return { records, entries };
}

/** Every record is as acknowledged, or one unanswered command further; gives those commands. */
function commandsAhead({ records, unanswered }: CommandHistory, seen: Seen): Set<Command> {
  const ahead = new Set<Command>();
  const changes = new Map<string, Command>();
  const creates = new Map<string, Command>();
  for (const command of unanswered) {
    const { change, idempotencyKey } = command;
    if (change.type === 'create') creates.set(told({ revision: 1, text: idempotencyKey }), command);
    else changes.set(change.target.recordId, command);
  }
  for (const state of records.values()) {
    const found = seen.records.get(state.recordId)?.tells ?? 'deleted';
    const command = changes.get(state.recordId);
    if (found === told(state)) continue;
    expect(found).toBe(command && told(stateAfter(command, state.recordId)));
    ahead.add(command!);
  }
  const made = [...seen.records].filter(([id]) => !records.has(id));
  for (const [, { scope, tells }] of made) {
    expect(scope).toBe(creates.get(tells)?.scope);
    ahead.add(creates.get(tells)!);
  }
  const createsAhead = [...ahead].filter(({ change }) => change.type === 'create');
  expect(createsAhead).toHaveLength(made.length);
  expect(seen.entries).toBe(records.size + made.length);
  return ahead;
}

async function replay(memory: MemoryClient, acknowledged: readonly Acknowledged[]) {
  await forEach(acknowledged, async ({ command, receipt }) => {
    expect(await send(memory, command)).toEqual(receipt);
  });
}

/** Sends each unanswered command twice more; it takes effect once, then or before the kill. */
async function retry(
  memory: MemoryClient,
  history: CommandHistory,
  { ahead, killedAt }: { ahead: Set<Command>; killedAt: number },
): Promise<void> {
  await forEach([...history.unanswered], async (command) => {
    const [one, other] = await Promise.all([send(memory, command), send(memory, command)]);
    expect(other).toEqual(one);
    expect(one.committed_at_millis <= killedAt).toBe(ahead.has(command));
    history.acknowledge(command, one);
  });
}

/** Queries and reads give exactly what was acknowledged. */
async function checkRecords(
  memory: MemoryClient,
  history: CommandHistory,
  touched: Iterable<string>,
): Promise<void> {
  expect(history.unanswered.size).toBe(0);
  expect(commandsAhead(history, await seenBy(memory)).size).toBe(0);
  await forEach(new Set(touched), async (recordId) => {
    const state = history.records.get(recordId)!;
    const read = memory.read(state.scope, recordId);
    if (state.text === null) {
      await expect(read).rejects.toMatchObject({ code: 'record_not_found' });
    } else {
      const { revision, payload } = await read;
      expect(told({ revision, text: payload.content.primary })).toBe(told(state));
    }
  });
}

/** Loads the server and kills it, then checks what the next one gives; returns what was ahead. */
async function killOnce(
  secret: string,
  history: CommandHistory,
  { clients, loadMs }: { clients: readonly LoadClient[]; loadMs: number },
): Promise<number> {
  const before = history.acknowledged.length;
  const loaded = connect({ url, secret });
  // The countdown begins when commands are answered, however slow the machine is.
  await clients[0]!.step(loaded.memory, history);
  const load = Promise.all(clients.map((client) => client.run(loaded.memory, history)));
  // The moment of the kill is what is tried; a load that ends before it is a server that crashed.
  await Promise.race([load, pass(loadMs)]);
  expect(await server.kill()).toBe('SIGKILL');
  const killedAt = Date.now();
  await load;
  const fresh = history.acknowledged.slice(before);

  await startServer();
  const { memory } = connect({ url, secret });
  const ahead = commandsAhead(history, await seenBy(memory));
  await replay(memory, fresh);
  await retry(memory, history, { ahead, killedAt });
  const touched = history.acknowledged.slice(before).map(({ receipt }) => receipt.record_id);
  await checkRecords(memory, history, touched);
  return ahead.size;
}

test(
  `keeps every acknowledged command over ${KILLS} kills under ${CLIENTS} clients`,
  { timeout: TIMEOUT_MS },
  async () => {
    const seed = Number(process.env['AGENTKEEP_KILL_SEED'] ?? Date.now() % 1_000_000);
    console.info(`AGENTKEEP_KILL_SEED=${seed} chooses the same moments and commands again.`);
    const random = randomFrom(seed);
    const adminSecret = bootstrapTenant(dataDir, 'acme');
    await startServer();
    const secret = await writerSecret(adminSecret);
    const history = new CommandHistory();
    const clients = Array.from({ length: CLIENTS }, (_, index) => {
      const own = randomFrom(random(0x1_0000_0000));
      return new LoadClient(`client-${index}`, scopes[index % scopes.length]!, own);
    });
    let ahead = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const loadMs = LOAD_MS_MIN + random(LOAD_MS_SPAN);
      ahead += await killOnce(secret, history, { clients, loadMs });
    }
    const { acknowledged, records } = history;
    const { memory } = connect({ url, secret });
    await replay(memory, acknowledged);
    await checkRecords(memory, history, []);
    expect(await server.stop()).toBe(0);
    console.info(
      `${acknowledged.length} acknowledged commands on ${records.size} records were checked; ` +
        `${ahead} of them were committed before a kill that came before their answer.`,
    );
  },
);
