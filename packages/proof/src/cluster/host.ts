/**
 * A host of the cluster: a network address, files of its own, and the programs that it runs.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Ground } from './ground.js';

const run = promisify(execFile);
const cli = fileURLToPath(new URL('../../../server/dist/cli.js', import.meta.url));

/** Folders that packages of a distribution make. */
const FOLDERS = ['etc/default', 'etc/patroni', 'etc/haproxy', 'var/lib/etcd', 'var/lib/postgresql'];

/** Programs of the page that a test replaces: packages are installed, units are started by it. */
const STUBS = {
  'apt-get': '',
  chown: '',
  systemctl: 'echo "$@" >> "$HOST_DIRECTORY/requests"',
  agentkeep: `exec '${process.execPath}' '${cli}' "$@"`,
};

/** How each unit is started. */
const UNITS: Readonly<Record<string, (directory: string) => readonly string[]>> = {
  etcd: () => ['etcd'],
  patroni: (directory) => ['patroni', join(directory, 'etc/patroni/config.yml')],
  haproxy: (directory) => ['haproxy', '-db', '-f', join(directory, 'etc/haproxy/haproxy.cfg')],
};

/** A program on a host. */
export interface Unit {
  readonly process: ChildProcess;
  readonly words: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** One host. */
export class Host {
  readonly name: string;
  readonly address: string;
  readonly directory: string;
  readonly #ground: Ground;
  readonly #units = new Map<string, Unit>();

  constructor(ground: Ground, name: string, parts: { address: string; directory: string }) {
    this.#ground = ground;
    this.name = name;
    this.address = parts.address;
    this.directory = parts.directory;
  }

  /** Makes the folders and the programs that a page expects. */
  async prepare(): Promise<void> {
    const { directory } = this;
    const folders = [...FOLDERS, 'var/run/postgresql', 'bin'];
    for (const folder of folders) await mkdir(join(directory, folder), { recursive: true });
    if (process.getuid?.() === 0) await run('chown', ['-R', 'nobody', directory]);
    for (const [name, body] of Object.entries(STUBS)) {
      const path = join(directory, 'bin', name);
      await writeFile(path, `#!/bin/sh\n${body}\n`);
      await chmod(path, 0o755);
    }
    await writeFile(join(directory, 'requests'), '');
  }

  /** Runs commands of the page, then starts the units that they ask for. */
  async follow(text: string): Promise<string> {
    const words = this.#ground.on(this.name, ['bash', '-euo', 'pipefail', '-c', text], true);
    const [program = '', ...rest] = words;
    const { stdout } = await run(program, rest, { cwd: this.directory, env: this.#variables() });
    if (process.getuid?.() === 0) await run('chown', ['-R', 'nobody', join(this.directory, 'etc')]);
    const requests = await readFile(join(this.directory, 'requests'), 'utf8');
    await writeFile(join(this.directory, 'requests'), '');
    for (const [, unit = ''] of requests.matchAll(/^restart (\S+)$/gmu)) await this.startUnit(unit);
    return stdout;
  }

  /** Starts a unit, with the variables of `/etc/default` as its service does. */
  async startUnit(name: string): Promise<void> {
    const words = UNITS[name]?.(this.directory);
    if (words === undefined) throw new Error(`The page starts an unknown unit ${name}.`);
    const defaults = join(this.directory, 'etc/default', name);
    const text = await readFile(defaults, 'utf8').catch(() => '');
    const lines = Array.from(text.matchAll(/^(\w+)=(.*)$/gmu), ([, key, value]) => [key, value]);
    const own = Object.fromEntries(lines) as Record<string, string>;
    const variables = { ...own, ETCD_DATA_DIR: join(this.directory, 'var/lib/etcd/default') };
    this.start(name, words, variables);
  }

  /** Starts a program; its output goes to a file beside the directory. */
  start(name: string, words: readonly string[], variables: Unit['variables'] = {}): void {
    const [program = '', ...rest] = this.#ground.on(this.name, words, name === 'agentkeep');
    const log = openSync(`${this.directory}-${name}.log`, 'a');
    const child = spawn(program, rest, {
      cwd: this.directory,
      env: { ...this.#variables(), ...variables },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#units.set(name, { process: child, words, variables });
  }

  /** Starts a program again, as it was started last. */
  startAgain(name: string): void {
    const { words, variables } = this.#unit(name);
    this.start(name, words, variables);
  }

  /** Ends a program. Resolves with its exit status once it is gone. */
  async end(name: string, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const { process: child } = this.#unit(name);
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    child.kill(signal);
    await once(child, 'exit');
    return child.exitCode;
  }

  /** The ids of the database server and of its processes. */
  databaseIds(): number[] {
    const path = join(this.directory, 'var/lib/postgresql/15/agentkeep/postmaster.pid');
    const first = Number(readText(path).split('\n')[0]);
    return first > 0 && readText(`/proc/${String(first)}/comm`) !== '' ? withChildren(first) : [];
  }

  /** Ids of what keeps a copy of the primary. */
  receiverIds(): number[] {
    return this.databaseIds().filter((id) =>
      readText(`/proc/${String(id)}/cmdline`).includes('walreceiver'),
    );
  }

  /** Signals the program that watches the database, the database, or both. */
  signal(signal: NodeJS.Signals, { database = true, patroni = true } = {}): void {
    const own = patroni ? [this.#unit('patroni').process.pid ?? 0] : [];
    for (const id of [...own, ...(database ? this.databaseIds() : [])]) sendTo(id, signal);
  }

  /** Kills everything that it runs. */
  async stop(): Promise<void> {
    for (const id of this.databaseIds()) sendTo(id, 'SIGKILL');
    for (const name of this.#units.keys()) await this.end(name, 'SIGKILL');
    for (const id of this.databaseIds()) sendTo(id, 'SIGKILL');
  }

  #unit(name: string): Unit {
    const unit = this.#units.get(name);
    if (unit === undefined) throw new Error(`${this.name} does not run ${name}.`);
    return unit;
  }

  #variables(): Record<string, string> {
    const { directory, name, address } = this;
    const path = `${join(directory, 'bin')}:${process.env['PATH'] ?? ''}:/usr/sbin`;
    const own = { NAME: name, ADDRESS: address, HOST_DIRECTORY: directory };
    return { PATH: path, HOME: directory, LC_ALL: 'C.UTF-8', ...own };
  }
}

/** Sends a signal to a process, which may be gone. */
export function sendTo(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal);
  } catch {
    // It ended by itself.
  }
}

/** Returns a process with all that it started. */
function withChildren(first: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/u.test(entry))) {
    const stat = readText(`/proc/${name}/stat`);
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]));
  }
  const found = [first];
  for (const id of found) {
    for (const [child, parent] of parents) if (parent === id) found.push(child);
  }
  return found;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
