/**
 * Where the hosts of a cluster live: each in a network namespace with an address of its own, or all
 * on addresses of the loopback network where namespaces can't be made.
 */
import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The network of the page. */
export const PAGE_NETWORK = '10.0.0.';

/** The user of what refuses to run as root. */
const UNPRIVILEGED_ID = 65_534;
const BRIDGE = 'hosts';
const DISK_BYTES = 768 * 2 ** 20;

/** Set for the program that {@link enterNamespaces} starts. */
export const INSIDE_VARIABLE = 'AGENTKEEP_CLUSTER_INSIDE';

/** Mounts what namespaces and hosts need, then runs the program; it also reaps what it leaves. */
const FIRST_PROCESS = 'mount -t tmpfs tmpfs /run && mkdir /run/netns && "$@"; exit $?';

/**
 * Returns the command that runs a program as root of private namespaces for processes, mounts and
 * networks. They end with it, and everything that it made ends with them.
 */
export function enterNamespaces(words: readonly string[]): [program: string, words: string[]] {
  const flags = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  return ['unshare', [...flags, 'sh', '-c', FIRST_PROCESS, 'sh', ...words]];
}

/** Whether this user may make namespaces. */
export async function canMakeNamespaces(): Promise<boolean> {
  const probe = 'mount -t tmpfs tmpfs /run && ip link add probe type bridge';
  const [program, words] = enterNamespaces(['sh', '-c', probe]);
  return run(program, words).then(
    () => process.getuid?.() === 0,
    () => false,
  );
}

/** The network and the disks of hosts. */
export class Ground {
  /** Whether each host has a network namespace and a disk of its own. */
  readonly isIsolated: boolean;
  readonly directory: string;
  /** The first three numbers of all addresses. */
  readonly network: string;

  private constructor(isIsolated: boolean, directory: string, network: string) {
    this.isIsolated = isIsolated;
    this.directory = directory;
    this.network = network;
  }

  /** Makes the network. In namespaces, nothing of it is seen outside. */
  static async make(isIsolated: boolean): Promise<Ground> {
    if (!isIsolated) {
      const directory = await mkdtemp(join(tmpdir(), 'agentkeep-cluster-'));
      await own(directory);
      return new Ground(false, directory, `127.${String(100 + (process.pid % 100))}.0.`);
    }
    await mkdir('/run/cluster');
    await ip('link', 'set', 'lo', 'up');
    await ip('link', 'add', BRIDGE, 'type', 'bridge');
    await ip('addr', 'add', `${PAGE_NETWORK}1/24`, 'dev', BRIDGE);
    await ip('link', 'set', BRIDGE, 'up');
    return new Ground(true, '/run/cluster', PAGE_NETWORK);
  }

  /** The address of the clients. */
  get ownAddress(): string {
    return `${this.network}1`;
  }

  /** Adds a host. Resolves with its directory, which is a disk of its own in namespaces. */
  async addHost(name: string, address: string): Promise<string> {
    const directory = join(this.directory, name);
    await mkdir(directory);
    if (this.isIsolated) {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${String(DISK_BYTES)}`, 'tmpfs', directory]);
      await ip('netns', 'add', name);
      await ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
      await ip('link', 'set', name, 'master', BRIDGE, 'up');
      await ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
      await ip('-n', name, 'link', 'set', 'eth0', 'up');
      await ip('-n', name, 'link', 'set', 'lo', 'up');
    }
    await own(directory);
    return directory;
  }

  /** Returns the words that run a program on a host. Root gives up its rights, or keeps them. */
  on(host: string, words: readonly string[], keepsRights: boolean): string[] {
    const ids = [
      `--reuid=${String(UNPRIVILEGED_ID)}`,
      `--regid=${String(UNPRIVILEGED_ID)}`,
      '--clear-groups',
    ];
    const isDropped = !keepsRights && process.getuid?.() === 0;
    return [
      ...(this.isIsolated ? ['ip', 'netns', 'exec', host] : []),
      ...(isDropped ? ['setpriv', ...ids, '--'] : []),
      ...words,
    ];
  }

  /** Takes the link of a host down, or up again. */
  async setLink(host: string, state: 'up' | 'down'): Promise<void> {
    await ip('link', 'set', host, state);
  }
}

async function own(path: string): Promise<void> {
  if (process.getuid?.() === 0) await chown(path, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
}

async function ip(...words: readonly string[]): Promise<void> {
  await run('ip', words);
}
