/** Exports of memory as lines of JSON, and imports of such lines. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { refuseUnknownOptions, requireArguments } from '../../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import type { CallOperation, CallOptions, OutputOf, PartsOf } from '../call.js';
import { ExportCheck } from './export-check.js';
import { linesOf, partsOf } from './export-parts.js';

/** What an export has. */
export type ExportedPart = NonNullable<PartsOf<'exportMemory'>['document']>['of'];

/** How an export is made. */
export interface ExportOptions extends CallOptions {
  /** Whether superseded revisions and deleted records are part of it. Default: false. */
  readonly withHistory?: boolean | undefined;
}

/** How an import is made. */
export interface ImportOptions extends CallOptions {
  /** Whether nothing is stored, only what would happen is answered. Default: false. */
  readonly dryRun?: boolean | undefined;
  /** Called after each part, with the numbers so far. */
  readonly onProgress?: ((so: ImportTotals) => void) | undefined;
}

/** What an import did. Lines are counted from 1 in `problems`. */
export type ImportTotals = OutputOf<'importMemory'>['outcome'];

/** Most problems that are kept. */
const PROBLEMS_MAX = 100;

/** Exports and imports. Errors are those of the operations, as `AgentkeepError`. */
export class ExportClient {
  readonly #call: CallOperation;

  constructor(call: CallOperation) {
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
    const check = new ExportCheck();
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
    const check = new ExportCheck();
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
