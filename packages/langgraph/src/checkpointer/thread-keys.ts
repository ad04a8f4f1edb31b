/** The names of the records of a thread, and the tags that find them. */
import type { RunnableConfig } from '@langchain/core/runnables';
import { getCheckpointId } from '@langchain/langgraph-checkpoint';
import { pathOf, recordName } from '../record-names.js';

/** Every checkpoint has this tag. */
export const CHECKPOINT_TAG = 'langgraph:checkpoint';

/** A thread, and a namespace of its checkpoints. */
export interface ThreadKey {
  readonly threadId: string;
  readonly namespace: string;
}

/** Identifies a checkpoint. */
export interface CheckpointKey extends ThreadKey {
  readonly checkpointId: string;
}

/** Returns the tag of all records of a thread. */
export function threadTag(threadId: string): string {
  return `langgraph:thread:${pathOf([threadId])}`;
}

/** Returns the tag of the checkpoints in a namespace, of any thread. */
export function namespaceTag(namespace: string): string {
  return `langgraph:checkpoint-ns:${pathOf([namespace])}`;
}

/** Returns the name of a checkpoint. */
export function checkpointName({ threadId, namespace, checkpointId }: CheckpointKey) {
  return recordName('checkpoint', threadId, namespace, checkpointId);
}

/** Returns the name of the record that notes the latest checkpoint of a namespace. */
export function latestName({ threadId, namespace }: ThreadKey): Promise<string> {
  return recordName('latest', threadId, namespace);
}

/** Returns the name of the writes that are pending on a checkpoint. */
export function writesName({ threadId, namespace, checkpointId }: CheckpointKey) {
  return recordName('writes', threadId, namespace, checkpointId);
}

/** The thread, namespace and checkpoint of a configuration, as far as they are given. */
export interface ConfiguredKeys {
  readonly threadId: string | undefined;
  readonly namespace: string | undefined;
  readonly checkpointId: string | undefined;
}

/** Reads a configuration. An empty id counts as absent. */
export function keysOf(config: RunnableConfig): ConfiguredKeys {
  const { thread_id: threadId, checkpoint_ns: namespace } = configurableOf(config);
  return {
    threadId: textOf('thread_id', threadId === '' ? undefined : threadId),
    namespace: textOf('checkpoint_ns', namespace),
    checkpointId: textOf('checkpoint_id', getCheckpointId(config) || undefined),
  };
}

/** Returns the thread and namespace that something is stored for. */
export function requireThread(config: RunnableConfig): ThreadKey {
  const { threadId, namespace = '' } = keysOf(config);
  if (threadId !== undefined) return { threadId, namespace };
  throw new TypeError(
    'A checkpointer needs a thread: pass { configurable: { thread_id: "…" } } to the graph.',
  );
}

/** Returns the configuration that names a checkpoint. */
export function configOf({ threadId, namespace, checkpointId }: CheckpointKey) {
  return {
    configurable: {
      thread_id: threadId,
      checkpoint_ns: namespace,
      checkpoint_id: checkpointId,
    },
  };
}

function configurableOf({ configurable = {} }: RunnableConfig): Readonly<Record<string, unknown>> {
  return configurable;
}

function textOf(member: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new TypeError(`configurable.${member} must be a string.`);
}
