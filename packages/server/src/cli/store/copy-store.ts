/** `agentkeep copy-store`: copies everything from one store to another. */
import { AgentkeepError } from '@agentkeep/core';
import { copyStore as copy, type StoreLocation } from '@agentkeep/core/operator';
import { CommandError } from '../command/command-error.js';
import type { Invocation, ServiceCommand } from '../command/command.js';
import { withDatabase } from './open-store.js';
import { withProgress } from '../output/progress-line.js';
import { UsageError } from '../command/usage-error.js';
import { jsonLine } from '../output/printable.js';

/** Never changes the source. */
export const copyStore: ServiceCommand = {
  name: 'copy-store',
  positionals: [],
  summary: 'Copy a store into an empty one: from a directory to PostgreSQL, or back.',
  description: [
    'Copies every entry, then reads the copy back and compares the number of entries and a ' +
      'SHA-256 digest of all of them. The source is not changed; the target must be empty or ' +
      'absent.',
    'Stop all servers on both sides first: the copy may miss writes made during the run.',
    'A directory is filled completely or not at all. A partly filled database is refused by ' +
      'the next attempt; drop its tables agentkeep, agentkeep_lanes, agentkeep_locks and ' +
      'agentkeep_versions first.',
    'Leave the password out of a URL and set PGPASSWORD, so that it does not appear in the ' +
      'process list.',
  ],
  options: [],
  ownFlags: [
    { name: 'from', placeholder: '<dir|url>', summary: 'Store to copy; it is not changed.' },
    { name: 'to', placeholder: '<dir|url>', summary: 'Target store; must be empty or absent.' },
  ],
  hasJson: true,
  examples: [
    'agentkeep copy-store --from ./data --to postgres://agentkeep@db.internal/agentkeep',
    'agentkeep copy-store --from postgres://agentkeep@db.internal/agentkeep --to ./data --json',
  ],
  run,
};

async function run({ io, json, flags }: Invocation): Promise<void> {
  const [from, to] = [flags.text('from'), flags.text('to')];
  if (from === undefined || to === undefined) {
    throw new UsageError('--from and --to are required: each a directory or a postgres:// URL.');
  }
  const report = await withProgress(io, (onProgress) =>
    at(from, (source) => at(to, (target) => copy({ from: source, to: target, onProgress }))),
  ).catch((error: unknown) => {
    throw explained(error, from, to);
  });
  const text = `Copied and verified ${report.entries} entries, sha256 ${report.sha256}`;
  await io.writeOut(json ? jsonLine(report) : `${text}\n`);
}

function at<T>(place: string, use: (location: StoreLocation) => Promise<T>): Promise<T> {
  if (!/^postgres(?:ql)?:\/\//.test(place)) return use({ directory: place });
  return withDatabase(place, (store) => use({ store }));
}

function explained(error: unknown, from: string, to: string): unknown {
  if (!(error instanceof AgentkeepError)) return error;
  if (error.code === 'store_in_use') {
    const reason =
      error.cause instanceof Error ? error.cause.message : `${from} or ${to} is in use.`;
    return new CommandError(`${reason} Stop all servers on both sides, then copy again.`, {
      cause: error,
    });
  }
  if (error.code === 'directory_not_empty') {
    const message = `${to} is not empty. Name an empty or absent store with --to.`;
    return new CommandError(message, { cause: error });
  }
  if (error.code !== 'stores_differ') return error;
  return new CommandError(
    `The copy in ${to} does not match the source. Empty it, stop all servers, and copy again.`,
    { cause: error },
  );
}
