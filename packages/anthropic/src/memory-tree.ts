/** Files and directories as named records of a scope. */
import type { MemoryChangeInput, MemoryRecord, RecordInput, ScopedMemory } from '@agentkeep/client';
import { type MemoryPath, recordName, segmentsBelow } from './memory-path.js';

/** What a path names. A directory of files that another program named has no record. */
export type PathTarget =
  | { readonly kind: 'missing' }
  | { readonly kind: 'file'; readonly record: MemoryRecord }
  | { readonly kind: 'directory'; readonly record?: MemoryRecord };

/** A record below a directory. */
export interface Entry {
  readonly name: string;
  readonly segments: readonly string[];
  readonly record: MemoryRecord;
}

const KIND = 'memory_tool';

/** Bytes of one commit, less the frame of its batch. */
const COMMIT_BYTES_MAX = 1_000_000;

/** Returns whether a record stands for a directory; every other one stands for a file. */
export function isDirectory({ payload }: MemoryRecord): boolean {
  return payload.metadata[KIND] === 'directory';
}

/** Reads the tree of a scope, and writes changes of it. */
export class MemoryTree {
  readonly #memory: ScopedMemory;
  readonly #root: string;
  readonly #now: () => number;
  readonly #signal: AbortSignal | undefined;

  constructor(
    memory: ScopedMemory,
    root: string,
    { now, signal }: { readonly now: () => number; readonly signal: AbortSignal | undefined },
  ) {
    this.#memory = memory;
    this.#root = root;
    this.#now = now;
    this.#signal = signal;
  }

  /** Whether a change waits for review instead of taking effect. */
  waits = false;

  /**
   * Returns what a path names.
   * @throws {Error} when a directory on the way is a file.
   */
  async find(path: MemoryPath): Promise<PathTarget> {
    if (path.segments.length === 0) return { kind: 'directory' };
    const record = await this.#get(path);
    if (record !== undefined) return { kind: isDirectory(record) ? 'directory' : 'file', record };
    await this.#directoriesOf(path);
    const [first] = await this.#below(path, 1);
    return { kind: first === undefined ? 'missing' : 'directory' };
  }

  /** Returns every record below a directory. */
  entries(path: MemoryPath): Promise<Entry[]> {
    return this.#below(path, Number.POSITIVE_INFINITY);
  }

  /** Returns the name of the record of a path. */
  name(path: MemoryPath): string {
    return recordName(this.#root, path);
  }

  /** Returns whether there is a record at exactly this path. */
  async has(path: MemoryPath): Promise<boolean> {
    if (path.segments.length === 0) return true;
    const record = await this.#get(path);
    if (record === undefined) await this.#directoriesOf(path);
    return record !== undefined;
  }

  /**
   * Returns the changes that make the missing directories of a path. They also change the nearest
   * existing one, so that it can't be removed at the same time.
   * @throws {Error} when a directory on the way is a file.
   */
  async makingDirectories(path: MemoryPath): Promise<MemoryChangeInput[]> {
    const found = await this.#directoriesOf(path);
    const nearest = found.findLastIndex(({ record }) => record !== undefined);
    return found.slice(Math.max(0, nearest)).map(({ name, record }) => ({
      type: 'put',
      name,
      expected_revision: record?.revision ?? 0,
      record: this.newDirectory(),
    }));
  }

  /** Returns the payload of a new file. */
  newFile(text: string): RecordInput {
    return this.#payload(text.toWellFormed(), 'file');
  }

  /** Returns the payload of a new directory. */
  newDirectory(): RecordInput {
    return this.#payload('', 'directory');
  }

  /** Returns the payload of a file with another text; its tags and metadata stay. */
  changedFile({ payload }: MemoryRecord, text: string): RecordInput {
    const content = { ...payload.content, primary: text.toWellFormed(), embedding: null };
    return { ...payload, content, event_time_millis: this.#now() };
  }

  /**
   * Commits changes, all or none.
   * @throws {Error} when they are more than one commit can have.
   */
  async commit(changes: readonly MemoryChangeInput[]): Promise<void> {
    if (Buffer.byteLength(JSON.stringify(changes)) > COMMIT_BYTES_MAX) {
      throw new Error(
        'One change has up to 1 MiB. Write smaller files, or rename fewer at a time.',
      );
    }
    const { proposal } = await this.#memory.batch(changes, { signal: this.#signal });
    if (proposal !== undefined) this.waits = true;
  }

  /** Returns the directories of a path with their records, without the top. */
  async #directoriesOf({ written, segments }: MemoryPath) {
    const paths = segments.slice(0, -1).map((_, at) => ({
      written,
      segments: segments.slice(0, at + 1),
    }));
    const found = await Promise.all(
      paths.map(async (path) => ({ name: this.name(path), record: await this.#get(path) })),
    );
    if (found.some(({ record }) => record !== undefined && !isDirectory(record))) {
      throw new Error(`Path ${written} leads through a file`);
    }
    return found;
  }

  #get(path: MemoryPath): Promise<MemoryRecord | undefined> {
    return this.#memory.read({ name: this.name(path) }, { signal: this.#signal });
  }

  async #below(path: MemoryPath, most: number): Promise<Entry[]> {
    const prefix = `${this.name(path)}/`;
    const limit = Math.min(100, most);
    const options = { order: 'oldest', limit, signal: this.#signal } as const;
    const entries = new Map<string, Entry>();
    for await (const { record } of this.#memory.search({ name_prefix: prefix }, options)) {
      const { name } = record;
      if (name === undefined) continue;
      const segments = segmentsBelow(prefix, name);
      if (segments.length > 0) entries.set(name, { name, segments, record });
      if (entries.size >= most) break;
    }
    return [...entries.values()];
  }

  #payload(primary: string, kind: 'file' | 'directory'): RecordInput {
    return {
      episode_type: 'Observation',
      content: { primary },
      event_time_millis: this.#now(),
      tags: ['memory-tool'],
      source: 'model',
      metadata: { [KIND]: kind },
    };
  }
}
