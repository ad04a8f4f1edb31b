/** `agentkeep drill restore`: restores the last snapshot elsewhere, to show that it can be done. */
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { AgentkeepError } from '@agentkeep/core';
import { CONTRACT_VERSION } from '@agentkeep/core';
import {
  type ReplicaRestoreReport,
  restoreReplica,
  restoreSnapshot,
} from '@agentkeep/core/operator';
import { CommandError } from '../command/command-error.js';
import type { Invocation, ServiceCommand } from '../command/command.js';
import { jsonLine } from '../output/printable.js';
import { withProgress } from '../output/progress-line.js';
import {
  explainedReplica,
  MOMENT_FLAGS,
  replicaSource,
  type RestoreSource,
} from './replica-flags.js';

const MIB = 1_048_576;

/** Bytes that stay free on the disk of the drill: a server beside it refuses writes below. */
const RESERVE_BYTES = 512 * MIB;

/** The name of the copy; the listing of snapshots ignores it. */
const COPY = '.drill';

/** Changes neither the store nor the snapshot. */
export const drillRestore: ServiceCommand = {
  name: 'drill restore',
  positionals: ['snapshot-dir?'],
  summary: 'Restore the last snapshot elsewhere, verify and time it, and remove it again.',
  description: [
    'Restores <data-dir>/snapshots/latest, or the named snapshot, into a new folder `.drill`: ' +
      'checks its digests, copies it, and reads every value of the copy, as `agentkeep restore` ' +
      'does. Then removes the copy, and prints how long that took and how old the snapshot is. ' +
      'The age is what a loss of the disk would cost; the time is the least that a restore takes.',
    'The data directory may be in use. The copy takes as much disk as the snapshot, in the ' +
      'folder of --to, or else beside the snapshots of the data directory. The drill is refused ' +
      'if less than 512 MiB would stay free.',
    'The copy of a snapshot on another machine is worth the same drill: copy it here, name it, ' +
      'and compare the age.',
    'With --from it tries a replication target in the same way: the newest state, or the state at ' +
      '--at or --position.',
  ],
  options: ['data_dir'],
  ownFlags: [
    { name: 'to', placeholder: '<dir>', summary: 'Folder in which the copy is made.' },
    ...MOMENT_FLAGS,
  ],
  hasJson: true,
  examples: [
    'agentkeep drill restore --data-dir ./data',
    'agentkeep drill restore ./backup/20260101-000000-000 --to /mnt/spare --json',
    'agentkeep drill restore --from /mnt/replica --to /mnt/spare',
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const { options, positionals, flags } = invocation;
  const folder = join(resolve(options.dataDir), 'snapshots');
  const { replica } = replicaSource(flags, positionals[0]);
  const snapshot = positionals[0] ?? join(folder, 'latest');
  const to = resolve(flags.text('to') ?? (replica === undefined ? folder : options.dataDir));
  if (replica === undefined) await requireRoom(snapshot, to);
  const copy = join(to, COPY);
  await makeCopyFolder(copy);
  try {
    if (replica === undefined) await drillSnapshot(invocation, snapshot, copy);
    else await drillReplica(invocation, replica, copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function drillSnapshot(
  { io, json }: Invocation,
  snapshot: string,
  copy: string,
): Promise<void> {
  const startMs = performance.now();
  const restored = await withProgress(io, (onProgress) =>
    restoreSnapshot({ snapshot, dataDir: copy, onProgress }).catch((error: unknown) => {
      throw explained(error, snapshot);
    }),
  );
  const { snapshot_id } = restored;
  const report = {
    contract_version: CONTRACT_VERSION,
    status: 'restored' as const,
    snapshot_id,
    age_millis: Date.now() - millisOf(snapshot_id),
    ...costOf(restored, startMs),
  };
  const text = textOf(
    `snapshot ${snapshot_id}`,
    `age of the snapshot: ${duration(report.age_millis)}; what was stored after it would be lost`,
    report,
  );
  await io.writeOut(json ? jsonLine(report) : text);
}

async function drillReplica(
  { io, json }: Invocation,
  replica: NonNullable<RestoreSource['replica']>,
  copy: string,
): Promise<void> {
  const startMs = performance.now();
  const restored = await withProgress(io, (onProgress) =>
    restoreReplica({
      ...replica,
      dataDir: copy,
      reserveBytes: RESERVE_BYTES,
      onProgress,
    }).catch((error: unknown) => {
      if (!(error instanceof AgentkeepError)) throw error;
      throw error.code === 'store_full' ? tooLarge(error) : explainedReplica(error);
    }),
  );
  const { generation, position, committed_at } = restored;
  const report = {
    contract_version: CONTRACT_VERSION,
    status: 'restored' as const,
    generation,
    position,
    committed_at,
    age_millis: committed_at === null ? null : Date.now() - Date.parse(committed_at),
    ...costOf(restored, startMs),
  };
  const age = report.age_millis === null ? 'none' : duration(report.age_millis);
  const text = textOf(
    `position ${position} of generation ${generation}`,
    `age of its last commit: ${age}`,
    report,
  );
  await io.writeOut(json ? jsonLine(report) : text);
}

function tooLarge(error: AgentkeepError): CommandError {
  const reason = error.cause instanceof Error ? `${error.cause.message} ` : '';
  return new CommandError(`${reason}Name a folder on another disk with --to.`, { cause: error });
}

/** What a restore took, and how much it was. */
function costOf(
  { size_bytes, records }: Pick<ReplicaRestoreReport, 'size_bytes' | 'records'>,
  startMs: number,
) {
  return {
    took_millis: Math.round(performance.now() - startMs),
    size_bytes,
    entries: Object.values(records).reduce((sum, count) => sum + count, 0),
  };
}

/**
 * Checks that the copy fits.
 * @throws {CommandError} when there is no snapshot, or too little room for its copy.
 */
async function requireRoom(snapshot: string, to: string): Promise<void> {
  const bytes = await bytesOf(snapshot);
  if (bytes === undefined) {
    throw new CommandError(
      `There is no snapshot at ${snapshot}. Make one with \`agentkeep snapshot\`, or name one.`,
    );
  }
  const disk = await statfs(to).catch((cause: unknown) => {
    throw new CommandError(`${to} is no folder that can be used. Name another one with --to.`, {
      cause,
    });
  });
  const free = disk.bavail * disk.bsize;
  if (free - bytes >= RESERVE_BYTES) return;
  throw new CommandError(
    `${to} has ${Math.floor(free / MIB)} MiB free; the copy takes ${Math.ceil(bytes / MIB)} MiB, ` +
      `and ${RESERVE_BYTES / MIB} MiB must stay free. Name a folder on another disk with --to.`,
  );
}

async function bytesOf(snapshot: string): Promise<number | undefined> {
  const names = await readdir(snapshot).catch(() => undefined);
  if (names === undefined) return undefined;
  const sizes = await Promise.all(
    names.map(async (name) => (await stat(join(snapshot, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function makeCopyFolder(copy: string): Promise<void> {
  try {
    await mkdir(copy, { mode: 0o700 });
  } catch (cause) {
    throw new CommandError(
      `${copy} cannot be made. If it is there, another drill is running, or one was killed: ` +
        'then remove it.',
      { cause },
    );
  }
}

/** Returns the start of a snapshot, by its id (docs/contract/snapshots.md#snp-9). */
function millisOf(id: string): number {
  const [, date, time, millis] = /^(\d{8})-(\d{6})-(\d{3})$/.exec(id) ?? [];
  if (date === undefined || time === undefined || millis === undefined) {
    throw new TypeError(`${id} is not the id of a snapshot`);
  }
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  return Date.parse(`${day}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}.${millis}Z`);
}

function textOf(what: string, age: string, cost: ReturnType<typeof costOf>): string {
  const { took_millis, size_bytes, entries } = cost;
  return [
    `Restored and verified ${what}, and removed the copy`,
    `  ${age}`,
    `  time of the restore: ${duration(took_millis)}`,
    `  size: ${(size_bytes / MIB).toFixed(1)} MiB, ${entries} entries`,
    '',
  ].join('\n');
}

const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const;

/** Returns a time in its largest unit of which there are two or more. */
function duration(millis: number): string {
  const [name, size] =
    UNITS.find(([, size]) => millis >= 2 * size) ?? (['seconds', 1_000] as const);
  return `${(millis / size).toFixed(1)} ${name}`;
}

function explained(error: unknown, snapshot: string): unknown {
  if (!(error instanceof AgentkeepError) || error.code !== 'snapshot_damaged') return error;
  const reason = error.cause instanceof Error ? ` ${error.cause.message}` : '';
  return new CommandError(
    `${snapshot} cannot be restored.${reason} Make another snapshot now, and look at the disk.`,
    { cause: error },
  );
}
