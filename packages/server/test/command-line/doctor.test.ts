/** `agentkeep doctor` finds what is wrong, says what to do, and changes nothing. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONTRACT_DOCUMENT_VERSION as VERSION, inMemoryStore, openKeep } from '@agentkeep/core';
import {
  agentFor,
  bootstrapTenant,
  createSnapshot,
  followReplica,
  promoteReplica,
  storeLevel,
} from '@agentkeep/core/operator';
import { eventually } from '@agentkeep/testkit/eventually';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startMetricsServer } from '../../src/lifecycle/start-metrics-server.js';
import { openMetrics } from '../../src/metrics/open-metrics.js';
import { runCommand } from './run-command.js';
import { servedKeep } from './served-keep.js';

interface Found {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'problem';
  readonly found: string;
  readonly advice?: string;
}

let folder: string;
let dataDir: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentkeep-doctor-'));
  dataDir = join(folder, 'data');
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function findings(
  words: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
) {
  const port = words.includes('--port') ? [] : ['--port', '1'];
  const all = ['doctor', '--json', '--data-dir', dataDir, ...port, ...words];
  const profiles = { AGENTKEEP_PROFILES_FILE: join(folder, 'profiles.json') };
  const run = await runCommand(all, { environment: { ...profiles, ...environment } });
  const report = JSON.parse(run.out) as { readonly findings: readonly Found[] };
  return { ...run, findings: report.findings };
}

async function makeStore(): Promise<void> {
  await using keep = await openKeep({ dataDir });
  await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  await createSnapshot(keep);
}

const about = (all: readonly Found[], check: string) => all.filter((each) => each.check === check);

describe('the data directory', () => {
  test('is missing: says how to make one, and makes none', async () => {
    const { status, findings: found } = await findings();
    expect(status).toBe(0);
    expect(about(found, 'data directory')).toMatchObject([
      { state: 'warning', advice: expect.stringContaining('agentkeep bootstrap-tenant') },
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('OPR-101 is in order, also while a server has it open, and is not touched', async () => {
    await makeStore();
    const contents = () =>
      readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).mtimeMs]);
    const before = contents();
    const { status, findings: found } = await findings();
    expect(status).toBe(0);
    for (const check of ['data directory', 'disk', 'snapshots']) {
      expect(about(found, check), check).toMatchObject([{ state: 'ok' }]);
    }
    expect(about(found, 'snapshots')[0]?.advice).toContain('agentkeep drill restore');
    expect(contents()).toEqual(before);
    await using keep = await openKeep({ dataDir });
    expect(about((await findings()).findings, 'data directory')).toMatchObject([{ state: 'ok' }]);
    expect(keep).toBeDefined();
  });

  test('OPR-100 holds something else: the exit status is 1', async () => {
    mkdirSync(dataDir);
    cpSync(import.meta.filename, join(dataDir, 'notes.txt'));
    const { status, error, findings: found } = await findings();
    expect(status).toBe(1);
    expect(error).toContain('Problems: 1, warnings: ');
    expect(about(found, 'data directory')).toMatchObject([{ state: 'problem' }]);
  });

  test('has another durability than the options say', async () => {
    await makeStore();
    const { status, findings: found } = await findings(['--durability', 'relaxed']);
    expect(status).toBe(1);
    expect(about(found, 'durability')).toMatchObject([
      { state: 'problem', advice: expect.stringContaining('durability to strict') },
    ]);
  });

  test.runIf(process.platform !== 'win32')('is open to others', async () => {
    await makeStore();
    chmodSync(dataDir, 0o755);
    const { findings: found } = await findings();
    expect(about(found, 'rights')).toMatchObject([
      { state: 'warning', found: expect.stringContaining('(755)'), advice: `chmod 700 ${dataDir}` },
    ]);
  });
});

describe('a server', () => {
  test('does not answer', async () => {
    const { findings: found } = await findings();
    expect(about(found, 'server')).toMatchObject([
      { state: 'warning', found: expect.stringContaining('http://127.0.0.1:1') },
    ]);
  });

  test('of the default profile is ready and takes the secret', async () => {
    await using served = await servedKeep();
    const port = new URL(served.url).port;
    const { status, findings: found } = await findings(['--port', port], served.environment);
    expect(status).toBe(0);
    expect(about(found, 'server')).toMatchObject([{ state: 'ok' }]);
    expect(about(found, 'server of the profile agent')).toMatchObject([{ state: 'ok' }]);
    expect(about(found, 'profile')).toMatchObject([
      { found: 'The secret is that of helper of the tenant acme.' },
    ]);
    chmodSync(join(served.folder, 'agent'), 0o644);
    expect(about((await findings([], served.environment)).findings, 'profile')).toMatchObject([
      { state: 'warning', advice: expect.stringContaining('chmod 600') },
      { state: 'ok' },
    ]);
  });

  test('accepts a secret that was replaced: says whose, until when, and whether it is used', async () => {
    await using served = await servedKeep();
    const adminSecret = readFileSync(join(served.folder, 'admin'), 'utf8').trim();
    const { credentials } = await served.keep.authenticate(adminSecret);
    const { credential, secret: first } = await credentials.issue({
      subject_id: 'late',
      capabilities: ['memory_read'],
      grants: [],
    });
    const overlap = { overlapSeconds: 3_600 };
    const { secret } = await credentials.rotate(credential.id, 1, overlap);
    const asAdmin = { AGENTKEEP_URL: served.url, AGENTKEEP_SECRET: adminSecret };
    const replaced = async (environment: Readonly<Record<string, string>>) =>
      about((await findings([], environment)).findings, 'credentials');
    expect(await replaced(asAdmin)).toMatchObject([
      { state: 'ok', found: expect.stringContaining('unused since the rotation') },
    ]);
    // The first call with the old secret is the one that doctor itself makes.
    const asHolder = { AGENTKEEP_URL: served.url, AGENTKEEP_SECRET: first };
    await replaced(asHolder);
    expect(await replaced({ ...asHolder, AGENTKEEP_SECRET: secret })).toMatchObject([
      { state: 'warning', found: expect.stringContaining(`of late (${credential.id}) is good`) },
    ]);
    expect(await replaced(asAdmin)).toMatchObject([
      { state: 'warning', advice: 'Give its holder the new secret before then.' },
    ]);
  });

  test('of the default profile that does not answer is a warning, not a problem', async () => {
    const environment = { AGENTKEEP_URL: 'http://127.0.0.1:1', AGENTKEEP_SECRET: 'x' };
    const { status, findings: found } = await findings([], environment);
    expect(status).toBe(0);
    expect(about(found, 'server of the environment')).toMatchObject([{ state: 'warning' }]);
    expect(about(found, 'profile')).toEqual([]);
  });

  test('refuses the secret', async () => {
    await using served = await servedKeep();
    const environment = { AGENTKEEP_URL: served.url, AGENTKEEP_SECRET: 'wrong' };
    const { status, findings: found } = await findings([], environment);
    expect(status).toBe(1);
    expect(about(found, 'profile')).toMatchObject([{ state: 'problem' }]);
  });
});

test('a key file cannot be read', async () => {
  const { status, findings: found } = await findings([
    '--jwt-private-key-file',
    join(folder, 'no'),
  ]);
  expect(status).toBe(1);
  expect(about(found, 'key files')).toMatchObject([{ state: 'problem' }]);
});

test('OPR-149 the model of the option meaning works here, and texts wait at the server', async () => {
  // A model that never answers.
  const textEmbedder = { space: 'slow', embed: () => new Promise<never>(() => undefined) };
  await using keep = await openKeep({ store: inMemoryStore(), textEmbedder });
  const { memory } = await agentFor(keep, { subject: 'ann' });
  await memory.remember('The car is old.');
  const token = 'a-secret-of-metrics';
  const where = { host: '127.0.0.1', port: 0, token };
  const metrics = await startMetricsServer(await openMetrics(keep), where);
  const at = ['--metrics-port', String(metrics.port), '--metrics-token', token];
  try {
    const { status, findings: found } = await findings(['--meaning', 'true', ...at]);
    expect(status).toBe(0);
    expect(about(found, 'meaning')).toMatchObject([
      { state: 'ok', found: expect.stringMatching(/^The model loads and makes .+ \d+ ms\.$/) },
      {
        state: 'ok',
        found: expect.stringMatching(/^1 records or more wait/),
        advice: expect.stringContaining('the model makes no embeddings'),
      },
    ]);
    expect(about((await findings(at)).findings, 'meaning')).toEqual([]);
  } finally {
    await metrics.stop();
  }
});

// docs/contract/platform.md#plt-50
test('OPR-149 the model of a server fails, and works again', async () => {
  let isBroken = true;
  const embed = (texts: readonly string[]) =>
    isBroken ? Promise.reject(new Error('Broken.')) : Promise.resolve(texts.map(() => [1, 0]));
  const textEmbedder = { space: 'broken', embed };
  await using keep = await openKeep({ store: inMemoryStore(), textEmbedder });
  const { memory } = await agentFor(keep, { subject: 'ann' });
  const token = 'a-secret-of-metrics';
  const where = { host: '127.0.0.1', port: 0, token };
  const metrics = await startMetricsServer(await openMetrics(keep), where);
  const at = ['--metrics-port', String(metrics.port), '--metrics-token', token];
  const ofServer = async () => {
    const { status, findings: found } = await findings(['--meaning', 'true', ...at]);
    const states = about(found, 'meaning').map(({ state, found: said }) => [state, said] as const);
    return { status, states: states.slice(1).map(([state, said]) => [state, said.slice(0, 23)]) };
  };
  try {
    await memory.recall('Which vehicle?');
    expect(await ofServer()).toEqual({
      status: 1,
      states: [
        ['problem', 'The model of the server'],
        ['ok', 'No record waits for an '],
      ],
    });
    isBroken = false;
    await memory.recall('Which car?');
    const states = [['ok', 'No record waits for an ']];
    expect(await ofServer()).toEqual({ status: 0, states });
  } finally {
    await metrics.stop();
  }
});

test('OPR-162 the level and the version of the server, from its port of metrics', async () => {
  await makeStore();
  expect(about((await findings()).findings, 'level')).toMatchObject([
    { state: 'ok', advice: 'Read the level from the store: `agentkeep level show`.' },
  ]);
  await using keep = await openKeep({ dataDir });
  const token = 'a-secret-of-metrics';
  const where = { host: '127.0.0.1', port: 0, token, levels: () => storeLevel.of(keep) };
  const metrics = await startMetricsServer(await openMetrics(keep), {
    ...where,
    isReady: () => keep.isReady(),
  });
  const at = ['--metrics-port', String(metrics.port)];
  try {
    const { findings: found } = await findings([...at, '--metrics-token', token]);
    expect(about(found, 'level')).toEqual([
      { check: 'level', state: 'ok', found: expect.stringContaining('has feature level 1') },
    ]);
    expect(about(found, 'servers')).toEqual([
      { check: 'servers', state: 'ok', found: `Server of version ${VERSION}: levels 1 to 1.` },
    ]);
    const { findings: unknown } = await findings([...at, '--metrics-token', `${token}-old`]);
    expect(about(unknown, 'servers')).toEqual([]);
  } finally {
    await metrics.stop();
  }
});

test('people read a line for each finding, with what to do below it', async () => {
  const { out } = await runCommand(['doctor', '--port', '1', '--data-dir', dataDir], {
    environment: { AGENTKEEP_PROFILES_FILE: join(folder, 'profiles.json') },
  });
  expect(out).toMatch(/^ok {7}Node\.js: .+ is supported\.$/m);
  expect(out).toMatch(/^warning {2}data directory: .+ does not exist\.\n {9}Name it with/m);
});

describe('the replication target', () => {
  const replication = async (directory = 'target') => {
    const { findings: all } = await findings(['--replicate-to', join(folder, directory)]);
    return about(all, 'replication');
  };

  // docs/contract/operator.md#opr-101, docs/contract/replication.md#rep-77
  test('has a commit and a whole copy, is empty, or belongs to another store', async () => {
    const target = join(folder, 'target');
    const replicateTo = { target, mode: 'acknowledged' } as const;
    await using keep = await openKeep({ dataDir, replicateTo });
    await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
    expect(await replication()).toMatchObject([
      {
        state: 'ok',
        found: expect.stringMatching(
          /answers \(async\)\. It is at position \d+ of generation 1, .* copy is 0 h old/,
        ),
      },
    ]);
    mkdirSync(join(folder, 'empty'));
    expect(await replication('empty')).toMatchObject([
      { state: 'warning', found: expect.stringContaining('is empty') },
    ]);
    expect(await replication('absent')).toMatchObject([
      { state: 'warning', found: expect.stringContaining('does not exist') },
    ]);
    writeFileSync(join(folder, 'file'), '');
    expect(await replication('file')).toMatchObject([{ state: 'problem' }]);
    const other = join(folder, 'other');
    await (await openKeep({ dataDir: other })).close();
    dataDir = other;
    expect(await replication()).toMatchObject([
      { state: 'problem', found: expect.stringContaining('belongs to another store') },
    ]);
  });

  // docs/contract/operator.md#opr-101, docs/contract/replication.md#rep-77
  test('is followed, or written to by another directory', async () => {
    const target = join(folder, 'target');
    const replicateTo = { target, mode: 'acknowledged' } as const;
    await using keep = await openKeep({ dataDir, replicateTo });
    await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
    const standby = join(folder, 'standby');
    await (await followReplica({ target, dataDir: standby })).close();
    dataDir = standby;
    expect(await replication()).toMatchObject([
      { state: 'ok', found: expect.stringContaining('follows') },
    ]);
    await promoteReplica({ target, dataDir: standby });
    expect(await replication()).toMatchObject([{ state: 'ok' }]);
    dataDir = join(folder, 'data');
    expect(await replication()).toMatchObject([
      { state: 'problem', found: expect.stringContaining('Another data directory') },
    ]);
  });

  // docs/contract/replication.md#rep-77, docs/contract/replication.md#rep-78
  test('was written to and is empty or gone: to mount it or begin anew, not to start', async () => {
    const target = join(folder, 'target');
    await (await openKeep({ dataDir, replicateTo: target })).close();
    rmSync(target, { recursive: true });
    expect(await replication()).toMatchObject([
      { state: 'warning', advice: expect.stringContaining('start over with `agentkeep promote`') },
    ]);
    expect(existsSync(target)).toBe(false);
    mkdirSync(target);
    const [finding] = await replication();
    expect(finding).toMatchObject({
      state: 'problem',
      found: expect.stringContaining('mount it'),
    });
    expect(JSON.stringify(finding)).not.toContain('Start the server');
    await promoteReplica({ target, dataDir });
    const keep = await openKeep({ dataDir, replicateTo: { target, mode: 'acknowledged' } });
    // A close waits for the first whole copy only a few seconds.
    await eventually(() => expect(keep.replication()?.copyMs).toBeDefined());
    await keep.close();
    expect(await replication()).toMatchObject([{ state: 'ok' }]);
  });

  test('is not looked at where none is configured', async () => {
    await makeStore();
    expect(about((await findings()).findings, 'replication')).toEqual([]);
  });
});
