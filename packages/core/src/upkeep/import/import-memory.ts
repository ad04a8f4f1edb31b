/** `importMemory`: stores lines of an export where nothing is stored yet. */
import * as v from 'valibot';
import { certain } from '../../contract/certain.js';
import { exampleVersion } from '../../contract/example-values.js';
import { closed } from '../../contract/schema/document.js';
import { named } from '../../contract/schema/json-schema.js';
import { answeredVersion, contractVersion, integer } from '../../contract/schema/number.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { findNamespace, type Namespace } from '../../kernel/access/namespace.js';
import type { EventSubject } from '../../kernel/audit/call-events.js';
import { refuseErased } from '../../kernel/erased/erasure-mark-store.js';
import { defineTenantOperation } from '../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../kernel/operation/orders-of-checks.js';
import type { Runtime } from '../../kernel/services/runtime.js';
import type { ReadTx, Transactions, WriteTx } from '../../storage/store/store.js';
import { erasedSince } from '../erasure/erased-since.js';
import {
  IMPORT_BYTES_MAX,
  IMPORT_PROBLEMS_MAX,
  IMPORT_TEXT_MAX,
  problemReasons,
} from '../lines/import-limits.js';
import { isOfErased, isThere, namespaceOfLine, storeScope } from '../lines/import-scopes.js';
import { OriginLine, ScopeLine, ShownLine } from '../lines/line-schemas.js';
import { exportedLines, type Lines } from '../lines/lines.js';
import type { Importing, LineOutcome, StoreLine } from '../lines/stored-line.js';
import { erasedSources, oldestTimeIn, parsedLine } from './import-sources.js';
import { valueWrite } from './import-values.js';

/** The body of `importMemory`. */
const ImportRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    /** Complete lines of an export. */
    text: v.pipe(v.string(), v.maxLength(IMPORT_TEXT_MAX)),
    /** Whether nothing is stored, only what would happen is answered. */
    dry_run: v.optional(v.boolean(), false),
  }),
  named('ImportRequest'),
);
export type ImportRequest = v.InferOutput<typeof ImportRequest>;

const ImportProblem = v.pipe(
  closed({
    /** From 1, among the lines of the request. */
    line: integer(1),
    reason: v.picklist(problemReasons),
  }),
  named('ImportProblem'),
);

/** How the lines were treated. */
const ImportOutcome = v.pipe(
  closed({
    stored: integer(),
    unchanged: integer(),
    /** Lines that were not stored. */
    refused: integer(),
    /** The first of them. */
    problems: v.pipe(v.array(ImportProblem), v.maxLength(IMPORT_PROBLEMS_MAX)),
  }),
  named('ImportOutcome'),
);
export type ImportOutcome = v.InferOutput<typeof ImportOutcome>;

/** The answer of `importMemory`. */
const ImportResponse = v.pipe(
  closed({ contract_version: answeredVersion, outcome: ImportOutcome }),
  named('ImportResponse'),
);

/** Lines and UTF-16 units of one transaction. */
const SLICE_LINES = 128;
const SLICE_UNITS = 262_144;

/** Lines that say something of the file, and store nothing. */
const FRAME = new Set(['export', 'page', 'manifest']);

/** How the line of a branch begins. */
const BRANCH = '{"line":"branch"';

/** A second run stores nothing. What is stored already is never replaced. */
export const importMemory = defineTenantOperation({
  name: 'importMemory',
  summary: 'Import lines of an export, or say what would happen.',
  example: {
    document: {
      ...exampleVersion,
      text: '{"line":"export","format":"agentkeep-export-1"}\n',
      dry_run: true,
    },
  },
  tag: 'Exports',
  input: { document: ImportRequest },
  document: { bytesMax: IMPORT_BYTES_MAX },
  output: ImportResponse,
  requires: { capability: 'credential_admin' },
  checks: inputFirstChecks,
  errors: ['erasure_in_progress'],
  isHeavy: true,
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { text, dry_run: isDry } = input.document;
    const { tenantId } = credential;
    const erased = await erasedSince(runtime.store, tenantsOf(text, tenantId));
    const importing: Importing = {
      tenantId,
      credential,
      scopes: new Map(),
      rehearsed: new Set(),
      erased,
      isErasedSource: erasedSources(text, tenantId, erased),
      nowMs,
    };
    const lines = exportedLines.of(runtime);
    const outcome = { stored: 0, unchanged: 0, refused: 0, problems: [] as Problem[] };
    const run = async (writes: readonly LineWrite[]): Promise<readonly Result[]> => {
      await request.turn();
      const body = (tx: WriteTx): readonly Result[] => {
        request.confirm(tx);
        const seen: SeenScopes = new Map();
        return writes.map((write) => (typeof write === 'function' ? write(tx, seen) : write));
      };
      return isDry ? rehearsed(runtime.store, body) : runtime.store.transact(body);
    };
    for (const slice of slicesOf(text)) {
      const branch = branchIn(slice);
      const results =
        branch === undefined
          ? await run(slice.map(({ line }) => writeOf(line, importing, lines)))
          : [await importBranch(branch, { runtime, lines, importing, run })];
      for (const [at, result] of results.entries())
        note(outcome, certain(slice[at], 'line').number, result);
    }
    if (!isDry) request.observe(imported(tenantId, outcome));
    return { contract_version: CONTRACT_VERSION, outcome };
  },
});

/** What a line did; `undefined` for one that isn't counted. */
type Result = LineOutcome | undefined;

interface Outcome extends ImportOutcome {
  problems: Problem[];
}

function note(outcome: Outcome, line: number, result: Result): void {
  if (result === undefined) return;
  if (result === 'stored' || result === 'unchanged') {
    outcome[result] += 1;
    return;
  }
  outcome.refused += 1;
  if (outcome.problems.length < IMPORT_PROBLEMS_MAX)
    outcome.problems.push({ line, reason: result });
}

/** What the import of a branch needs. */
interface BranchImport {
  readonly runtime: Runtime;
  readonly lines: Lines;
  readonly importing: Importing;
  readonly run: (writes: readonly LineWrite[]) => Promise<readonly Result[]>;
}

/** Imports a branch, over what its scopes have by now. */
async function importBranch(
  text: string,
  { runtime, lines, importing, run }: BranchImport,
): Promise<Result> {
  const branch = await lines.branches.prepare(parsedLine(text), importing, runtime);
  if (branch === undefined) return 'invalid';
  const [result] = await run([branch.write]);
  if (result !== 'stored' && result !== 'unchanged') return result;
  if (result === 'stored') importing.rehearsed.add(branch.id);
  return undefined;
}

/** Returns the tenant of an import, and the one that the first line of its text names. */
function tenantsOf(text: string, tenantId: string): readonly string[] {
  const typed = v.safeParse(OriginLine, parsedLine(text.slice(0, text.indexOf('\n'))));
  return typed.success ? [tenantId, typed.output.tenant_id] : [tenantId];
}

type Problem = ImportOutcome['problems'][number];

function imported(tenantId: string, { stored, unchanged, refused }: ImportOutcome): EventSubject {
  return {
    type: 'data_imported',
    action: 'data_imported',
    resource: `import:${tenantId}`,
    result: 'success',
    metadata: { stored, unchanged, refused },
  };
}

/** Ends a transaction of a dry run, so that it leaves no trace. */
class Discarded<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('This transaction was a rehearsal.');
    this.result = result;
  }
}

async function rehearsed<T>(store: Transactions, body: (tx: WriteTx) => T): Promise<T> {
  try {
    return await store.transact((tx) => {
      throw new Discarded(body(tx));
    });
  } catch (error) {
    if (error instanceof Discarded) return error.result as T;
    throw error;
  }
}

interface NumberedLine {
  readonly line: string;
  readonly number: number;
}

/** Divides a text into what one transaction imports. The line of a branch is alone. */
function* slicesOf(text: string): Generator<NumberedLine[], void> {
  let slice: NumberedLine[] = [];
  let units = 0;
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const isBranch = line.startsWith(BRANCH);
    if (isBranch && slice.length > 0) {
      yield slice;
      slice = [];
      units = 0;
    }
    slice.push({ line, number: at + 1 });
    units += line.length;
    if (!isBranch && slice.length < SLICE_LINES && units < SLICE_UNITS) continue;
    yield slice;
    slice = [];
    units = 0;
  }
  if (slice.length > 0) yield slice;
}

/** Returns the line of the branch that a slice is. */
function branchIn([first]: readonly NumberedLine[]): string | undefined {
  return first?.line.startsWith(BRANCH) === true ? first.line : undefined;
}

/**
 * Scopes that a transaction found stored, or stored itself, and that no erasure removes, by the
 * digest that lines show. Most lines are in the scope of the line before.
 */
type SeenScopes = Map<string, Namespace>;

/** Stores a line; returns `undefined` for one that stores nothing. */
type LineWrite = ((tx: WriteTx, seen: SeenScopes) => LineOutcome | undefined) | LineOutcome;

function writeOf(text: string, importing: Importing, lines: Lines): LineWrite {
  const value = parsedLine(text);
  const line = (value as { readonly line?: unknown } | undefined)?.line;
  if (typeof line !== 'string') return 'invalid';
  if (FRAME.has(line)) return () => undefined;
  if (line === 'scope') return scopeWrite(value, importing, lines);
  const { tenantId, erased } = importing;
  const since = oldestTimeIn(value);
  const own = lines.named(line)?.own;
  if (own !== undefined) {
    const typed = v.safeParse(own.schema, value);
    if (!typed.success) return 'invalid';
    const { output } = typed;
    const at = { shown: output.namespace, since };
    return inNamespace(at, importing, lines, (of) => own.prepare(of, output, importing));
  }
  const typed = v.safeParse(ShownLine, value);
  if (!typed.success) return 'invalid';
  const { namespace } = typed.output;
  const shown = { ...typed.output, value: (value as { readonly value?: unknown }).value };
  if (namespace === undefined && erased.isTenant(since ?? 0)) return 'erased';
  if (namespace === undefined) return valueWrite(lines, { tenantId, namespace: undefined }, shown);
  return inNamespace({ shown: namespace, since }, importing, lines, (of) =>
    valueWrite(lines, { tenantId, namespace: of }, shown),
  );
}

function scopeWrite(value: unknown, importing: Importing, lines: Lines): LineWrite {
  const typed = v.safeParse(ScopeLine, value);
  const namespace = typed.success ? namespaceOfLine(typed.output, importing.tenantId) : undefined;
  if (!typed.success || namespace === undefined) return 'invalid';
  importing.scopes.set(typed.output.namespace, namespace);
  const { parts } = namespace;
  // Where something was erased, the first line in the scope that is new enough stores it.
  const wasErased = importing.erased.has(parts, 0);
  return (tx) => {
    refuseErased(tx, importing.tenantId, [parts]);
    if (!wasErased && !isOfErased(tx, namespace)) {
      storeScope(tx, namespace, importing, lines.branches);
    }
    return undefined;
  };
}

/** A line in a scope. */
interface LineInScope {
  /** The digest of the scope, as the line shows it. */
  readonly shown: string;
  /** The oldest time in the line; undefined where it states none. */
  readonly since: number | undefined;
}

/** Prepares a line of a scope that an earlier line names, or that is stored. */
function inNamespace(
  { shown, since }: LineInScope,
  importing: Importing,
  { branches }: Lines,
  prepare: (namespace: Namespace) => StoreLine | LineOutcome,
): LineWrite {
  const { scopes, tenantId, erased } = importing;
  const named = scopes.get(shown);
  const prepared = named && prepare(named);
  return (tx, seen) => {
    const known = seen.get(shown);
    const stored = known ?? storedNamespace(tx, tenantId, shown);
    const namespace = named ?? stored;
    if (namespace === undefined) return 'unknown_scope';
    if (known === undefined) refuseErased(tx, tenantId, [namespace.parts]);
    // A line without a time is as old as its scope, which lines with a time store.
    const age = since ?? (stored === undefined ? 0 : Infinity);
    if (isOfErased(tx, namespace) || erased.has(namespace.parts, age)) return 'erased';
    if (!isThere(tx, namespace, importing, branches)) return 'unknown_scope';
    if (stored === undefined) storeScope(tx, namespace, importing, branches);
    if (known === undefined) seen.set(shown, namespace);
    const write = prepared ?? prepare(namespace);
    return typeof write === 'string' ? write : write(tx);
  };
}

function storedNamespace(tx: ReadTx, tenantId: string, shown: string): Namespace | undefined {
  const digest = Buffer.from(shown, 'base64url');
  const parts = findNamespace(tx, tenantId, digest);
  return parts && { tenantId, digest, parts };
}
