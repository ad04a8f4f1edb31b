/** Audit files are in the order of the chain, even if commits are acknowledged in another order. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@agentkeep/testkit/eventually';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditDraft } from '../../../test/audit-draft.js';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import type { AuditDraft } from '../audit/audit.js';
import { systemEntropy } from '../ports/entropy.js';
import { uuidV7Generator } from '../ports/ids.js';
import { storeOver } from '../../storage/store-testing/store-over.js';
import type { WriteTx } from '../../storage/store/store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { auditSettings } from './audit-options.js';
import { HELD_EVENTS_MAX } from './change-events.js';
import { openAuditOver } from '../../../test/audit-kit.js';

const clock = new ManualClock();
const newId = uuidV7Generator(clock, systemEntropy);

let logPath: string;
beforeEach(async () => {
  logPath = await mkdtemp(join(tmpdir(), 'agentkeep-audit-'));
});
afterEach(() => rm(logPath, { recursive: true, force: true }));

function draft(username: string, tenantId: string): AuditDraft {
  const type = 'configuration_changed';
  return auditDraft({ id: newId(), atMillis: clock.now(), type, username, tenantId });
}

/** Creates a log over a store whose transactions the test acknowledges, in any order. */
function setUp() {
  const below = inMemoryStore();
  const held: Held[] = [];
  const transact = async <T>(body: (tx: WriteTx) => T): Promise<T> => {
    let ran: Promise<T> | undefined;
    let answer = (): void => undefined;
    let fail = (): void => undefined;
    const gate = new Promise<void>((resolve, reject) => {
      answer = resolve;
      fail = () => reject(new Error('refused'));
    });
    const run = () => (ran = below.transact(body));
    const vain = () =>
      below.transact((tx) => {
        body(tx);
        throw new Error('discarded');
      });
    held.push({ run, vain: () => vain().catch(() => undefined), answer, fail });
    await gate;
    if (ran === undefined) throw new Error('The body has not run.');
    return ran;
  };
  const { store, audit } = openAuditOver(storeOver(below, { transact }), clock, settings());
  const change = (username: string, { tenantId = 'acme', events = 1 } = {}) => {
    const drafts = Array.from({ length: events }, () => draft(username, tenantId));
    const done = store.transact((tx) => {
      for (const each of drafts) audit.changed(tx, each);
    });
    const call = held.at(-1);
    if (call === undefined) throw new Error('A transaction was sent.');
    return { ...call, done: done.catch(() => undefined) };
  };
  return { audit, change };
}

const settings = () => auditSettings({ logPath });

interface Held {
  /** Runs the body and commits. */
  readonly run: () => Promise<unknown>;
  /** Runs the body and commits nothing. */
  readonly vain: () => Promise<unknown>;
  readonly answer: () => void;
  readonly fail: () => void;
}

/** Returns the usernames in the files, line by line. */
async function written(): Promise<unknown[]> {
  const [name = ''] = await readdir(logPath);
  const lines = (await readFile(join(logPath, name), 'utf8')).split('\n').slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as { username: unknown }).username);
}

test('a commit that is acknowledged late still precedes the next one', async () => {
  const { audit, change } = setUp();
  const [first, second] = [change('first'), change('second')];
  await first.run();
  await second.run();
  second.answer();
  await second.done;
  expect(audit.waitingLines).toBe(1);
  first.answer();
  await first.done;
  await audit.close();
  expect(audit.waitingLines).toBe(0);
  expect(await written()).toEqual(['first', 'second']);
});

test('a body that runs again takes its position from the last run', async () => {
  const { audit, change } = setUp();
  const [first, second] = [change('first'), change('second')];
  await first.vain();
  await second.run();
  await first.run();
  first.answer();
  await first.done;
  second.answer();
  await second.done;
  await audit.close();
  expect(await written()).toEqual(['second', 'first']);
});

test('events of several chains keep their order', async () => {
  const { audit, change } = setUp();
  const changes = [
    change('a0'),
    change('b0', { tenantId: 'umbrella' }),
    change('a1'),
    change('b1', { tenantId: 'umbrella' }),
  ];
  for (const each of changes) await each.run();
  for (const each of changes) each.answer();
  await Promise.all(changes.map(({ done }) => done));
  await audit.close();
  expect(await written()).toEqual(['a0', 'b0', 'a1', 'b1']);
});

test('no event waits for a failed transaction or for another chain', async () => {
  const { audit, change } = setUp();
  const [failed, other] = [change('failed'), change('other', { tenantId: 'umbrella' })];
  const [first, second] = [change('first'), change('second')];
  for (const each of [failed, other]) await each.vain();
  for (const each of [first, second]) {
    await each.run();
    each.answer();
    await each.done;
  }
  failed.fail();
  await eventually(async () => expect(await written()).toEqual(['first', 'second']));
  other.fail();
  await other.done;
  await audit.close();
});

test('events that wait too long for a transaction are written without it', async () => {
  const { audit, change } = setUp();
  const stuck = change('stuck');
  await stuck.run();
  const next = change('next', { events: HELD_EVENTS_MAX + 1 });
  await next.run();
  next.answer();
  await next.done;
  await eventually(async () => expect((await written()).length).toBeGreaterThan(HELD_EVENTS_MAX));
  stuck.answer();
  await stuck.done;
  await audit.close();
  expect((await written()).at(-1)).toBe('stuck');
});
