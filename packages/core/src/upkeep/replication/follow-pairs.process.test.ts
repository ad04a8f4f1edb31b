/** Replication beside other features: what a standby has of them, once it follows or takes over. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@agentkeep/testkit/eventually';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newKeys } from '../../../test/key-kit.js';
import { contentOfStandby, ReplicatedStore } from '../../../test/replicated-store.js';
import type { Administrator } from '../../client/administrator.js';
import type { Agent } from '../../client/agent.js';
import type { Keep } from '../../keep/keep.js';
import type { KeepPorts } from '../../keep/keep-options.js';
import { openKeep, openKeepAt } from '../../keep/open-keep.js';
import { storeLevel } from '../../keep/store-level.js';
import { storeOver } from '../../storage/store-testing/store-over.js';
import {
  agentFor,
  bootstrapMaster,
  bootstrapTenant,
  createAdmin,
  followReplica,
  promoteReplica,
  restoreReplica,
} from '../../operator.js';
import { shipLedger } from './copies/ship-ledger.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;
const ANN = { tenantId: 'acme', subjectId: 'ann', scopes: [scope] };

let home: string;
let target: string;
let dataDir: string;
let source: ReplicatedStore;
const open: { close(): Promise<unknown> }[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'agentkeep-pairs-'));
  target = join(home, 'target');
  dataDir = join(home, 'standby');
  source = await ReplicatedStore.open(join(home, 'data'), target);
});

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await rm(home, { recursive: true });
});

/** Opens the keep of the primary. */
async function primary(ports: KeepPorts = {}): Promise<Keep> {
  const keep = await openKeep({ store: source.store, dataDir: join(home, 'beside'), ...ports });
  open.push(keep);
  return keep;
}

/** Sends everything, and brings the standby to the end of the target. */
async function followed(directory = dataDir): Promise<void> {
  await source.ship();
  const follower = await followReplica({ target, dataDir: directory, pollMs: 3_600_000 });
  expect(follower.status.position).toBe(source.log.tip?.last.position);
  await follower.close();
  expect(await contentOfStandby(directory)).toEqual(
    source.contentAt(source.log.tip?.last.position ?? 0),
  );
}

/** Lets the standby take over, and opens its keep. */
async function promoted(ports: KeepPorts = {}): Promise<Keep> {
  await promoteReplica({ target, dataDir });
  const keep = await openKeep({ dataDir, ...ports });
  open.push(keep);
  return keep;
}

async function textsOf(agent: Agent): Promise<string[]> {
  const texts: string[] = [];
  for await (const { payload } of agent.memory.in(scope).query())
    texts.push(payload.content.primary);
  return texts.toSorted();
}

describe('REP-75 an erased tenant', () => {
  const GLOBEX = { tenantId: 'globex', subjectId: 'gus', scopes: [scope] };

  /** Makes two tenants that remember, and returns what erases one of them. */
  async function twoTenants(keep: Keep): Promise<() => Promise<void>> {
    const { secret } = await bootstrapMaster(keep, 'root');
    const master = await keep.administer(secret);
    for (const each of [ANN, GLOBEX]) {
      await (await agentFor(keep, each)).memory.in(scope).remember(`of ${each.tenantId}`);
    }
    return async () => {
      const { id } = await master.tenants.erase('globex');
      await eventually(async () => {
        expect((await master.tenants.erasure(id)).status).toBe('finished');
      });
    };
  }

  const heldText = async (directory = dataDir): Promise<string> =>
    [...(await contentOfStandby(directory))].flat().join('\n');

  test('is gone from a standby that follows on, and from what it serves', async () => {
    const keep = await primary();
    const erase = await twoTenants(keep);
    await followed();
    expect(await heldText()).toContain('of globex');
    await erase();
    await followed();
    const held = await heldText();
    expect(held).toContain('of acme');
    expect(held).not.toContain('of globex');
    const served = await promoted();
    expect(await textsOf(await agentFor(served, ANN))).toEqual(['of acme']);
    await expect(agentFor(served, GLOBEX).then(textsOf)).resolves.toEqual([]);
  });

  test('after the last commit of a standby or restore is erased before it serves', async () => {
    const keep = await primary();
    const erase = await twoTenants(keep);
    await followed();
    const position = source.log.tip?.last.position;
    await erase();
    // The target has the ledger, but no frame of the erasure.
    await shipLedger(source.target, join(home, 'beside'));
    const restored = join(home, 'restored');
    await restoreReplica({ from: target, dataDir: restored, position });
    const served = await promoted();
    const again = await openKeep({ dataDir: restored });
    for (const each of [served, again]) {
      expect(await textsOf(await agentFor(each, ANN))).toEqual(['of acme']);
      await each.close();
    }
    for (const each of [dataDir, restored]) expect(await heldText(each)).not.toContain('of globex');
  });

  test('stays in the ledger of a standby that begins anew with a whole copy', async () => {
    const keep = await primary();
    const erase = await twoTenants(keep);
    await source.ship();
    await followed();
    await erase();
    await shipLedger(source.target, join(home, 'beside'));
    const first = await followReplica({ target, dataDir, pollMs: 3_600_000 });
    await first.close();
    expect(existsSync(join(dataDir, 'erasures.jsonl'))).toBe(true);
    await source.log.claim({ last: source.frames.tip, generation: 'next' });
    await source.base();
    await followed();
    expect(existsSync(join(dataDir, 'erasures.jsonl'))).toBe(true);
    expect(await heldText()).not.toContain('of globex');
  });
});

describe('REP-51, REP-75 a person and a tenant that are erased beside a follower', () => {
  const NAMES = ['alice', 'of Alice', 'of globex'];
  const account = { username: 'alice-the-person', password: 'Correct-Horse-7' };

  /** Lets a person of one tenant, and another tenant, leave traces. Returns what erases both. */
  async function traces(keep: Keep): Promise<() => Promise<void>> {
    const master = await keep.administer((await bootstrapMaster(keep, 'root')).secret);
    const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
    const admin = await keep.authenticate(secret);
    const home = { ...scope, visibility: 'private' as const };
    const spec = {
      subject_id: 'alice',
      capabilities: ['memory_read', 'memory_write'],
      grants: [home],
    };
    const { credential } = await admin.credentials.issue(spec as never);
    await admin.loginAccounts.create({ ...account, credentialId: credential.id });
    const { agent } = await keep.openSession({ ...account, tenantId: 'acme' });
    await agent.memory.in(home).remember('of Alice');
    const gus = { tenantId: 'globex', subjectId: 'gus', scopes: [scope] };
    await (await agentFor(keep, gus)).memory.in(scope).remember('of globex');
    return async () => {
      const one = await admin.erasures.start({ kind: 'subject', subject_id: 'alice' });
      const two = await master.tenants.erase('globex');
      await eventually(async () => {
        expect((await admin.erasures.get(one.id)).status).toBe('finished');
        expect((await master.tenants.erasure(two.id)).status).toBe('finished');
      });
    };
  }

  const namesIn = async (directory: string): Promise<string[]> => {
    const held = [...(await contentOfStandby(directory))].flat().join('\n');
    return NAMES.filter((name) => held.includes(name));
  };

  test.each([false, true])(
    'are gone from it, and from what is restored (encrypted: %s)',
    async (isEncrypted) => {
      const ports = isEncrypted ? { encryption: await newKeys() } : {};
      const keep = await primary(ports);
      const erase = await traces(keep);
      await source.ship();
      const position = source.log.tip?.last.position;
      const follower = await followReplica({ target, dataDir, pollMs: 3_600_000 });
      const before = await namesIn(dataDir);
      if (!isEncrypted) expect(before).toEqual(NAMES);
      await erase();
      await source.ship();
      await shipLedger(source.target, join(home, 'beside'));
      await follower.catchUp();
      await follower.close();
      expect(await namesIn(dataDir)).toEqual([]);
      const restored = join(home, 'restored');
      await restoreReplica({ from: target, dataDir: restored, position });
      await (await openKeep({ dataDir: restored, ...ports })).close();
      expect(await namesIn(restored)).toEqual([]);
      const served = await promoted(ports);
      const alice = { ...account, tenantId: 'acme' };
      await expect(served.openSession(alice)).rejects.toMatchObject({ code: 'invalid_login' });
    },
  );
});

describe('REP-70 a standby has', () => {
  test('merged branches, imports, facts that ended, and embeddings, which are made once', async () => {
    const asked: string[] = [];
    const textEmbedder = {
      space: 'letters',
      queryMillis: 60_000,
      embed: (texts: readonly string[], { kind }: { readonly kind: 'record' | 'query' }) => {
        if (kind === 'record') asked.push(...texts);
        return Promise.resolve(texts.map((text) => [text.split('a').length, text.length, 1]));
      },
    };
    const keep = await primary({ textEmbedder });
    const ann = await agentFor(keep, ANN);
    const memory = ann.memory.in(scope);
    const { record_id, revision } = await memory.remember('The demo is on Monday.');
    await memory.remember('The demo is on Friday.', { supersedes: [{ record_id, revision }] });
    const trial = await ann.branches.create('trial', [scope]);
    await ann.memory.in({ ...scope, branch: trial.id }).remember('A banana.');
    const { digest } = await ann.branches.diffPage(trial.id);
    await ann.branches.merge(trial.id, { digest });
    await (await importer(keep)).exports.import(await exported());
    const texts = ['A banana.', 'Of elsewhere.', 'The demo is on Friday.'];
    await eventually(async () => {
      expect(asked).toEqual(expect.arrayContaining(texts));
      expect((await keep.waiting()).embeddings).toBe(0);
    });
    const made = asked.length;
    const found = await foundBy(ann);
    expect(found.texts).toEqual(texts);
    await followed();
    const served = await promoted({ textEmbedder });
    const again = await agentFor(served, ANN);
    expect(await foundBy(again)).toEqual(found);
    await again.memory.in(scope).remember('A later one.');
    await eventually(() => {
      expect(asked.slice(made)).toEqual(['A later one.']);
    });
  });

  /** What an agent finds: by words, and by meaning in the order of the places. */
  async function foundBy(agent: Agent) {
    const nearest: string[] = [];
    const vector = { text: 'banana' };
    for await (const { record } of agent.memory.in(scope).search({}, { order: 'nearest', vector }))
      nearest.push(record.payload.content.primary);
    const texts: string[] = [];
    for await (const { record } of agent.memory.in(scope).search({}))
      texts.push(record.payload.content.primary);
    return { texts: texts.toSorted(), nearest };
  }

  async function importer(keep: Keep): Promise<Agent> {
    const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
    return keep.authenticate(secret);
  }

  async function exported(): Promise<string[]> {
    await using other = await openKeep({ dataDir: join(home, 'other') });
    await (await agentFor(other, ANN)).memory.in(scope).remember('Of elsewhere.');
    const texts: string[] = [];
    const admin = await importer(other);
    for await (const text of admin.exports.texts({ type: 'tenant' })) texts.push(text);
    return texts;
  }

  test('the schedule of snapshots, which only what serves carries out', async () => {
    const login = { username: 'root', password: 'Correct-Horse-7' };
    const rootOf = async (keep: Keep): Promise<Administrator> =>
      (await keep.openSession(login)).administrator;
    const keep = await primary();
    await createAdmin(keep, login);
    const root = await rootOf(keep);
    await root.snapshots.setSchedule({ everySeconds: 3_600, keep: 2, expectedRevision: 0 });
    await followed();
    expect(await readdir(dataDir)).not.toContain('snapshots');
    const served = await promoted();
    expect(await (await rootOf(served)).snapshots.schedule()).toMatchObject({ keep: 2 });
    await eventually(async () => {
      // Beside it are a link to the newest one and, while it is made, a lock.
      const names = await readdir(join(dataDir, 'snapshots'));
      expect(names.filter((name) => /^\d/u.test(name))).toHaveLength(1);
    });
  });
});

describe('REP-53 a feature level', () => {
  const OLDER = { oldest: 1, newest: 1 };
  const NEWER = { oldest: 1, newest: 2 };

  test('comes along, and a version that does not support it takes nothing over', async () => {
    const store = storeOver(source.store, { close: () => Promise.resolve() });
    await (await openKeepAt(OLDER, { store })).close();
    await followed();
    expect((await storeLevel.read({ dataDir })).level).toBe(1);
    const newer = await openKeepAt(NEWER, { store, raiseLevel: false });
    open.push(newer, source.store);
    expect(await storeLevel.raise(newer)).toMatchObject({ level: 2, is_raised: true });
    await followed();
    expect((await storeLevel.read({ dataDir })).level).toBe(2);
    await expect(promoteReplica({ target, dataDir })).rejects.toMatchObject({
      code: 'store_incompatible',
      message: expect.stringContaining('feature level 2') as unknown,
    });
    // The primary was not fenced.
    await (await agentFor(newer, ANN)).memory.in(scope).remember('It goes on.');
    await followed();
  });
});
