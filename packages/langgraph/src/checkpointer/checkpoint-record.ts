/** A checkpoint in the form of its record. */
import type { MemoryRecord, ScopedMemory } from '@agentkeep/client';
import {
  type ChannelVersions,
  type Checkpoint,
  type CheckpointMetadata,
  copyCheckpoint,
  type SerializerProtocol,
} from '@langchain/langgraph-checkpoint';
import { dump, type Dumped, load } from './dumped.js';
import { type KeptText, type KeptTexts, partsOf, readKept } from './kept-text.js';
import type { CheckpointKey } from './thread-keys.js';

/** A serialized value whose text may be in parts. */
interface KeptValue extends Omit<Dumped, 'text'> {
  readonly kept: KeptText;
}

/** The value of a channel, in the version that it was stored in. */
interface KeptChannel extends KeptValue {
  readonly channel: string;
  readonly version: number | string | null;
}

/** The data in the record of a checkpoint. */
export interface CheckpointData {
  readonly thread_id: string;
  readonly checkpoint_ns: string;
  readonly checkpoint_id: string;
  readonly parent_id: string | null;
  /** The checkpoint without the values of its channels. */
  readonly checkpoint: KeptValue;
  readonly metadata: KeptValue;
  readonly channels: readonly KeptChannel[];
}

/** A checkpoint to store. */
export interface NewCheckpoint {
  readonly key: CheckpointKey;
  readonly parentId: string | undefined;
  /** The parent, if it exists. */
  readonly parent: CheckpointData | undefined;
  readonly checkpoint: Checkpoint;
  readonly metadata: CheckpointMetadata;
  readonly newVersions: ChannelVersions;
}

/** Returns the data of the record. Its long texts are in `texts`, to be stored first. */
export async function checkpointData(
  serde: SerializerProtocol,
  texts: KeptTexts,
  made: NewCheckpoint,
): Promise<CheckpointData> {
  const { key, parentId, metadata } = made;
  const { channel_values: values, ...rest } = copyCheckpoint(made.checkpoint);
  const keep = async (value: unknown): Promise<KeptValue> => {
    const { text, ...form } = await dump(serde, value);
    return { ...form, kept: await texts.keep(text) };
  };
  const channels: KeptChannel[] = [];
  for (const [channel, value] of Object.entries(values)) {
    const version = ownOf(rest.channel_versions, channel) ?? null;
    const from = sourceOf(made, channel, version);
    if (from === 'nowhere') continue;
    if (from === 'given') channels.push({ channel, version, ...(await keep(value)) });
    else channels.push({ ...from, kept: await keepAgain(texts, from.kept) });
  }
  return {
    thread_id: key.threadId,
    checkpoint_ns: key.namespace,
    checkpoint_id: key.checkpointId,
    parent_id: parentId ?? null,
    checkpoint: await keep(rest),
    metadata: await keep(metadata),
    channels,
  };
}

/**
 * Decides where the value of a channel comes from. Versions that are not new are in the parent. A
 * fork copies a checkpoint that need not be its parent, so it has the values themselves; so has a
 * checkpoint whose parent is unknown here.
 */
function sourceOf(
  { parentId, parent, metadata, newVersions }: NewCheckpoint,
  channel: string,
  version: KeptChannel['version'],
): KeptChannel | 'given' | 'nowhere' {
  const isNew = version === null || ownOf(newVersions, channel) !== undefined;
  if (isNew || metadata.source === 'fork') return 'given';
  if (parentId === undefined) return 'nowhere';
  const carried = parent?.channels.find((each) => each.channel === channel);
  return carried?.version === version ? carried : 'given';
}

/** Keeps the value of the parent: the same parts, or a copy of a short text. */
async function keepAgain(texts: KeptTexts, kept: KeptText): Promise<KeptText> {
  return 'text' in kept ? texts.keep(kept.text) : kept;
}

/** Returns the names of the parts that a checkpoint refers to. */
export function partsIn({ checkpoint, metadata, channels }: CheckpointData): readonly string[] {
  return [checkpoint, metadata, ...channels].flatMap(({ kept }) => partsOf(kept));
}

/** Reads the data of a record that holds a checkpoint. */
export function dataOf(record: MemoryRecord): CheckpointData {
  return record.payload.content.data as CheckpointData;
}

/** Reads and loads values of a checkpoint. */
export class CheckpointValues {
  readonly #memory: ScopedMemory;
  readonly #serde: SerializerProtocol;

  constructor(memory: ScopedMemory, serde: SerializerProtocol) {
    this.#memory = memory;
    this.#serde = serde;
  }

  /** Returns the checkpoint, or `undefined` where its thread is being deleted. */
  async checkpoint(data: CheckpointData): Promise<Checkpoint | undefined> {
    const rest = await this.head(data);
    const values = await Promise.all(
      data.channels.map(async (kept) => [kept.channel, await this.#loaded(kept)] as const),
    );
    if (rest === undefined || values.some(([, loaded]) => loaded === undefined)) return undefined;
    const entries = values.map(([channel, loaded]) => [channel, loaded?.value] as const);
    return { ...rest, channel_values: Object.fromEntries(entries) };
  }

  /** Returns a checkpoint without the values of its channels, as far as it is there. */
  async head({
    checkpoint,
  }: CheckpointData): Promise<Omit<Checkpoint, 'channel_values'> | undefined> {
    return (await this.#value(checkpoint)) as Omit<Checkpoint, 'channel_values'> | undefined;
  }

  /** Returns the metadata of a checkpoint, or `undefined` where its thread is being deleted. */
  async metadata({ metadata }: CheckpointData): Promise<CheckpointMetadata | undefined> {
    return (await this.#value(metadata)) as CheckpointMetadata | undefined;
  }

  async #value(kept: KeptValue): Promise<unknown> {
    return (await this.#loaded(kept))?.value;
  }

  async #loaded({ kept, type, encoding }: KeptValue): Promise<{ value: unknown } | undefined> {
    const text = await readKept(this.#memory, kept);
    if (text === undefined) return undefined;
    return { value: await load(this.#serde, { type, encoding, text }) };
  }
}

function ownOf<T>(map: Readonly<Record<string, T>>, member: string): T | undefined {
  return Object.hasOwn(map, member) ? map[member] : undefined;
}
