/**
 * A cluster that is set up by following the page, with its state as Patroni and etcd report it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { Ground } from './ground.js';
import { Host, sendTo } from './host.js';
import { DATABASES, type HostName, HOSTS, KEEPS, placed, readPage, type Step } from './page.js';

const SETUP_MS = 180_000;
const ASK_MS = 2_000;

/** A database, as Patroni reports it. */
interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** The options of a cluster. */
export interface ClusterOptions {
  readonly isIsolated: boolean;
  /** Whether a commit waits for its copy, as the page says. */
  readonly isSafe: boolean;
}

/** Five hosts. */
export class Cluster implements AsyncDisposable {
  readonly ground: Ground;
  readonly hosts: Readonly<Record<HostName, Host>>;
  /** The secret of the administrator of a tenant. */
  adminSecret = '';
  readonly #isSafe: boolean;
  /** Ends and removes what is left if this process is killed, where no namespace does. */
  readonly #guard: ChildProcess | undefined;

  private constructor(ground: Ground, hosts: Record<HostName, Host>, isSafe: boolean) {
    this.ground = ground;
    this.hosts = hosts;
    this.#isSafe = isSafe;
    this.#guard = ground.isIsolated ? undefined : guard(ground.directory);
  }

  /** Makes the hosts and follows the page on each. */
  static async start({ isIsolated, isSafe }: ClusterOptions): Promise<Cluster> {
    const ground = await Ground.make(isIsolated);
    const hosts: Partial<Record<HostName, Host>> = {};
    for (const [name, last] of Object.entries(HOSTS) as [HostName, number][]) {
      const address = `${ground.network}${String(last)}`;
      const directory = await ground.addHost(name, address);
      hosts[name] = new Host(ground, name, { address, directory });
      await hosts[name].prepare();
    }
    const cluster = new Cluster(ground, hosts as Record<HostName, Host>, isSafe);
    try {
      await cluster.#followPage();
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
    return cluster;
  }

  /** Addresses of the balancers. */
  get balancers(): string[] {
    return KEEPS.map((name) => `http://${this.hosts[name].address}:8080`);
  }

  /** Addresses of the Agentkeep servers themselves. */
  get servers(): string[] {
    return KEEPS.map((name) => `http://${this.hosts[name].address}:7474`);
  }

  /** The host of the primary, as the others see it; `undefined` while there is none. */
  async primary(besides?: HostName): Promise<HostName | undefined> {
    for (const asked of DATABASES) {
      if (asked === besides) continue;
      const leader = (await this.#members(asked)).find(({ role }) => role === 'leader');
      if (leader !== undefined && leader.name !== besides) return leader.name as HostName;
    }
    return undefined;
  }

  /** The host of the copy that commits wait for. */
  async synchronousCopy(): Promise<HostName | undefined> {
    for (const asked of DATABASES) {
      const found = (await this.#members(asked)).find(({ role }) => role === 'sync_standby');
      if (found !== undefined) return found.name as HostName;
    }
    return undefined;
  }

  /** The host of the leader of etcd. */
  async etcdLeader(): Promise<HostName | undefined> {
    for (const name of DATABASES) {
      const url = `http://${this.hosts[name].address}:2379/v3/maintenance/status`;
      const answer = await ask(url, { method: 'POST', body: '{}' });
      const status = answer as { leader?: string; header?: { member_id?: string } } | undefined;
      if (status?.leader !== undefined && status.leader === status.header?.member_id) return name;
    }
    return undefined;
  }

  /** Whether every host does its part: one primary, two copies, three of etcd, two servers. */
  async isWhole(): Promise<boolean> {
    for (const name of DATABASES) {
      const members = await this.#members(name);
      const roles = members.filter(({ state }) => /^(?:running|streaming)$/u.test(state));
      const hasCopy = !this.#isSafe || roles.some(({ role }) => role === 'sync_standby');
      if (roles.length !== DATABASES.length || !hasCopy) return false;
      const leader = roles.find(({ role }) => role === 'leader');
      if (leader === undefined || !(await this.#sendsToCopies(leader.name as HostName)))
        return false;
      const health = await ask(`http://${this.hosts[name].address}:2379/health`);
      if ((health as { health?: string } | undefined)?.health !== 'true') return false;
    }
    const ready = await Promise.all(
      [...this.servers, ...this.balancers].map((url) => answersWith200(`${url}/readyz`)),
    );
    return ready.every(Boolean);
  }

  /** Waits until the cluster is whole. Returns false if it takes too long. */
  async becomesWhole(ms = SETUP_MS): Promise<boolean> {
    const until = performance.now() + ms;
    while (!(await this.isWhole())) {
      if (performance.now() > until) return false;
      await pass(500);
    }
    return true;
  }

  /** Copies the logs of all hosts to a folder, if one is named. */
  async saveLogs(folder: string | undefined): Promise<void> {
    if (folder === undefined) return;
    await mkdir(folder, { recursive: true });
    for (const entry of await readdir(this.ground.directory)) {
      if (!entry.endsWith('.log')) continue;
      await copyFile(join(this.ground.directory, entry), join(folder, entry));
    }
  }

  /** The ends of the logs of all hosts. */
  async logs(characters: number): Promise<string> {
    const texts: string[] = [];
    for (const { name, directory } of Object.values(this.hosts)) {
      for (const unit of ['etcd', 'patroni', 'haproxy', 'agentkeep']) {
        const text = await readFile(`${directory}-${unit}.log`, 'utf8').catch(() => '');
        if (text !== '') texts.push(`--- ${name} ${unit}\n${text.slice(-characters)}`);
      }
    }
    return texts.join('\n');
  }

  /** Stops everything and removes its files. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const host of Object.values(this.hosts)) await host.stop();
    this.#guard?.kill('SIGKILL');
    if (!this.ground.isIsolated) await rm(this.ground.directory, { recursive: true, force: true });
  }

  async #followPage(): Promise<void> {
    const blocks = readPage();
    const follow = (name: HostName, step: Step): Promise<string> => {
      const { ground } = this;
      const { directory } = this.hosts[name];
      return this.hosts[name].follow(
        placed(blocks[step], { ground, directory, isSafe: this.#isSafe }),
      );
    };
    for (const step of ['etcd', 'patroni'] as const) {
      for (const name of DATABASES) await follow(name, step);
    }
    for (const name of KEEPS) await follow(name, 'haproxy');
    await follow('keep1', 'role');
    for (const name of KEEPS) await follow(name, 'url');
    await follow('keep1', 'tenant');
    const { directory } = this.hosts.keep1;
    this.adminSecret = (await readFile(join(directory, 'etc/agentkeep/acme-ops'), 'utf8')).trim();
    for (const name of KEEPS) this.#serve(name, blocks.serve);
    if (!(await this.becomesWhole())) throw new Error(`No cluster. ${await this.logs(1_500)}`);
  }

  #serve(name: HostName, block: string): void {
    const { ground } = this;
    const host = this.hosts[name];
    const text = placed(block, { ground, directory: host.directory, isSafe: this.#isSafe });
    const command = text.replaceAll('\\\n', ' ').replaceAll('$ADDRESS', host.address).trim();
    const words = command.split(/\s+/u);
    if (words.shift() !== 'agentkeep') throw new Error('The page does not start Agentkeep.');
    host.start('agentkeep', [join(host.directory, 'bin/agentkeep'), ...words], {
      // The receiver of webhooks is a part of the test.
      AGENTKEEP_WEBHOOK_ADDRESSES: ground.isIsolated ? ground.ownAddress : '127.0.0.1',
    });
  }

  /** A copy calls itself running before it follows; the primary knows whether it does. */
  async #sendsToCopies(primary: HostName): Promise<boolean> {
    const answer = await ask(`http://${this.hosts[primary].address}:8008/patroni`);
    const { replication = [] } = (answer ?? {}) as { replication?: { state: string }[] };
    const streaming = replication.filter(({ state }) => state === 'streaming');
    return streaming.length === DATABASES.length - 1;
  }

  async #members(asked: HostName): Promise<readonly Member[]> {
    const url = `http://${this.hosts[asked].address}:8008/cluster`;
    return ((await ask(url)) as { members?: Member[] } | undefined)?.members ?? [];
  }
}

/** Signals processes that are not known to a host. */
export const signalAll = (ids: readonly number[], signal: NodeJS.Signals): void => {
  for (const id of ids) sendTo(id, signal);
};

/** Returns the JSON that an address answers, whatever its status; `undefined` without an answer. */
async function ask(url: string, init: RequestInit = {}): Promise<unknown> {
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(ASK_MS) });
    return await answer.json();
  } catch {
    return undefined;
  }
}

async function answersWith200(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ASK_MS) });
    await answer.body?.cancel();
    return answer.status === 200;
  } catch {
    return false;
  }
}

/**
 * Waits for the end of its input, then ends what names a directory and removes that.
 */
const GUARD_SCRIPT = `read -r _
for entry in /proc/[0-9]*; do
  if cat "$entry/cmdline" "$entry/environ" | grep -qaF "$1/"; then kill -9 "\${entry#/proc/}"; fi
done
sleep 1
rm -rf "$1"`;

function guard(directory: string): ChildProcess {
  return spawn('sh', ['-c', GUARD_SCRIPT, 'guard', directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
}
