/**
 * A directory with the tenant of an attacker and a well-behaved one, and the process that serves
 * it.
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Agent,
  type Keep,
  openKeep,
  type RecordInput,
  type ScopeInput,
} from '@agentkeep/core';
import { bootstrapMaster, bootstrapTenant, createAdmin } from '@agentkeep/core/operator';
import { runCommand } from '@agentkeep/testkit/agentkeep-process';
import { freePort } from '@agentkeep/testkit/free-port';
import { ServerProcess } from '@agentkeep/testkit/server-process';
import type { Amounts } from './amounts.js';
import { inParallel } from './in-parallel.js';
import { issueOwner, makeWebhookOwners, type WebhookOwners } from './webhook-owners.js';

/** The scope of the well-behaved tenant. */
export const goodScope: ScopeInput = { project_id: 'work', agent_id: 'a', visibility: 'shared' };
/** A scope of the attacker with large records. */
export const largeScope: ScopeInput = { project_id: 'large', agent_id: 'a', visibility: 'shared' };
/** A scope of the attacker with many records. */
export const smallScope: ScopeInput = { project_id: 'small', agent_id: 'a', visibility: 'shared' };

/** Where people come to; nothing listens there. */
export const PUBLIC_URL = 'http://127.0.0.1:7474';

/** The password of every account. */
export const PASSWORD = 'Correct-Horse-7';
/** The well-behaved tenant. Each tenant has an administrator `chief` and an account `plain`. */
export const GOOD = 'good';
/** The tenant of the attacker. */
export const BAD = 'bad';
/** A tenant of the attacker whose storage quota is full. */
export const FULL = 'full';

/** 62 KB, close to the largest document. */
const LARGE_TEXT = 'The deployment finished after two retries. '.repeat(1_450);
const WRITERS = 32;
const NO_LIMIT = { maxRequests: 1_000_000_000, windowSecs: 1 };
/** No address of this machine, so that the server counts each loopback address as a client. */
const ELSEWHERE = '203.0.113.1';
/**
 * Without it, V8 leaves garbage in the heap until that has several times the size of what is in
 * use, as the memory of the machine allows: resident memory would measure the machine. What stays
 * in use must fit, or the process ends.
 */
const BOUNDED_HEAP = { NODE_OPTIONS: '--max-old-space-size=192' };
/** Shorter than the default, because clients with half a body wait for it. */
const STOP_GRACE_SECONDS = '1';

/** The secrets of a tenant. */
export interface TenantSecrets {
  /** Of its administrators' credential. */
  readonly admin: string;
  /** Of an agent that reads and writes. */
  readonly agent: string;
  /** The secret of a program that has webhooks, and writes the records that they report. */
  readonly owner: string;
}

/** The directory with its current process. */
export class AbusedSite implements AsyncDisposable {
  readonly #directory: string;
  readonly #words: readonly string[];
  readonly good: TenantSecrets;
  readonly bad: TenantSecrets;
  /** The secrets of the tenants that have webhooks, for each attack with them. */
  readonly owners: WebhookOwners;
  /** Of the tenant whose quota is full; its agent redacted revision 1 of {@link redactedRecord}. */
  readonly full: TenantSecrets;
  readonly redactedRecord: string;
  /** The secret of the master. */
  readonly master: string;
  #process: ServerProcess | undefined;
  #url = '';

  private constructor(
    directory: string,
    words: readonly string[],
    { good, bad, full, owners, master, redactedRecord }: Prepared,
  ) {
    this.#directory = directory;
    this.#words = words;
    this.good = good;
    this.bad = bad;
    this.owners = owners;
    this.full = full;
    this.master = master;
    this.redactedRecord = redactedRecord;
  }

  /** Makes the directory, fills it and serves it, without rate limits. */
  static async open(amounts: Amounts): Promise<AbusedSite> {
    const directory = await mkdtemp(join(tmpdir(), 'agentkeep-abuse-'));
    const port = await freePort();
    const words = [
      ...['--mcp', 'true', '--port', String(port)],
      // Keys are proven for this address, and people come by the other one.
      ...['--internal-url', `http://127.0.0.1:${port}`],
      ...['--public-url', PUBLIC_URL, '--client-registration', 'true'],
      ...['--trusted-proxies', ELSEWHERE],
      ...['--connections-per-address', String(amounts.connectionsPerAddress)],
      ...['--audit-max-events', String(amounts.auditEvents)],
      ...['--webhook-addresses', '127.0.0.0/8', '--issuer-addresses', '127.0.0.0/8'],
      ...['--program-addresses', '127.0.0.0/8'],
      ...['--stop-grace-seconds', STOP_GRACE_SECONDS],
    ];
    const secrets = await prepare(join(directory, 'data'), amounts);
    const site = new AbusedSite(directory, words, secrets);
    await site.start();
    return site;
  }

  /** The address of the process. */
  get url(): string {
    return this.#url;
  }

  /** The id of the process. */
  get pid(): number {
    return this.#running.pid;
  }

  /** Whether the process has ended by itself. */
  get hasEnded(): boolean {
    return this.#running.hasEnded;
  }

  /** The size of the stored files, in MB. */
  async storedMb(): Promise<number> {
    const names = await readdir(this.#dataDir, { recursive: true });
    const sizes = names.map(async (name) => (await stat(join(this.#dataDir, name))).size);
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1_000_000;
  }

  /** Starts a process. */
  async start(): Promise<void> {
    const options = { words: this.#words, variables: BOUNDED_HEAP };
    this.#process = new ServerProcess(this.#dataDir, options);
    this.#url = await this.#process.listens();
  }

  /** Asks the process to stop; returns its exit status, or `null` if a signal ended it. */
  stop(): Promise<number | null> {
    return this.#running.stop();
  }

  /** Runs `agentkeep verify-audit`; returns its exit status. */
  async verifyAudit(): Promise<number | null> {
    return (await runCommand(['verify-audit', '--data-dir', this.#dataDir])).status;
  }

  /** Kills the process if it still runs, and removes the directory. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process?.kill();
    await rm(this.#directory, { recursive: true });
  }

  get #dataDir(): string {
    return join(this.#directory, 'data');
  }

  get #running(): ServerProcess {
    if (this.#process === undefined) throw new Error('The server has not been started.');
    return this.#process;
  }
}

type Prepared = Pick<AbusedSite, 'good' | 'bad' | 'full' | 'owners' | 'master' | 'redactedRecord'>;

async function prepare(dataDir: string, amounts: Amounts): Promise<Prepared> {
  await using keep = await openKeep({ dataDir });
  await createAdmin(keep, { username: 'root', password: PASSWORD });
  const { administrator } = await keep.logIn({ username: 'root', password: PASSWORD });
  for await (const { id } of administrator.rateLimits.list()) {
    await administrator.rateLimits.update(id, NO_LIMIT);
  }
  const good = await makeTenant(keep, GOOD);
  const bad = await makeTenant(keep, BAD);
  await fill(await keep.authenticate(bad.agent), amounts);
  const full = await makeTenant(keep, FULL);
  const redactedRecord = await redactOne(await keep.authenticate(full.agent));
  const { secret: master } = await bootstrapMaster(keep, 'master');
  const { tenants } = await keep.administer(master);
  await tenants.setQuota(FULL, { maxEntries: 10, maxBytes: 1_000 });
  const owners = await makeWebhookOwners(keep, goodScope);
  return { good, bad, full, owners, master, redactedRecord };
}

/** Makes a record whose first revision is redacted; returns its id. */
async function redactOne({ memory }: Agent): Promise<string> {
  const { record_id: recordId } = await memory.in(goodScope).create(recordOf('first'));
  await memory.in(goodScope).update({ recordId, expectedRevision: 1 }, recordOf('second'));
  await memory.in(goodScope).redact({ recordId, revision: 1 });
  return recordId;
}

async function makeTenant(keep: Keep, tenantId: string): Promise<TenantSecrets> {
  const { secret: admin } = await bootstrapTenant(keep, { tenantId, subjectId: 'ops' });
  const administrator = await keep.authenticate(admin);
  const { secret: agent } = await administrator.credentials.issue({
    subject_id: 's',
    capabilities: ['memory_read', 'memory_write'],
    grants: [goodScope, largeScope, smallScope],
  });
  await createAdmin(keep, { username: 'chief', password: PASSWORD, tenantId });
  const { agent: chief } = await keep.logIn({ username: 'chief', password: PASSWORD, tenantId });
  await chief.users.create({ username: 'plain', password: PASSWORD, roles: [] });
  return { admin, agent, owner: await issueOwner(administrator, goodScope) };
}

async function fill({ memory }: Agent, { largeRecords, smallRecords }: Amounts): Promise<void> {
  await inParallel(largeRecords, WRITERS, () => memory.in(largeScope).create(recordOf(LARGE_TEXT)));
  await inParallel(smallRecords, WRITERS, (at) => memory.in(smallScope).create(recordOf(`${at}`)));
}

/** Returns a record with a text. */
export function recordOf(primary: string): RecordInput {
  return { episode_type: 'Observation', content: { primary }, event_time_millis: 0 };
}
