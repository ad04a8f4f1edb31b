/** Divides the changes of a batch into commits. */
import type { MemoryChangeInput, ScopeInput } from '@agentkeep/client';
import { TooLargeError } from './too-large-error.js';

/** Commands of one commit. */
const COMMANDS_MAX = 256;

/** Bytes of their JSON, without the envelope of the batch. */
const COMMIT_BYTES_MAX = 1_047_552;

/** Bytes of a command that can be sent without a batch. */
const SINGLE_BYTES_MAX = 64_512;

/** Changes that are committed together. */
export interface Commit {
  readonly commands: readonly MemoryChangeInput[];
  /** Whether it is one command that is small enough to go without a batch. */
  readonly isSingle: boolean;
}

/** How a batch that is larger than a commit is handled. */
export type LargeBatches = 'split' | 'refuse';

/**
 * Returns the commits of changes, in their order. The commands of one change stay together.
 *
 * @throws {TooLargeError} when a change, or a batch that may not be split, exceeds a commit.
 */
export function commitsOf(
  scope: ScopeInput,
  changes: readonly (readonly MemoryChangeInput[])[],
  largeBatches: LargeBatches,
): Commit[] {
  const commits: { commands: MemoryChangeInput[]; bytes: number }[] = [];
  for (const change of changes) {
    const bytes = change.reduce((sum, operation) => sum + bytesOf({ scope, operation }), 0);
    if (bytes > COMMIT_BYTES_MAX) throw new TooLargeError('item', bytes, COMMIT_BYTES_MAX);
    const last = commits.at(-1);
    const fits =
      last !== undefined &&
      last.commands.length + change.length <= COMMANDS_MAX &&
      last.bytes + bytes <= COMMIT_BYTES_MAX;
    if (fits) {
      last.commands.push(...change);
      last.bytes += bytes;
    } else {
      commits.push({ commands: [...change], bytes });
    }
  }
  if (commits.length > 1 && largeBatches === 'refuse') {
    const bytes = commits.reduce((sum, commit) => sum + commit.bytes, 0);
    throw new TooLargeError('batch', bytes, COMMIT_BYTES_MAX);
  }
  return commits.map(({ commands, bytes }) => ({
    commands,
    isSingle: commands.length === 1 && bytes <= SINGLE_BYTES_MAX,
  }));
}

/** Returns the bytes of a command in a document, with the comma behind it. */
function bytesOf(command: object): number {
  return new TextEncoder().encode(JSON.stringify(command)).length + 1;
}
