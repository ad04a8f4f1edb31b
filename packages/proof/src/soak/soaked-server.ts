/**
 * A real server process for load, with a tenant, its parties, and lifted rate limits.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '@agentkeep/testkit/server-process';
import { overHttp, type Parties, partiesOf, type Secrets } from '../workload/parties.js';
import { prepareSite, serve, type Site } from '../workload/prepare.js';
import { probed, type Subject } from './gauges.js';

/** Most kept audit events, low enough to be reached soon. */
const AUDIT_EVENTS = '2000';
const NO_LIMIT = { maxRequests: 1_000_000_000, windowSecs: 1 };
/** Longest time of a stop. */
const STOP_MS_MAX = 10_000;

/** A server with its parties. */
export class SoakedServer implements AsyncDisposable {
  readonly #directory: string;
  readonly #site: Site;
  readonly #process: ServerProcess;
  readonly url: string;
  readonly secrets: Secrets;
  readonly parties: Parties;

  private constructor(
    opened: { directory: string; site: Site; process: ServerProcess },
    reached: { url: string; secrets: Secrets; parties: Parties },
  ) {
    this.#directory = opened.directory;
    this.#site = opened.site;
    this.#process = opened.process;
    this.url = reached.url;
    this.secrets = reached.secrets;
    this.parties = reached.parties;
  }

  /** Creates a directory with its parties, serves it and lifts its rate limits. */
  static async open(): Promise<SoakedServer> {
    const directory = await mkdtemp(join(tmpdir(), 'agentkeep-soak-'));
    const dataDir = join(directory, 'data');
    const words = ['--audit-max-events', AUDIT_EVENTS];
    const auditDir = join(directory, 'audit');
    const site = { dataDir, auditDir, words, variables: probed(directory) };
    const secrets = await prepareSite(site);
    const process = serve(site);
    const url = await process.listens();
    const parties = await partiesOf(secrets, overHttp({ url }));
    for await (const { id } of parties.root.rateLimits.list()) {
      await parties.root.rateLimits.update(id, NO_LIMIT);
    }
    return new SoakedServer({ directory, site, process }, { url, secrets, parties });
  }

  /** The process for the gauges. */
  get subject(): Omit<Subject, 'uncounted'> {
    return { pid: this.#process.pid, probeDir: this.#directory, root: this.parties.root };
  }

  /** Path of its data file. */
  get dataFile(): string {
    return join(this.#site.dataDir, 'data.mdb');
  }

  /** Stops the server and starts another one on its directory. Returns the faults. */
  async stopAndTryAgain(): Promise<string[]> {
    const stopped = this.#process.stop();
    const late = sleep(STOP_MS_MAX, 'late' as const, { ref: false });
    const status = await Promise.race([stopped, late]);
    if (status === 'late') return ['The server did not end within 10 s of the request.'];
    if (status !== 0) return [`The server ended with status ${String(status)}.`];
    const next = serve(this.#site);
    try {
      await next.listens();
    } catch (error) {
      return [`No server could be started after it: ${String(error)}`];
    }
    const again = await next.stop();
    return again === 0 ? [] : [`The next server ended with status ${String(again)}.`];
  }

  /** Kills the process if it still runs, and removes its directory. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.kill();
    await rm(this.#directory, { recursive: true });
  }
}
