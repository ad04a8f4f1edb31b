/**
 * Exports and imports through a client, and checks that an export is whole.
 *
 * Compares the lines of an export with the manifest at its end. Clients bundle this, so without a
 * digest of its caller it takes the portable one; those of browsers don't take an input in parts.
 */
import { _SHA256 } from '@noble/hashes/sha2.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { refuseUnknownOptions, requireArguments } from '../../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import type { CallOperation, CallOptions, OutputOf, PartsOf } from '../call.js';

const HEAD = '{"line":"export"';
/** A line between two pages of a stream, which is no part of the export. */
const PAGE = '{"line":"page"';
const MANIFEST = '{"line":"manifest"';

const encoder = new TextEncoder();

/** A SHA-256 digest of an input that arrives in parts. */
interface Sha256 {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

/** Calls of a keep bring the digest of Node.js, which is faster than the portable one. */
interface DigestingCall extends CallOperation {
  newSha256?(): Sha256;
}

/** Follows the lines of one export. */
class ExportCheck {
  readonly #hash: Sha256;
  #rest = '';
  #lines = 0;
  #isWhole = false;
  #last = '';

  /** Without the faster digest of Node.js, an import takes 7 % more processor time. */
  constructor(call: DigestingCall) {
    // The class itself: `sha256` adds its calls for other uses to what clients bundle.
    this.#hash = call.newSha256?.() ?? new _SHA256();
  }

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
    if (stated === hexOf(this.#hash.digest())) return undefined;
    return 'The export is damaged: its lines differ from the digest in its manifest.';
  }

  #line(line: string): void {
    if (line.startsWith(PAGE)) return;
    if (this.#lines === 0) this.#isWhole = line.startsWith(HEAD);
    // The first line names the installation, and the last one is the manifest.
    if (this.#lines > 1) this.#hash.update(encoder.encode(`${this.#last}\n`));
    this.#lines += 1;
    this.#last = line;
  }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
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

/** UTF-16 units of lines in one request. */
const PART_UNITS = 786_432;

const EXPORT = '{"line":"export"';
const SCOPE = '{"line":"scope"';
const BRANCH = '{"line":"branch"';
const isBranch = (line: string): boolean => line.startsWith(BRANCH);

/** A part of a file that is imported at once. */
interface Part {
  readonly text: string;
  /** Lines at its beginning that repeat those of the export, the branch and the scope. */
  readonly skipped: number;
  /** Number of lines of the file before it. */
  readonly firstLine: number;
}

/** Joins lines to parts, and repeats the lines that say what a part goes on with. */
async function* partsOf(all: AsyncIterable<string>): AsyncGenerator<Part, void> {
  let lines: string[] = [];
  let units = 0;
  let origin: string[] = [];
  let place: string[] = [];
  let skipped = 0;
  let firstLine = 0;
  for await (const line of all) {
    lines.push(line);
    units += line.length + 1;
    if (line.startsWith(EXPORT)) origin = [line];
    else if (isBranch(line)) place = [line];
    else if (line.startsWith(SCOPE)) place = [...place.filter(isBranch), line];
    if (units < PART_UNITS) continue;
    yield { text: `${lines.join('\n')}\n`, skipped, firstLine };
    firstLine += lines.length - skipped;
    lines = [...origin, ...place];
    skipped = lines.length;
    units = 0;
  }
  if (lines.length > skipped) yield { text: `${lines.join('\n')}\n`, skipped, firstLine };
}

/** Divides texts, cut anywhere, into lines. */
async function* linesOf(
  texts: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string, void> {
  let rest = '';
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** What an export has. */
type ExportedPart = NonNullable<PartsOf<'exportMemory'>['document']>['of'];

/** How an export is made. */
interface ExportOptions extends CallOptions {
  /** Whether superseded revisions and deleted records are part of it. Default: false. */
  readonly withHistory?: boolean | undefined;
}

/** How an import is made. */
interface ImportOptions extends CallOptions {
  /** Whether nothing is stored, only what would happen is answered. Default: false. */
  readonly dryRun?: boolean | undefined;
  /** Called after each part, with the numbers so far. */
  readonly onProgress?: ((so: ImportTotals) => void) | undefined;
}

/** What an import did. Lines are counted from 1 in `problems`. */
type ImportTotals = OutputOf<'importMemory'>['outcome'];

/** Most problems that are kept. */
const PROBLEMS_MAX = 100;

/** Exports and imports. Errors are those of the operations, as `AgentkeepError`. */
export class ExportClient {
  readonly #call: DigestingCall;

  constructor(call: DigestingCall) {
    this.#call = call;
  }

  /**
   * Yields an export in texts of complete lines, about 1 MiB each, all of one state of the memory.
   * Its last line has the number of lines by kind and the SHA-256 of all between it and the first.
   * An agent may export its own private scope, an administrator of credentials everything.
   * @throws {AgentkeepError} `service_busy` while too many are made at once; `export_gone` when the
   * state isn't held any more: begin again.
   * @example
   * ```ts
   * import { inMemoryStore, openKeep } from '@agentkeep/core';
   * import { bootstrapTenant } from '@agentkeep/core/operator';
   *
   * await using keep = await openKeep({ store: inMemoryStore() });
   * const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
   * const admin = await keep.authenticate(secret);
   * let file = '';
   * for await (const text of admin.exports.texts({ type: 'tenant' })) file += text;
   * console.log(file.split('\n').length); // 3
   * ```
   */
  async *texts(of: ExportedPart, options: ExportOptions = {}): AsyncGenerator<string, void> {
    requireArguments('exports.texts()', { of });
    refuseUnknownOptions('exports.texts()', options, ['withHistory', 'signal']);
    const { withHistory = false, signal } = options;
    const check = new ExportCheck(this.#call);
    let after: string | null = null;
    do {
      const document: PartsOf<'exportMemory'>['document'] = {
        contract_version: CONTRACT_VERSION,
        of,
        with_history: withHistory,
        after,
      };
      const answer: OutputOf<'exportMemory'> = await this.#call(
        'exportMemory',
        { document },
        { signal },
      );
      check.add(answer.page.text);
      yield answer.page.text;
      after = answer.page.next_after;
    } while (after !== null);
    const fault = check.fault();
    if (fault !== undefined) throw new AgentkeepError('unexpected_answer', { message: fault });
  }

  /**
   * Imports the texts of an export, cut anywhere. What is stored already stays as it is, so that an
   * import that failed can be repeated.
   * @throws {AgentkeepError} `quota_exceeded`; `invalid_request` at the end of an export that is
   * cut or damaged. What was imported before stays.
   */
  async import(
    texts: AsyncIterable<string> | Iterable<string>,
    options: ImportOptions = {},
  ): Promise<ImportTotals> {
    const call = 'exports.import()';
    requireArguments(call, { texts });
    refuseUnknownOptions(call, options, ['dryRun', 'onProgress', 'signal']);
    const { dryRun = false, onProgress, signal } = options;
    const totals = { stored: 0, unchanged: 0, refused: 0, problems: [] as Problem[] };
    const check = new ExportCheck(this.#call);
    for await (const { text, skipped, firstLine } of partsOf(check.checking(linesOf(texts)))) {
      const document = { contract_version: CONTRACT_VERSION, text, dry_run: dryRun };
      const { outcome } = await this.#call('importMemory', { document }, { signal });
      totals.stored += outcome.stored;
      totals.unchanged += outcome.unchanged;
      totals.refused += outcome.refused;
      const problems = outcome.problems.map(({ line, reason }) => ({
        line: line - skipped + firstLine,
        reason,
      }));
      totals.problems.push(...problems.slice(0, PROBLEMS_MAX - totals.problems.length));
      onProgress?.(totals);
    }
    const fault = check.isWhole ? check.fault() : undefined;
    if (fault !== undefined) throw new AgentkeepError('invalid_request', { message: fault });
    return totals;
  }
}

type Problem = ImportTotals['problems'][number];
