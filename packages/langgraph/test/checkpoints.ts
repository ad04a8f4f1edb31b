/** Checkpoints for tests. */
import {
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointTuple,
  emptyCheckpoint,
} from '@langchain/langgraph-checkpoint';

/** Metadata of a step. */
export const metadata: CheckpointMetadata = { source: 'loop', step: 0, parents: {} };

/** Returns a checkpoint whose channels are all in version 1. */
export function checkpointOf(id: string, values: Record<string, unknown>): Checkpoint {
  const versions = Object.fromEntries(Object.keys(values).map((channel) => [channel, 1]));
  return { ...emptyCheckpoint(), id, channel_values: values, channel_versions: versions };
}

/** Returns what a list yields. */
export async function idsOf(tuples: AsyncGenerator<CheckpointTuple>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { checkpoint } of tuples) ids.push(checkpoint.id);
  return ids;
}
