/** `agentkeep restore`: restores a snapshot, or a moment of a target, into a data directory. */
import { AgentkeepError } from '@agentkeep/core';
import { restoreReplica, restoreSnapshot } from '@agentkeep/core/operator';
import { CommandError } from '../command/command-error.js';
import type { Invocation, ServiceCommand } from '../command/command.js';
import { withProgress } from '../output/progress-line.js';
import { jsonLine } from '../output/printable.js';
import { UsageError } from '../command/usage-error.js';
import {
  explainedReplica,
  MOMENT_FLAGS,
  replicaSource,
  type RestoreSource,
} from './replica-flags.js';

/** Checks everything before it changes the data directory. */
export const restore: ServiceCommand = {
  name: 'restore',
  positionals: ['snapshot-dir?'],
  summary: 'Restore a snapshot, or a moment of a replication target, into a data directory.',
  description: [
    'Checks the digests of the snapshot, copies it next to the data directory, reads every ' +
      'value of the copy, and only then puts it in place. If a step before that fails, the data ' +
      'directory is unchanged.',
    'The data directory must be empty or absent. With --force the store in it is replaced and ' +
      'lost; its snapshots stay. Stop the server first.',
    'With --from it restores from a replication target into an empty directory: the newest state, ' +
      'the state at a time with --at, or the state after a commit with --position. Every part of ' +
      'the target that is read is verified. Erasures are repeated when the directory is opened.',
  ],
  options: ['data_dir'],
  isForDirectories: true,
  ownFlags: [
    { name: 'force', summary: 'Replace an existing store in the data directory.' },
    ...MOMENT_FLAGS,
  ],
  hasJson: true,
  examples: [
    'agentkeep restore ./data/snapshots/latest --data-dir ./restored',
    'agentkeep restore ./data/snapshots/latest --data-dir ./data --force',
    'agentkeep restore --from /mnt/replica --at 2026-11-23T10:00:00Z --data-dir ./restored',
    'agentkeep restore --from s3://backup/keep --data-dir ./restored',
  ],
  run,
};

async function run(invocation: Invocation): Promise<void> {
  const [snapshot] = invocation.positionals;
  const { replica } = replicaSource(invocation.flags, snapshot);
  if (replica !== undefined) return fromReplica(invocation, replica);
  if (snapshot === undefined) {
    throw new UsageError(
      "Missing required argument 'snapshot-dir'. To restore from a target, give --from.",
    );
  }
  return fromSnapshot(invocation, snapshot);
}

async function fromSnapshot(
  { io, options: { dataDir }, json, flags }: Invocation,
  snapshot: string,
): Promise<void> {
  const force = flags.has('force');
  const report = await withProgress(io, (onProgress) =>
    restoreSnapshot({ snapshot, dataDir, force, onProgress }).catch((error: unknown) => {
      throw explained(error, snapshot, dataDir);
    }),
  );
  const text = textOf(`snapshot ${report.snapshot_id}`, report);
  await io.writeOut(json ? jsonLine(report) : text);
}

async function fromReplica(
  { io, options: { dataDir }, json, flags }: Invocation,
  replica: NonNullable<RestoreSource['replica']>,
): Promise<void> {
  if (flags.has('force')) {
    throw new UsageError('--from restores into an empty directory, without --force.');
  }
  const report = await withProgress(io, (onProgress) =>
    restoreReplica({ ...replica, dataDir, onProgress }).catch((error: unknown) => {
      if (!(error instanceof AgentkeepError)) throw error;
      throw error.code === 'directory_not_empty'
        ? notEmpty(error, dataDir)
        : explainedReplica(error);
    }),
  );
  const { position, generation, committed_at: at } = report;
  const what = `position ${position} of generation ${generation}, committed at ${at ?? 'no time'},`;
  await io.writeOut(json ? jsonLine(report) : textOf(what, report));
}

function textOf(
  what: string,
  report: { readonly data_directory: string; readonly records: Readonly<Record<string, number>> },
): string {
  const families = Object.entries(report.records);
  const filled = families.filter(([, count]) => count > 0);
  return [
    `Restored and verified ${what} in ${report.data_directory}`,
    ...filled.map(([name, count]) => `  ${name}: ${count}`),
    `  ${families.length - filled.length} other families are empty`,
    '',
  ].join('\n');
}

function notEmpty(cause: AgentkeepError, dataDir: string): CommandError {
  return new CommandError(
    `${dataDir} is not empty. Name another directory with --data-dir, then move it into place.`,
    { cause },
  );
}

function explained(error: unknown, snapshot: string, dataDir: string): unknown {
  if (!(error instanceof AgentkeepError)) return error;
  if (error.code === 'directory_not_empty') {
    return new CommandError(
      `${dataDir} is not empty. Name another directory with --data-dir, or replace the store in ` +
        'it with --force.',
      { cause: error },
    );
  }
  if (error.code !== 'snapshot_damaged') return error;
  const reason = error.cause instanceof Error ? `\n  because: ${error.cause.message}` : '';
  return new CommandError(
    `${snapshot} is not a complete snapshot. Nothing was restored. Name another one; a data ` +
      `directory keeps its snapshots in the folder snapshots.${reason}`,
    { cause: error },
  );
}
