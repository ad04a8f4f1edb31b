/** The flags that name a moment in a replication target. */
import type { AgentkeepError } from '@agentkeep/core';
import type { ReplicaRestoreOptions } from '@agentkeep/core/operator';
import { CommandError } from '../command/command-error.js';
import type { OwnFlag } from '../command/command.js';
import type { GivenFlags } from '../command/given-flags.js';
import { timeOf } from '../command/time-of.js';
import { UsageError } from '../command/usage-error.js';

/** Flags of a restore from a target. */
export const MOMENT_FLAGS: readonly OwnFlag[] = [
  {
    name: 'from',
    placeholder: '<target>',
    summary: 'Replication target to restore from: a folder or s3://bucket/prefix.',
  },
  {
    name: 'at',
    placeholder: '<time>',
    summary:
      'State after the last commit at this time or before it. RFC 3339 or Unix milliseconds.',
  },
  { name: 'position', placeholder: '<number>', summary: 'State after the commit of this number.' },
  {
    name: 'generation',
    placeholder: '<number>',
    summary: 'Generation of the target. Default: the newest one that has the moment.',
  },
];

/** What was named: a moment in a target, or a snapshot. */
export type RestoreSource =
  | { readonly replica: Pick<ReplicaRestoreOptions, 'from' | 'at' | 'position' | 'generation'> }
  | { readonly replica?: undefined };

/**
 * Returns the named moment, or nothing without `--from`.
 * @throws {UsageError} for flags that do not go together.
 */
export function replicaSource(flags: GivenFlags, snapshot: string | undefined): RestoreSource {
  const from = flags.text('from');
  if (from === undefined) {
    const moment = ['at', 'position', 'generation'].find((name) => flags.has(name));
    if (moment === undefined) return {};
    throw new UsageError(
      `--${moment} names a moment in a replication target. Name it with --from.`,
    );
  }
  if (snapshot !== undefined) {
    throw new UsageError('Name a snapshot, or a replication target with --from, but not both.');
  }
  const [at, position, generation] = [
    flags.text('at'),
    whole(flags, 'position'),
    whole(flags, 'generation'),
  ];
  if (at !== undefined && position !== undefined) {
    throw new UsageError('--at and --position both name a moment. Give one of them.');
  }
  return {
    replica: { from, at: at === undefined ? undefined : timeOf(at, '--at'), position, generation },
  };
}

function whole(flags: GivenFlags, name: string): number | undefined {
  const text = flags.text(name);
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`--${name}: ${JSON.stringify(text)} is not a whole number.`);
}

/** Explains a failure of a target, with the object that does not verify. */
export function explainedReplica(error: AgentkeepError): Error {
  if (!error.code.startsWith('replica_')) return error;
  const reason = error.cause instanceof Error ? `\n  because: ${error.cause.message}` : '';
  return new CommandError(`${error.message} Nothing was restored.${reason}`, { cause: error });
}
