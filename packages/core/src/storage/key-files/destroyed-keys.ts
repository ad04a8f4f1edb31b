/** The ledger of destroyed keys: one JSON line for each, appended before the key is removed. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appendLine } from './durable-file.js';

/** A key that was destroyed. */
export interface DestroyedKey {
  /** SHA-256 of the tenant. */
  readonly tenant: string;
  /** Id of the key in hexadecimal. */
  readonly key: string;
  readonly destroyed_at: string;
}

/** How often the ledger is read again, for keys that other processes destroyed. */
const READ_EVERY_MS = 2_000;

/** The destroyed keys that this process knows. */
export class DestroyedKeys {
  readonly #path: string;
  readonly #known = new Set<string>();
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> = Promise.resolve();
  #onDestroyed: (entry: DestroyedKey) => void = () => undefined;

  constructor(directory: string) {
    this.#path = join(directory, 'destroyed.jsonl');
  }

  /** Number of destroyed keys. */
  get count(): number {
    return this.#known.size;
  }

  /** Whether a key was destroyed. */
  has(key: string): boolean {
    return this.#known.has(key);
  }

  /** Adds a key, durably. */
  async add(entry: DestroyedKey): Promise<void> {
    await appendLine(this.#path, JSON.stringify(entry));
    await this.read();
  }

  /** Reads what was appended since the last time. */
  read(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#readNew());
    return this.#reading;
  }

  /** Reads the ledger from time to time and calls back with what others appended. */
  follow(onDestroyed: (entry: DestroyedKey) => void): void {
    this.#onDestroyed = onDestroyed;
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
    this.#bytes = end;
    for (const line of lines) {
      const entry = JSON.parse(line) as DestroyedKey;
      this.#known.add(entry.key);
      this.#onDestroyed(entry);
    }
  }
}
