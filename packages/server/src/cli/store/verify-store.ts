/** `agentkeep verify-store`: reads and checks everything in a data directory. */
import { AgentkeepError } from '@agentkeep/core';
import { type StoreReport, verifyStore as verify } from '@agentkeep/core/operator';
import { CommandError } from '../command/command-error.js';
import type { Invocation, ServiceCommand } from '../command/command.js';
import { withProgress } from '../output/progress-line.js';
import { jsonLine } from '../output/printable.js';

/** Never changes or repairs anything. */
export const verifyStore: ServiceCommand = {
  name: 'verify-store',
  positionals: [],
  summary: 'Verify every value of a data directory, or compare two directories.',
  description: [
    'Reads, checks and decodes every value of a data directory that no process has open, and ' +
      'reports the number of records and a content digest of each family. Two runs over an ' +
      'unchanged directory give equal reports. Nothing is repaired or changed.',
    'Of an encrypted store it compares checksums, which needs no keys; verify-audit follows the ' +
      'audit log with them.',
    'With --source it also reads that directory and succeeds only if both hold the same ' +
      'content, like a backup and its origin. Families that differ are named.',
  ],
  options: ['data_dir'],
  isForDirectories: true,
  ownFlags: [{ name: 'source', placeholder: '<dir>', summary: 'Data directory to compare with.' }],
  hasJson: true,
  examples: [
    'agentkeep verify-store --data-dir ./data',
    'agentkeep verify-store --data-dir ./backup --source ./data --json',
  ],
  run,
};

async function run({ io, options: { dataDir }, json, flags }: Invocation): Promise<void> {
  const source = flags.text('source');
  if (source !== undefined) {
    const result = await compare(io, dataDir, source);
    const count = result.comparison.families_compared;
    const text = `${tableOf(result.candidate)}\nEqual to ${result.source.data_directory} in all ${count} families`;
    await io.writeOut(json ? jsonLine(result) : `${text}\n`);
  } else {
    const report = await withProgress(io, (onProgress) => verify({ dataDir, onProgress }));
    await io.writeOut(json ? jsonLine(report) : `${tableOf(report)}\n`);
  }
}

async function compare(io: Invocation['io'], dataDir: string, source: string) {
  try {
    return await withProgress(io, (onProgress) => verify({ dataDir, source, onProgress }));
  } catch (error) {
    throw named(error, `${source} and ${dataDir}`);
  }
}

/** Adds the names of the directories and families to an error. */
function named(error: unknown, directories: string): unknown {
  if (!(error instanceof AgentkeepError)) return error;
  if (error.code === 'stores_differ') {
    const families = error.members.map(({ path }) => path).join(', ');
    const message = `${directories} differ in ${families}. Copy again with both of them stopped.`;
    return new CommandError(message, { cause: error });
  }
  if (error.code === 'store_in_use' && error.cause instanceof Error) {
    const message = `${error.cause.message} Stop it, or name another directory.`;
    return new CommandError(message, { cause: error });
  }
  return error;
}

/** Lists the families that hold something; the JSON report lists all. */
function tableOf({ data_directory, stored_version, families }: StoreReport): string {
  const filled = families.filter((each) => each.records > 0 || each.derived_entries > 0);
  const rows = filled.map(
    ({ family, records, derived_entries, sha256 }) =>
      `  ${family}: ${records} records, ${derived_entries} derived entries, sha256 ${sha256}`,
  );
  const rest = `  ${families.length - filled.length} other families are empty`;
  return [`Verified ${data_directory}, stored version ${stored_version}`, ...rows, rest].join('\n');
}
