/** The logs of pending writes: one record for each checkpoint, which any process appends to. */
import type { ScopedMemory } from '@agentkeep/client';
import { isOvertaken } from '../is-overtaken.js';
import { type KeptText, KeptTexts, partsOf, readKept } from './kept-text.js';
import { newRecord } from './new-record.js';
import type { StoredWrite } from './pending-writes.js';
import { type CheckpointKey, threadTag, writesName } from './thread-keys.js';

/** UTF-16 units of a log to which writes are added directly; further ones go into parts. */
const LOG_UNITS = 32_768;

/** The data in the record of a log: the writes of each append, as JSON. */
interface LogData {
  readonly appended: readonly KeptText[];
}

/** Writes that wait for the running append. */
interface Waiting {
  readonly writes: StoredWrite[];
  readonly done: Promise<void>;
}

/** Appends and reads. Writes that arrive while the process appends are appended together. */
export class WriteLogs {
  readonly #memory: ScopedMemory;
  readonly #waiting = new Map<string, Waiting>();
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(memory: ScopedMemory) {
    this.#memory = memory;
  }

  /** Appends writes; all of them are stored when it returns. */
  async append(key: CheckpointKey, writes: readonly StoredWrite[]): Promise<void> {
    const name = await writesName(key);
    const waiting = this.#waiting.get(name);
    if (waiting !== undefined) {
      waiting.writes.push(...writes);
      return waiting.done;
    }
    const collected = [...writes];
    const before = this.#running.get(name) ?? Promise.resolve();
    const done = before.then(async () => {
      this.#waiting.delete(name);
      await this.#append(key, name, collected);
    });
    this.#waiting.set(name, { writes: collected, done });
    // The next append starts even if this one fails.
    const over = done.catch(() => undefined);
    this.#running.set(name, over);
    void over.then(() => {
      if (this.#running.get(name) === over) this.#running.delete(name);
    });
    return done;
  }

  /** Returns the writes in the order in which they were stored. */
  async read(key: CheckpointKey): Promise<StoredWrite[]> {
    const record = await this.#memory.read({ name: await writesName(key) });
    const { appended } = dataOf(record?.payload.content.data);
    const texts = await Promise.all(appended.map((kept) => readKept(this.#memory, kept)));
    // Where a part is gone, the thread is being deleted.
    return texts.flatMap((text) => (text === undefined ? [] : (JSON.parse(text) as StoredWrite[])));
  }

  /** Returns the names of the record of a log, if it is there, and of its parts. */
  async stored(key: CheckpointKey): Promise<{ names: string[]; parts: string[] }> {
    const name = await writesName(key);
    const record = await this.#memory.read({ name });
    const { appended } = dataOf(record?.payload.content.data);
    return { names: record === undefined ? [] : [name], parts: appended.flatMap(partsOf) };
  }

  async #append(key: CheckpointKey, name: string, writes: StoredWrite[]): Promise<void> {
    const tags = [threadTag(key.threadId)];
    const text = JSON.stringify(writes);
    let parted: KeptText | undefined;
    for (;;) {
      const current = await this.#memory.read({ name });
      const { appended } = dataOf(current?.payload.content.data);
      const units = appended.reduce(
        (sum, kept) => sum + ('text' in kept ? kept.text.length : 0),
        0,
      );
      const isShort = units + text.length <= LOG_UNITS;
      const added = isShort ? { text } : (parted ??= await this.#storeParts(text, tags));
      const record = newRecord('writes', { appended: [...appended, added] }, tags);
      try {
        const expected_revision = current?.revision ?? 0;
        await this.#memory.batch([{ type: 'put', name, record, expected_revision }]);
        return;
      } catch (error) {
        if (!isOvertaken(error)) throw error;
      }
    }
  }

  async #storeParts(text: string, tags: readonly string[]): Promise<KeptText> {
    const texts = new KeptTexts(this.#memory, tags);
    const kept = await texts.keepApart(text);
    await texts.storeParts();
    return kept;
  }
}

function dataOf(data: unknown): LogData {
  return (data as LogData | null | undefined) ?? { appended: [] };
}
