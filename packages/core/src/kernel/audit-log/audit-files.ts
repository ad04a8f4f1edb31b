/**
 * Writes audit events to JSON Lines files of bounded size, one line an event, in the order of the
 * log (docs/contract/audit.md). The store is the record; the files are a copy.
 */
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AUDIT_LINES_WAITING_MAX } from '../../contract/limits.js';
import type { Clock } from '../ports/clock.js';
import type { RecordedEvent } from './append-events.js';
import { showEvent } from './search-events.js';

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;

/** More than the longest line: texts are bounded, and few to an event. */
const LINE_BYTES_MAX = 131_072;

const NAME = /^audit_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)(?:_\d+)?\.jsonl$/;

/** Where and how to write. */
export interface AuditFilesOptions {
  readonly directory: string;
  readonly maxFileBytes: number;
  readonly retentionMs: number;
  readonly clock: Pick<Clock, 'now'>;
  /** Called once for each run of failures. */
  readonly onFailure: (error: unknown) => void;
}

/** The audit files of one process. No method throws: a failing file never fails a request. */
export class AuditFiles {
  readonly #options: AuditFilesOptions;
  #waiting: RecordedEvent[] = [];
  /** Events that wait or are being written. */
  #count = 0;
  #writing: Promise<void> = Promise.resolve();
  #isWriting = false;
  #isFailing = false;
  #file: { readonly handle: FileHandle; bytes: number } | undefined;

  constructor(options: AuditFilesOptions) {
    this.#options = options;
  }

  /** Opens the first file. Call it once, before anything is written. */
  open(): void {
    this.#writing = this.#attempt(() => this.#openNext());
  }

  /** Events that are not in a file yet: at most {@link AUDIT_LINES_WAITING_MAX}. */
  get waiting(): number {
    return this.#count;
  }

  /** Queues events for writing. */
  write(events: readonly RecordedEvent[]): void {
    if (this.#count + events.length > AUDIT_LINES_WAITING_MAX) {
      this.#fail(new Error(`More than ${AUDIT_LINES_WAITING_MAX} audit lines wait to be written.`));
      return;
    }
    for (const event of events) this.#waiting.push(event);
    this.#count += events.length;
    if (this.#isWriting) return;
    this.#isWriting = true;
    this.#writing = this.#writing.then(() => this.#writeWaiting());
  }

  /** Waits until every line is written, then closes. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#attempt(async () => {
      await this.#file?.handle.sync();
      await this.#closeFile();
    });
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const events = this.#waiting;
      this.#waiting = [];
      await this.#attempt(() => this.#writeLines(events));
      this.#count -= events.length;
    }
    this.#isWriting = false;
  }

  async #writeLines(events: readonly RecordedEvent[]): Promise<void> {
    let text = '';
    let bytes = 0;
    for (const event of events) {
      const line = `${JSON.stringify(showEvent(event))}\n`;
      const size = Buffer.byteLength(line, 'utf8');
      const file = this.#file ?? (await this.#openNext());
      const isFull = file.bytes + bytes + size > this.#options.maxFileBytes;
      if (isFull && file.bytes + bytes > 0) {
        await this.#append(text, bytes);
        await this.#openNext();
        text = '';
        bytes = 0;
      }
      text += line;
      bytes += size;
    }
    await this.#append(text, bytes);
    this.#isFailing = false;
  }

  async #append(text: string, bytes: number): Promise<void> {
    if (bytes === 0) return;
    const file = this.#file ?? (await this.#openNext());
    try {
      await file.handle.appendFile(text, 'utf8');
      file.bytes += bytes;
    } catch (error) {
      // A full disk may hold half a line. Keep the file, or every failure would start another one.
      await file.handle.truncate(file.bytes).catch(() => this.#closeFile());
      throw error;
    }
  }

  /** Opens a file with a new name and removes files that are too old. */
  async #openNext(): Promise<{ readonly handle: FileHandle; bytes: number }> {
    const { directory, clock } = this.#options;
    await this.#closeFile();
    await mkdir(directory, { recursive: true, mode: DIRECTORY_MODE });
    const nowMs = clock.now();
    const handle = await openFresh(directory, `audit_${stampOf(nowMs)}`);
    this.#file = { handle, bytes: 0 };
    await this.#removeOld(nowMs);
    return this.#file;
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.handle.close();
  }

  async #removeOld(nowMs: number): Promise<void> {
    const { directory, retentionMs } = this.#options;
    const oldestMs = nowMs - retentionMs;
    for (const name of await readdir(directory)) {
      const openedMs = openedMillis(name);
      if (openedMs === undefined || openedMs >= oldestMs) continue;
      const path = join(directory, name);
      // A file that was opened long ago may hold recent events.
      if (((await lastEventMillis(path)) ?? openedMs) < oldestMs) await rm(path, { force: true });
    }
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (!this.#isFailing) this.#options.onFailure(error);
    this.#isFailing = true;
  }
}

async function openFresh(directory: string, stem: string): Promise<FileHandle> {
  for (let number = 0; ; number += 1) {
    const name = number === 0 ? `${stem}.jsonl` : `${stem}_${number}.jsonl`;
    try {
      return await open(join(directory, name), 'ax', FILE_MODE);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

/** Formats a time as `YYYYMMDD_HHMMSS` in UTC. */
function stampOf(millis: number): string {
  return new Date(millis).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '_');
}

/** Returns when the file with this name was opened, or `undefined` for a foreign name. */
function openedMillis(name: string): number | undefined {
  const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
  if (year === undefined) return undefined;
  const millis = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(millis) ? undefined : millis;
}

/** Returns when the last event of a file was recorded; `undefined` if its last line is no event. */
async function lastEventMillis(path: string): Promise<number | undefined> {
  const lines = (await endOf(path)).trimEnd().split('\n');
  try {
    const { transaction_time: time } = JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>;
    const millis = typeof time === 'string' ? Date.parse(time) : Number.NaN;
    return Number.isNaN(millis) ? undefined : millis;
  } catch {
    return undefined;
  }
}

/** Reads the end of a file, long enough for its last line. */
async function endOf(path: string): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, LINE_BYTES_MAX);
    const { buffer } = await handle.read({ buffer: Buffer.alloc(length), position: size - length });
    return buffer.toString('utf8');
  } finally {
    await handle.close();
  }
}
