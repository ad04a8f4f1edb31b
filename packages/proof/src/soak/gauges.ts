/**
 * Reads memory, handles, event loop, queues and data file of a server process.
 */
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Administrator, WaitingWork } from '@agentkeep/core';
import { CannotRunHereError } from '../proof.js';
import type { Variables } from '@agentkeep/testkit/agentkeep-process';
import type { Tolerance } from './tendency.js';

/** The queues of a keep as gauges. Their momentary lengths vary randomly. */
const QUEUE_TOLERANCES = {
  'transactions waiting': { share: 0.1, least: 12 },
  'audit events waiting': { share: 0.1, least: 200 },
  'audit lines waiting': { share: 0.1, least: 200 },
  'times of use waiting': { share: 0.1, least: 12 },
  'passwords waiting': { share: 0.1, least: 12 },
  'heavy calls waiting': { share: 0.1, least: 12 },
} as const satisfies Record<string, Tolerance>;

/** Names of the gauges that are queue lengths. At rest, each is 0. */
export const QUEUES = Object.keys(QUEUE_TOLERANCES) as (keyof typeof QUEUE_TOLERANCES)[];

/** Largest rise of each gauge over the last two thirds of a run at full scale. */
export const TOLERANCES = {
  'heap in MB after a collection': { share: 0.1, least: 4 },
  'anonymous memory in MB': { share: 0.15, least: 24 },
  'open handles': { share: 0.1, least: 8 },
  'active resources': { share: 0.1, least: 8 },
  'event loop delay in ms (99th percentile)': { share: 0.5, least: 40 },
  'bytes on disk for each entry': { share: 0.1, least: 16 },
  ...QUEUE_TOLERANCES,
} as const satisfies Record<string, Tolerance>;

/** Name of a gauge. */
export type Gauge = keyof typeof TOLERANCES;

/** One reading of all gauges. */
export type Reading = Readonly<Record<Gauge, number>>;

const MB = 1_048_576;
const probe = new URL('server-probe.mjs', import.meta.url);

/** Returns the variables that load the probe into a server process; it listens in the directory. */
export function probed(directory: string): Variables {
  return { NODE_OPTIONS: `--import ${probe.href}`, SOAK_PROBE_DIR: directory };
}

/**
 * Checks that processes can be read on this machine.
 * @throws {CannotRunHereError} without `/proc`.
 */
export function requireProcessFiles(): void {
  if (process.platform === 'linux') return;
  throw new CannotRunHereError('Memory and handles of a process are read from /proc; use Linux.');
}

/** The process to read. */
export interface Subject {
  readonly pid: number;
  readonly probeDir: string;
  /** A principal that may read the statistics of the installation. */
  readonly root: Administrator;
  /** Returns the number of entries that the statistics do not count. */
  uncounted(): number;
}

/** Reads all gauges. */
export async function readGauges(subject: Subject): Promise<Reading> {
  const { pid, probeDir, root } = subject;
  const handles = await readdir(`/proc/${pid}/fd`);
  const { heapBytes, delayMs, resources, waiting } = await askProbe(join(probeDir, `${pid}.sock`));
  const { storage, entries } = await root.stats.get();
  const counted = Object.values(entries).reduce((sum, count) => sum + count, 0);
  return {
    'heap in MB after a collection': heapBytes / MB,
    'anonymous memory in MB': await anonymousMb(pid),
    'open handles': handles.length,
    'active resources': resources,
    'event loop delay in ms (99th percentile)': delayMs,
    'bytes on disk for each entry': storage.size_bytes / (counted + subject.uncounted()),
    ...queuesOf(waiting),
  };
}

function queuesOf(waiting: WaitingWork): Pick<Reading, (typeof QUEUES)[number]> {
  return {
    'transactions waiting': waiting.transactions,
    'audit events waiting': waiting.auditEvents,
    'audit lines waiting': waiting.auditLines,
    'times of use waiting': waiting.uses,
    'passwords waiting': waiting.passwords,
    'heavy calls waiting': waiting.heavyCalls,
  };
}

async function anonymousMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(status) ?? [];
  if (kilobytes === undefined) throw new CannotRunHereError('The kernel does not report RssAnon.');
  return Number(kilobytes) / 1_024;
}

interface Probed {
  readonly heapBytes: number;
  readonly delayMs: number;
  readonly resources: number;
  readonly waiting: WaitingWork;
}

async function askProbe(path: string): Promise<Probed> {
  return JSON.parse(await text(connect(path))) as Probed;
}
