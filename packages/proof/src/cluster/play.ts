/**
 * Plays rounds in a process of its own: in namespaces that end with it, or on addresses of the
 * loopback network where they can't be made.
 */
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPostgres } from '@agentkeep/testkit/find-postgres';
import { CannotRunHereError } from '../proof.js';
import { canMakeNamespaces, enterNamespaces, INSIDE_VARIABLE } from './ground.js';
import type { RoundRow } from './rounds.js';

const run = promisify(execFile);
const inside = fileURLToPath(new URL('inside.ts', import.meta.url));

const PROGRAMS = ['etcd', 'patroni', 'haproxy', 'psql', 'ip', 'setpriv', 'unshare'];
/** The packages of Debian that have them. */
export const PACKAGES =
  'postgresql postgresql-client etcd-server etcd-client patroni python3-psycopg2 haproxy iproute2';

/** After this time a run is ended. */
const ROUND_MS_MAX = 600_000;
const SAID_MAX = 20_000;

/** `asynchronous` is the control: it does not wait for copies, so it must lose something. */
type Mode = 'synchronous' | 'asynchronous';

/** What to play. */
export interface Session {
  readonly seed: number;
  readonly rounds: number;
  readonly mode: Mode;
  /** The only fault to make, by its name. */
  readonly only?: string | undefined;
  /** A folder that gets the logs of all hosts. */
  readonly logs?: string | undefined;
  report(row: RoundRow): void;
}

/**
 * Plays rounds on a cluster of their own.
 * @throws {CannotRunHereError} if programs are missing.
 */
export async function playSession(session: Session): Promise<RoundRow[]> {
  const { seed, rounds, mode, only = '', logs = '' } = session;
  await requirePrograms();
  const words = ['--import', 'tsx', '--conditions=agentkeep-source', inside];
  const all = [process.execPath, ...words, String(seed), String(rounds), mode, only, logs];
  const hasNamespaces = await canMakeNamespaces();
  const [program, rest] = hasNamespaces ? enterNamespaces(all) : [all[0]!, all.slice(1)];
  const variables = { [INSIDE_VARIABLE]: hasNamespaces ? 'namespaces' : 'ports' };
  const child = spawn(program, rest, {
    env: { ...process.env, ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: (rounds + 1) * ROUND_MS_MAX,
    killSignal: 'SIGKILL',
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-SAID_MAX);
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const rows: RoundRow[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const row = JSON.parse(line) as RoundRow;
    rows.push(row);
    session.report(row);
  }
  if ((await ended) !== 0) throw new Error(`The cluster ended early. ${said}`);
  return rows;
}

/** Says where the hosts of this machine live. */
export async function groundText(): Promise<string> {
  return (await canMakeNamespaces())
    ? 'Each host has a network namespace, an address and a disk of its own.'
    : 'No namespaces here (they need Linux and root): all hosts share the loopback network, and ' +
        'faults of the network and of the disk are left out.';
}

async function requirePrograms(): Promise<void> {
  const { PATH = '', ...others } = process.env;
  const env = { ...others, PATH: `${PATH}:/usr/sbin` };
  for (const program of PROGRAMS) {
    await run('sh', ['-c', `command -v ${program}`], { env }).catch(() => {
      throw new CannotRunHereError(
        `There is no ${program}. On Debian: apt-get install ${PACKAGES}.`,
      );
    });
  }
  if (findPostgres() === undefined) throw new CannotRunHereError('PostgreSQL is not installed.');
}
