/**
 * Compares the lines of an export with the manifest at its end. Clients bundle this, so the digest
 * is the portable one; those of browsers don't take an input in parts.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const HEAD = '{"line":"export"';
/** A line between two pages of a stream, which is no part of the export. */
const PAGE = '{"line":"page"';
const MANIFEST = '{"line":"manifest"';

/** Follows the lines of one export. */
export class ExportCheck {
  readonly #hash = sha256.create();
  #rest = '';
  #lines = 0;
  #isWhole = false;
  #last = '';

  /** Whether the first line was that of an export, so that a manifest has to follow. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Adds a text, cut anywhere. */
  add(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
  }

  /** Passes complete lines on, and adds them. */
  async *checking(lines: AsyncIterable<string>): AsyncGenerator<string, void> {
    for await (const line of lines) {
      this.#line(line);
      yield line;
    }
  }

  /** Says what is wrong with the lines so far; `undefined` if nothing is. */
  fault(): string | undefined {
    if (this.#rest !== '') this.#line(this.#rest);
    const stated = statedIn(this.#last);
    if (stated === undefined) return 'The export is cut: its manifest is missing.';
    if (stated === bytesToHex(this.#hash.digest())) return undefined;
    return 'The export is damaged: its lines differ from the digest in its manifest.';
  }

  #line(line: string): void {
    if (line.startsWith(PAGE)) return;
    if (this.#lines === 0) this.#isWhole = line.startsWith(HEAD);
    // The first line names the installation, and the last one is the manifest.
    if (this.#lines > 1) this.#hash.update(utf8ToBytes(`${this.#last}\n`));
    this.#lines += 1;
    this.#last = line;
  }
}

function statedIn(line: string): unknown {
  if (!line.startsWith(MANIFEST)) return undefined;
  try {
    return (JSON.parse(line) as { readonly sha256?: unknown }).sha256;
  } catch {
    // It was cut.
    return undefined;
  }
}
