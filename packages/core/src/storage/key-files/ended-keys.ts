/**
 * The ledger of keys that ended: one JSON line when a key is retired, so that it seals nothing new,
 * and one when it is destroyed, before its file is removed.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { appendLine } from './durable-file.js';
import { damaged, membersOf } from './key-layout.js';

/** A line of the ledger. It has one of the two times. */
export interface EndedKey {
  /** SHA-256 of the tenant. */
  readonly tenant: string;
  /** Id of the key in hexadecimal. */
  readonly key: string;
  readonly retired_at?: string;
  readonly destroyed_at?: string;
}

/** Ids of keys, in hexadecimal. */
const KEY = /^(?:[\da-f]{2})+$/;

/** How often the ledger is read again, for keys that other processes ended. */
const READ_EVERY_MS = 2_000;

/** After this time all processes know what a line says. */
export const KNOWN_AFTER_MS = 3_000;

/** The ended keys that this process knows. */
export class EndedKeys {
  readonly #path: string;
  readonly #retired = new Set<string>();
  readonly #destroyed = new Set<string>();
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> = Promise.resolve();
  #onEnded: (entry: EndedKey) => void = () => undefined;

  constructor(directory: string) {
    this.#path = join(directory, 'destroyed.jsonl');
  }

  /** Number of destroyed keys. */
  get destroyedCount(): number {
    return this.#destroyed.size;
  }

  /** Whether a key was destroyed. */
  isDestroyed(key: string): boolean {
    return this.#destroyed.has(key);
  }

  /** Whether a key was retired or destroyed, so that it seals nothing new. */
  hasEnded(key: string): boolean {
    return this.#retired.has(key) || this.#destroyed.has(key);
  }

  /** Adds a line, durably. */
  async add(entry: EndedKey): Promise<void> {
    await appendLine(this.#path, JSON.stringify(entry));
    await this.read();
  }

  /** Reads what was appended since the last time. */
  read(): Promise<void> {
    this.#reading = this.#reading.catch(() => undefined).then(() => this.#readNew());
    return this.#reading;
  }

  /** Reads the ledger from time to time and calls back with what was appended. */
  follow(onEnded: (entry: EndedKey) => void): void {
    this.#onEnded = onEnded;
    this.#timer ??= setInterval(() => {
      // A ledger that can't be read now is read the next time.
      this.read().catch(() => undefined);
    }, READ_EVERY_MS).unref();
  }

  /** Stops reading. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading.catch(() => undefined);
  }

  async #readNew(): Promise<void> {
    const bytes = await readFile(this.#path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
      throw error;
    });
    const end = bytes.lastIndexOf('\n') + 1;
    if (end <= this.#bytes) return;
    const lines = bytes.toString('utf8', this.#bytes, end).trimEnd().split('\n');
    const entries = lines.map((line) => this.#entryIn(line));
    this.#bytes = end;
    for (const entry of entries) {
      const keys = entry.destroyed_at === undefined ? this.#retired : this.#destroyed;
      keys.add(entry.key);
      this.#onEnded(entry);
    }
  }

  /** Fails for a damaged line: it may be the one that says that a key was destroyed. */
  #entryIn(line: string): EndedKey {
    const entry = membersOf(Buffer.from(line)) as Partial<EndedKey>;
    const { key, retired_at, destroyed_at } = entry;
    const hasTime = typeof (retired_at ?? destroyed_at) === 'string';
    if (typeof key !== 'string' || !KEY.test(key) || !hasTime) throw damaged(this.#path);
    return entry as EndedKey;
  }
}
