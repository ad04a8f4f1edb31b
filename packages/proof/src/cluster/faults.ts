/**
 * The faults of a cluster. Each strikes a host that the cluster or the seed chooses, and is healed
 * once the others serve again.
 */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Random } from '@agentkeep/testkit/random';
import { type Cluster, signalAll } from './cluster.js';
import { DATABASES, type HostName, KEEPS } from './page.js';

const run = promisify(execFile);

const SHORT_MS = 4_000;
const FULL_MS = 10_000;
const BEHIND_MS = 2_000;

/** A fault that was made. */
interface Struck {
  readonly host: HostName;
  /** Whether the others had to take over, and do. */
  isOver(): Promise<boolean>;
  /** Undoes the fault. */
  heal(): Promise<void>;
}

/** A fault. */
export interface Fault {
  readonly name: string;
  /** Whether hosts need a network or a disk of their own. */
  readonly needsNamespaces?: true;
  strike(cluster: Cluster, random: Random): Promise<Struck>;
}

/** Faults whose control must lose what was acknowledged. */
export const controlFaults = (isIsolated: boolean): readonly Fault[] =>
  isIsolated ? [separatePrimary, holdBackCopies] : [holdBackCopies];

/** All faults, in the order of their table. */
export const faults = (isIsolated: boolean): readonly Fault[] =>
  ALL.filter(({ needsNamespaces }) => isIsolated || needsNamespaces !== true);

const killPrimary: Fault = {
  name: 'kill the primary',
  strike: onPrimary((cluster, name) => {
    const host = cluster.hosts[name];
    host.signal('SIGKILL');
    return Promise.resolve(() => {
      host.startAgain('patroni');
      return Promise.resolve();
    });
  }),
};

const stopPrimary: Fault = {
  name: 'stop the primary',
  strike: onPrimary((cluster, name) => {
    const host = cluster.hosts[name];
    host.signal('SIGSTOP');
    return Promise.resolve(() => {
      host.signal('SIGCONT');
      return Promise.resolve();
    });
  }),
};

const stopPatroni: Fault = {
  name: 'stop its Patroni',
  strike: onPrimary((cluster, name) => {
    const host = cluster.hosts[name];
    host.signal('SIGSTOP', { database: false });
    return Promise.resolve(() => {
      host.signal('SIGCONT', { database: false });
      return Promise.resolve();
    });
  }),
};

const cutOffPrimary: Fault = {
  name: 'cut off the primary',
  needsNamespaces: true,
  strike: onPrimary(async ({ ground }, name) => {
    await ground.setLink(name, 'down');
    return () => ground.setLink(name, 'up');
  }),
};

/** Clients still reach the primary, but no copy and no other member of etcd does. */
const separatePrimary: Fault = {
  name: 'separate the primary',
  needsNamespaces: true,
  strike: onPrimary(async ({ hosts, ground }, name) => {
    const others = DATABASES.filter((other) => other !== name);
    const route = async (word: 'add' | 'del'): Promise<void> => {
      for (const other of others) {
        const words = ['ip', 'route', word, 'blackhole', hosts[other].address];
        const [program = '', ...rest] = ground.on(name, words, true);
        await run(program, rest);
      }
    };
    await route('add');
    return () => route('del');
  }),
};

/** The copies fall behind, then the primary is killed with what they did not get. */
const holdBackCopies: Fault = {
  name: 'hold back the copies, then kill',
  strike: onPrimary(async (cluster, name) => {
    const others = DATABASES.filter((other) => other !== name);
    const receivers = others.flatMap((other) => cluster.hosts[other].receiverIds());
    signalAll(receivers, 'SIGSTOP');
    await pass(BEHIND_MS);
    cluster.hosts[name].signal('SIGKILL');
    signalAll(receivers, 'SIGTERM');
    signalAll(receivers, 'SIGCONT');
    return () => {
      cluster.hosts[name].startAgain('patroni');
      return Promise.resolve();
    };
  }),
};

/** The copy that commits wait for is killed. */
const killCopy: Fault = {
  name: 'kill the synchronous copy',
  strike: async (cluster) => {
    const host = await cluster.synchronousCopy();
    if (host === undefined) throw new Error('There is no synchronous copy.');
    cluster.hosts[host].signal('SIGKILL');
    return { host, ...forShort(() => cluster.hosts[host].startAgain('patroni')) };
  },
};

const fillDisk: Fault = {
  name: 'fill the disk of the primary',
  needsNamespaces: true,
  strike: async (cluster) => {
    const host = await primaryOf(cluster);
    const ballast = join(cluster.hosts[host].directory, 'ballast');
    // It ends when there is no space left, which is its purpose.
    await run('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=64k']).catch(() => undefined);
    const until = performance.now() + FULL_MS;
    return {
      host,
      isOver: () => Promise.resolve(performance.now() > until),
      heal: () => rm(ballast),
    };
  },
};

const killEtcdLeader: Fault = {
  name: 'kill the leader of etcd',
  strike: async (cluster) => {
    const host = await cluster.etcdLeader();
    if (host === undefined) throw new Error('etcd has no leader.');
    await cluster.hosts[host].end('etcd', 'SIGKILL');
    return { host, ...forShort(() => cluster.hosts[host].startAgain('etcd')) };
  },
};

const killServer: Fault = {
  name: 'kill an Agentkeep server',
  strike: async ({ hosts }, random) => {
    const host = KEEPS[random(KEEPS.length)]!;
    await hosts[host].end('agentkeep', 'SIGKILL');
    return { host, ...forShort(() => hosts[host].startAgain('agentkeep')) };
  },
};

const restartServer: Fault = {
  name: 'restart an Agentkeep server',
  strike: async ({ hosts }, random) => {
    const host = KEEPS[random(KEEPS.length)]!;
    const status = await hosts[host].end('agentkeep', 'SIGTERM');
    if (status !== 0) throw new Error(`Agentkeep ended with ${String(status)}.`);
    hosts[host].startAgain('agentkeep');
    return { host, ...forShort(() => undefined) };
  },
};

const ALL: readonly Fault[] = [
  killPrimary,
  stopPrimary,
  stopPatroni,
  cutOffPrimary,
  separatePrimary,
  holdBackCopies,
  killCopy,
  fillDisk,
  killEtcdLeader,
  killServer,
  restartServer,
];

/** A fault of the primary, which is over once another host has taken its place. */
function onPrimary(
  make: (cluster: Cluster, name: HostName) => Promise<() => Promise<void>>,
): Fault['strike'] {
  return async (cluster) => {
    const host = await primaryOf(cluster);
    const heal = await make(cluster, host);
    return { host, heal, isOver: async () => (await cluster.primary(host)) !== undefined };
  };
}

async function primaryOf(cluster: Cluster): Promise<HostName> {
  const name = await cluster.primary();
  if (name === undefined) throw new Error('There is no primary.');
  return name;
}

function forShort(heal: () => void): Pick<Struck, 'heal' | 'isOver'> {
  const until = performance.now() + SHORT_MS;
  return {
    isOver: () => Promise.resolve(performance.now() > until),
    heal: () => {
      heal();
      return Promise.resolve();
    },
  };
}
