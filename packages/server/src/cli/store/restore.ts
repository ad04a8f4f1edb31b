/** `agentkeep restore`: restores a snapshot into a data directory. */
import { AgentkeepError } from '@agentkeep/core';
import { restoreSnapshot } from '@agentkeep/core/operator';
import { CommandError } from '../command/command-error.js';
import type { Invocation, ServiceCommand } from '../command/command.js';
import { withProgress } from '../output/progress-line.js';
import { jsonLine } from '../output/printable.js';

/** Checks everything before it changes the data directory. */
export const restore: ServiceCommand = {
  name: 'restore',
  positionals: ['snapshot-dir'],
  summary: 'Restore a snapshot into a data directory that no server has open.',
  description: [
    'Checks the digests of the snapshot, copies it next to the data directory, reads every ' +
      'value of the copy, and only then puts it in place. If a step before that fails, the data ' +
      'directory is unchanged.',
    'The data directory must be empty or absent. With --force the store in it is replaced and ' +
      'lost; its snapshots stay. Stop the server first.',
  ],
  options: ['data_dir'],
  isForDirectories: true,
  ownFlags: [{ name: 'force', summary: 'Replace an existing store in the data directory.' }],
  hasJson: true,
  examples: [
    'agentkeep restore ./data/snapshots/latest --data-dir ./restored',
    'agentkeep restore ./data/snapshots/latest --data-dir ./data --force',
  ],
  run,
};

async function run({ io, options, positionals, json, flags }: Invocation): Promise<void> {
  const [snapshot = ''] = positionals;
  const { dataDir } = options;
  const force = flags.has('force');
  const report = await withProgress(io, (onProgress) =>
    restoreSnapshot({ snapshot, dataDir, force, onProgress }).catch((error: unknown) => {
      throw explained(error, snapshot, dataDir);
    }),
  );
  const families = Object.entries(report.records);
  const filled = families.filter(([, count]) => count > 0);
  const text = [
    `Restored and verified snapshot ${report.snapshot_id} in ${report.data_directory}`,
    ...filled.map(([name, count]) => `  ${name}: ${count}`),
    `  ${families.length - filled.length} other families are empty`,
  ].join('\n');
  await io.writeOut(json ? jsonLine(report) : `${text}\n`);
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
