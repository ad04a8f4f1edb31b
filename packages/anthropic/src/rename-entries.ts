/** The changes that rename a file or a directory. */
import type { MemoryChangeInput, RecordInput } from '@agentkeep/client';
import type { MemoryPath } from './memory-path.js';
import type { MemoryTree, PathTarget } from './memory-tree.js';

/** Files and directories that one commit can rename, which also makes directories on the way. */
const ENTRIES_MAX = 100;

/** A move of one record. */
interface Move {
  readonly from: string;
  readonly to: string;
  readonly revision: number;
  readonly record: RecordInput;
}

/**
 * Returns the changes of the one commit that renames a path.
 * @throws {Error} for a directory that has too much in it.
 */
export async function renaming(
  tree: MemoryTree,
  {
    from,
    to,
    found,
  }: { readonly from: MemoryPath; readonly to: MemoryPath; readonly found: PathTarget },
): Promise<MemoryChangeInput[]> {
  const entries = found.kind === 'directory' ? await tree.entries(from) : [];
  if (entries.length > ENTRIES_MAX) {
    throw new Error(
      `The directory ${from.written} has more than ${ENTRIES_MAX} files and directories. Rename its parts first.`,
    );
  }
  const moves: Move[] = entries.map(({ name, segments, record }) => ({
    from: name,
    to: tree.name({ ...to, segments: [...to.segments, ...segments] }),
    revision: record.revision,
    record: record.payload,
  }));
  const top = found.kind === 'missing' ? undefined : found.record;
  if (top !== undefined) {
    const names = { from: tree.name(from), to: tree.name(to) };
    moves.push({ ...names, revision: top.revision, record: top.payload });
  }
  return [
    ...(await tree.makingDirectories(to)),
    ...moves.map(({ from: name, revision }) => {
      return { type: 'remove', name, expected_revision: revision } as const;
    }),
    ...moves.map(({ to: name, record }) => {
      return { type: 'put', name, expected_revision: 0, record } as const;
    }),
  ];
}
