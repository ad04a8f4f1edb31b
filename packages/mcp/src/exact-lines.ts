/** Passes lines of JSON on, with infinity instead of each number that a double can't hold. */
import { Transform, type TransformCallback } from 'node:stream';
import { replaceInexactNumbers } from '@agentkeep/client';
import { STDIO_DEFAULT_MAX_BUFFER_SIZE } from '@modelcontextprotocol/server';

const NEWLINE = 0x0a;

/**
 * Passes lines of JSON on. Every tool refuses infinity with the name of the argument, so that no
 * number becomes another one without a word. A line is held until it is whole, or longer than the
 * protocol's reader takes.
 */
export class ExactLines extends Transform {
  #held: Buffer[] = [];
  #size = 0;

  /** Passes on the lines that end in this part. */
  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    this.#hold(chunk.subarray(0, end));
    if (end > 0) this.#passOn();
    this.#hold(chunk.subarray(end));
    if (this.#size > STDIO_DEFAULT_MAX_BUFFER_SIZE) this.#passOn();
    done();
  }

  /** Passes on the last line. */
  override _flush(done: TransformCallback): void {
    this.#passOn();
    done();
  }

  #hold(part: Buffer): void {
    this.#held.push(part);
    this.#size += part.length;
  }

  #passOn(): void {
    const lines = Buffer.concat(this.#held, this.#size).toString('utf8').split('\n');
    this.#held = [];
    this.#size = 0;
    this.push(lines.map((line) => replaceInexactNumbers(line)).join('\n'));
  }
}
