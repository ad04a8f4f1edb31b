/** Texts of any length: short ones are in the record that needs them, long ones in parts. */
import type { MemoryChangeInput, ScopedMemory } from '@agentkeep/client';
import { newRecord } from './new-record.js';
import { recordName } from '../record-names.js';

/** A text, or the names of the records that hold its parts. */
export type KeptText = { readonly text: string } | { readonly parts: readonly string[] };

/** UTF-16 units of a text that is always in its record. */
const SHORT_UNITS = 4_096;

/** UTF-16 units of all texts in one record. */
const RECORD_UNITS = 120_000;

/** UTF-16 units of a part. JSON makes up to 6 bytes of each, and a batch has 1 MiB. */
const PART_UNITS = 128_000;

/** Bytes of the commands of one batch with parts. */
const BATCH_BYTES = 1_000_000;

/**
 * Number of the commands of one batch with parts. A batch has 256, and one more notes the latest
 * checkpoint.
 */
const BATCH_COMMANDS = 255;

/** Decides which texts of one record are in it, and stores the parts of the others. */
export class KeptTexts {
  readonly #memory: ScopedMemory;
  readonly #tags: readonly string[];
  readonly #commands: MemoryChangeInput[] = [];
  #units = 0;

  constructor(memory: ScopedMemory, tags: readonly string[]) {
    this.#memory = memory;
    this.#tags = tags;
  }

  /** Returns how a text is kept. Call {@link storeParts} before its record is written. */
  async keep(text: string): Promise<KeptText> {
    if (text.length <= SHORT_UNITS && this.#units + text.length <= RECORD_UNITS) {
      this.#units += text.length;
      return { text };
    }
    return this.keepApart(text);
  }

  /** Keeps a text in parts, whatever its length. */
  async keepApart(text: string): Promise<KeptText> {
    const id = crypto.randomUUID();
    const parts: string[] = [];
    for (const part of divided(text)) {
      const name = await recordName('part', id, String(parts.length));
      const record = newRecord('part', { part }, this.#tags);
      this.#commands.push({ type: 'put', name, record });
      parts.push(name);
    }
    return { parts };
  }

  /** Stores all parts. They are not read until a record names them. */
  async storeParts(): Promise<void> {
    const rest = await this.storeAllBut([]);
    if (rest.length > 0) await this.#memory.batch(rest);
  }

  /** Stores the parts that don't fit into one commit with commands; returns those, and the rest. */
  async storeAllBut(commands: readonly MemoryChangeInput[]): Promise<MemoryChangeInput[]> {
    let batch: MemoryChangeInput[] = [];
    let bytes = 0;
    for (const command of [...this.#commands.splice(0), ...commands]) {
      const size = new TextEncoder().encode(JSON.stringify(command)).length + 512;
      const isFull = batch.length === BATCH_COMMANDS || bytes + size > BATCH_BYTES;
      if (batch.length > 0 && isFull) {
        await this.#memory.batch(batch);
        [batch, bytes] = [[], 0];
      }
      batch.push(command);
      bytes += size;
    }
    return batch;
  }
}

/** Returns the names of the parts of a kept text. */
export function partsOf(kept: KeptText): readonly string[] {
  return 'parts' in kept ? kept.parts : [];
}

/** Reads a kept text. Returns `undefined` when a part is gone, with the thread that it was of. */
export async function readKept(memory: ScopedMemory, kept: KeptText): Promise<string | undefined> {
  if ('text' in kept) return kept.text;
  const records = await Promise.all(kept.parts.map((name) => memory.read({ name })));
  const parts = records.flatMap((record) => {
    const data = record?.payload.content.data as { readonly part: string } | undefined;
    return data === undefined ? [] : [data.part];
  });
  return parts.length === kept.parts.length ? parts.join('') : undefined;
}

function* divided(text: string): Generator<string, void> {
  for (let from = 0; from < text.length;) {
    const next = from + PART_UNITS;
    // A pair of surrogates stays together.
    const isWithinPair = next < text.length && (text.codePointAt(next - 1) ?? 0) > 0xffff;
    const to = isWithinPair ? next - 1 : next;
    yield text.slice(from, to);
    from = to;
  }
}
