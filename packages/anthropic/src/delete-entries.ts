/** The changes that delete a file or a directory. */
import type { MemoryChangeInput } from '@agentkeep/client';
import type { MemoryPath } from './memory-path.js';
import type { MemoryTree, PathTarget } from './memory-tree.js';

/** Changes of one commit. */
const CHANGES_MAX = 256;

/**
 * Returns the commits that delete a path: the deepest records first, so that the records left after
 * a failure are still below their directory and can be deleted again.
 */
export async function deleting(
  tree: MemoryTree,
  path: MemoryPath,
  target: PathTarget,
): Promise<MemoryChangeInput[][]> {
  const entries = target.kind === 'directory' ? await tree.entries(path) : [];
  const deepestFirst = entries.sort((one, other) => other.segments.length - one.segments.length);
  const removals: MemoryChangeInput[] = deepestFirst.map(({ name, record }) => ({
    type: 'remove',
    name,
    expected_revision: record.revision,
  }));
  if (target.kind !== 'missing' && target.record !== undefined) {
    const { revision } = target.record;
    removals.push({ type: 'remove', name: tree.name(path), expected_revision: revision });
  }
  const commits = Math.ceil(removals.length / CHANGES_MAX);
  return Array.from({ length: commits }, (_, at) =>
    removals.slice(at * CHANGES_MAX, (at + 1) * CHANGES_MAX),
  );
}
