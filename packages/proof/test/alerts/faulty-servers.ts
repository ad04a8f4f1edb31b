/** Servers with a fault each, and what they need: a data directory, a load, a place that fails. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rename } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Clock, openKeep } from '@agentkeep/core';
import {
  type AgentOptions,
  agentFor,
  bootstrapTenant,
  createSnapshot,
} from '@agentkeep/core/operator';
import { httpWebhookSender } from '@agentkeep/server';
import { eventually } from '@agentkeep/testkit/eventually';
import { ServerProcess } from '@agentkeep/testkit/server-process';
import { expect } from 'vitest';
import { buildDiskShim } from '../../src/disk/disk-shim.js';

const SCOPE = { project_id: 'p', agent_id: 'a', visibility: 'shared' } as const;
const RECORD = {
  episode_type: 'Observation',
  content: { primary: 'The customer prefers short answers.' },
  event_time_millis: 0,
} as const;
const LOOPBACK = '127.0.0.1';

/** Callers that wait at once for a slow disk. */
const QUEUED = 600;

/** Microseconds that a flush of a slow disk takes. */
const SLOW_FLUSH = 2_500_000;
const BLOCKING_FLUSH = 700_000;

/** A flush after the start, so that the fault meets a command. */
const FAILING_FLUSH = 60;

/**
 * How old the only snapshot is, the change that no consumer took, the commit that a replication
 * target lacks, and the failure of a webhook.
 */
const AGE_MS = 60 * 3_600_000;

/** A module that ends each thread of Node.js at its start, where the model runs. */
const ENDED_THREADS = `data:text/javascript,${encodeURIComponent(
  "import { isMainThread } from 'node:worker_threads'; if (!isMainThread) process.exit(1);",
)}`;

/** A server and its place among the targets of Prometheus. */
export interface FaultyServer {
  /** Host and port of its metrics. */
  readonly address: string;
  /** Lets the fault happen, if it isn't there from the start. */
  readonly fail: () => Promise<void>;
}

/** Starts servers, and ends them with their loads. */
export class FaultyServers implements AsyncDisposable {
  readonly #home: string;
  readonly #open: (() => unknown)[] = [];
  #isEnding = false;

  /** Servers with data below a folder, which must exist. */
  constructor(home: string) {
    this.#home = home;
  }

  /** A server without a fault, with a caller that writes all the time. */
  async calm(): Promise<FaultyServer> {
    const served = await this.#serve('calm');
    this.#write(served, 1);
    return { address: served.address, fail: nothing };
  }

  /** A server that is killed. */
  async killed(): Promise<FaultyServer> {
    const { address, server } = await this.#serve('killed');
    const fail = async () => {
      await server.kill();
    };
    return { address, fail };
  }

  /** A server that answers writes once its replication target has them, which is away. */
  async unacknowledged(): Promise<FaultyServer> {
    const target = join(this.#home, 'target');
    const words = ['--replicate-to', target, '--replicate-mode', 'acknowledged'];
    const served = await this.#serve('unacknowledged', { words, target });
    await takeAway(target);
    this.#write(served, 4);
    return { address: served.address, fail: nothing };
  }

  /** A server of which one flush fails. */
  async broken(): Promise<FaultyServer> {
    const fired = join(this.#home, 'fired');
    const fault = { call: 'sync', nth: FAILING_FLUSH, error: 'EIO', fired } as const;
    const served = await this.#serve('broken', { shim: { fault } });
    return this.#failingByLoad(served, 1);
  }

  /** A server whose disk takes long, with many callers. */
  async slow(): Promise<FaultyServer> {
    const served = await this.#serve('slow', { shim: { syncMicros: SLOW_FLUSH } });
    return this.#failingByLoad(served, QUEUED);
  }

  /** A server whose disk takes long, with one caller, whose commits run on the event loop. */
  async blocked(): Promise<FaultyServer> {
    const served = await this.#serve('blocked', { shim: { syncMicros: BLOCKING_FLUSH } });
    return this.#failingByLoad(served, 1);
  }

  /**
   * A server of a store that was last looked after days ago, whose replication target is away and
   * whose model of embeddings ends at its start.
   */
  async neglected(): Promise<FaultyServer> {
    const receiver = createServer((_, response) => {
      response.writeHead(500).end();
    });
    receiver.listen(0, LOOPBACK);
    await once(receiver, 'listening');
    this.#open.push(() => receiver.close());
    const url = `http://${LOOPBACK}:${(receiver.address() as AddressInfo).port}/`;
    const dataDir = join(this.#home, 'neglected');
    const target = join(this.#home, 'neglected-target');
    await neglect(dataDir, { url, target });
    const words = ['--webhook-addresses', LOOPBACK, '--replicate-to', target, '--meaning', 'true'];
    const variables = { NODE_OPTIONS: `--import ${ENDED_THREADS}` };
    const { address } = await this.#start(dataDir, { words, variables });
    return { address, fail: nothing };
  }

  /** Values of a process that starts again between two scrapes. */
  async restarting(): Promise<FaultyServer> {
    let starts = 0;
    let isFailing = false;
    const target = createServer((_, response) => {
      if (isFailing) starts += 1;
      response.setHeader('content-type', 'text/plain; version=0.0.4');
      response.end(`process_start_time_seconds ${starts}\nagentkeep_ready 1\n`);
    });
    target.listen(0, LOOPBACK);
    await once(target, 'listening');
    this.#open.push(() => target.close());
    const fail = () => {
      isFailing = true;
      return Promise.resolve();
    };
    return { address: `${LOOPBACK}:${(target.address() as AddressInfo).port}`, fail };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    for (const end of this.#open) await end();
  }

  async #serve(name: string, options: ServeOptions = {}): Promise<Served & { secret: string }> {
    const dataDir = join(this.#home, name);
    const secret = await preparedStore(dataDir, options.target);
    return { ...(await this.#start(dataDir, options)), secret };
  }

  async #start(dataDir: string, options: ServeOptions): Promise<Served> {
    const { words = [], shim } = options;
    const variables = shim === undefined ? options.variables : await this.#shimmed(dataDir, shim);
    const server = new ServerProcess(dataDir, {
      words: ['--metrics-port', '0', ...words],
      ...(variables === undefined ? {} : { variables }),
    });
    this.#open.push(() => server.kill());
    if (this.#isEnding) await server.kill();
    const url = await server.listens();
    const metricsUrl = await server.logged(/"metrics_url":"([^"]+)"/u);
    // The first answer takes longer than those that are scraped.
    expect((await fetch(metricsUrl)).status).toBe(200);
    return { server, url, address: new URL(metricsUrl).host };
  }

  async #shimmed(root: string, task: Omit<ShimTask, 'root'>) {
    const folder = `${root}-shim`;
    await mkdir(folder);
    return (await buildDiskShim(folder))({ root, ...task });
  }

  #failingByLoad(served: Served & { secret: string }, callers: number): FaultyServer {
    const fail = () => {
      this.#write(served, callers);
      return Promise.resolve();
    };
    return { address: served.address, fail };
  }

  /** Lets callers create records, each its next one after the answer, until the end. */
  #write({ url, secret }: { url: string; secret: string }, callers: number): void {
    const caller = async (): Promise<void> => {
      while (!this.#isEnding) await create(url, secret).catch(broken);
    };
    for (let at = 0; at < callers; at += 1) void caller();
  }
}

type ShimTask = Parameters<Awaited<ReturnType<typeof buildDiskShim>>>[0];

interface ServeOptions {
  readonly words?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly shim?: Omit<ShimTask, 'root'>;
  /** A folder that gets a copy of the store before the server starts. */
  readonly target?: string;
}

interface Served {
  readonly server: ServerProcess;
  readonly url: string;
  readonly address: string;
}

function nothing(): Promise<void> {
  return Promise.resolve();
}

/** A server that refuses may end the connection. */
function broken(): undefined {
  return undefined;
}

/** Makes a store with a credential that may write, and copies it; returns the secret. */
async function preparedStore(dataDir: string, replicateTo?: string): Promise<string> {
  const copied = replicateTo === undefined ? {} : { replicateTo };
  await using keep = await openKeep({ dataDir, ...copied });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const admin = await keep.authenticate(secret);
  const issued = await admin.credentials.issue({
    subject_id: 'writer',
    capabilities: ['memory_read', 'memory_write'],
    grants: [SCOPE],
  });
  await eventually(() => {
    expect(keep.replication()?.copyMs !== undefined).toBe(replicateTo !== undefined);
  });
  return issued.secret;
}

/** Where a store is neglected. */
interface Neglect {
  /** Where its webhook sends to. */
  readonly url: string;
  /** A replication target, which goes missing before the server starts. */
  readonly target: string;
}

/**
 * Makes a store with a snapshot, a consumer and a replication target that lack a change, and a
 * webhook that failed.
 */
async function neglect(dataDir: string, { url, target }: Neglect): Promise<void> {
  const clock: Clock = {
    now: () => Date.now() - AGE_MS,
    monotonic: () => performance.now(),
  };
  const webhookSender = httpWebhookSender({ allowedAddresses: [LOOPBACK] });
  await using keep = await openKeep({ dataDir, clock, webhookSender, replicateTo: target });
  const options: AgentOptions = {
    tenantId: 'acme',
    subjectId: 'ops',
    scopes: [SCOPE],
    capabilities: ['memory_read', 'memory_write', 'credential_admin'],
  };
  const agent = await agentFor(keep, options);
  const { webhook } = await agent.webhooks.create({ name: 'index', url });
  await agent.memory.consumers.open('nightly', { start: 'latest' }).claim();
  await agent.memory.in(SCOPE).create(RECORD);
  await eventually(async () => {
    expect((await agent.webhooks.get(webhook.id)).delivery.last_failure).not.toBeNull();
  });
  await createSnapshot(keep);
  await eventually(() => {
    expect(keep.replication()).toMatchObject({ state: 'shipping', lagFrames: 0 });
    expect(keep.replication()?.copyMs).toBeDefined();
  });
  await takeAway(target);
  await agent.memory.in(SCOPE).create(RECORD);
}

/** Moves a folder at once, while a server may still write into it. */
function takeAway(folder: string): Promise<void> {
  return rename(folder, `${folder}-away`);
}

/** Creates a record without the repetitions of a client. */
async function create(url: string, secret: string): Promise<void> {
  const command = {
    contract_version: 1,
    idempotency_key: randomUUID(),
    scope: SCOPE,
    operation: { type: 'create', record: RECORD },
  };
  const answer = await fetch(`${url}/api/v1/memory/commands`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(command),
  });
  await answer.arrayBuffer();
}
