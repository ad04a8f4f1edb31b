/** `importMemory`: stores lines of an export where nothing is stored yet. */
import * as v from 'valibot';
import { type Namespace, namespaceOfParts, type NamespaceParts } from '../../access/namespace.js';
import { ensureNamespace, findNamespace } from '../../access/namespace-store.js';
import { IMPORT_BYTES_MAX, IMPORT_PROBLEMS_MAX } from './import-limits.js';
import { InvalidJsonError, parseJson } from '../../contract/schema/json.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import type { EventSubject } from '../../runtime/audit/call-events.js';
import { defineTenantOperation } from '../../runtime/operation/define-operation.js';
import { asBuffer } from '../../storage/store/bytes.js';
import type { Transactions, WriteTx } from '../../storage/store/store.js';
import { type ErasedSince, erasedSince } from '../erasure/erased-since.js';
import { type LineOutcome, recordWrite, revisionWrite, type StoreLine } from './import-records.js';
import { valueWrite } from './import-values.js';
import { OriginLine, RecordLine, RevisionLine, ScopeLine, ShownLine } from './line-schemas.js';
import { type ImportOutcome, ImportRequest, ImportResponse } from './schema.js';

/** Lines and UTF-16 units of one transaction. */
const SLICE_LINES = 128;
const SLICE_UNITS = 262_144;

/** Lines that say something of the file, and store nothing. */
const FRAME = new Set(['export', 'manifest']);

/** A second run stores nothing. What is stored already is never replaced. */
export const importMemory = defineTenantOperation({
  name: 'importMemory',
  summary: 'Import lines of an export, or say what would happen.',
  tag: 'Exports',
  input: { document: ImportRequest },
  document: { bytesMax: IMPORT_BYTES_MAX },
  output: ImportResponse,
  requires: { capability: 'credential_admin' },
  checks: ['document', 'version', 'rules', 'authority'],
  isHeavy: true,
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { text, dry_run: isDry } = input.document;
    const { tenantId } = credential;
    const scopes = new Map<string, Namespace>();
    const erased = await erasedSince(runtime.store, originOf(text, tenantId));
    const outcome = { stored: 0, unchanged: 0, refused: 0, problems: [] as Problem[] };
    const note = (line: number, result: LineOutcome): void => {
      if (result === 'stored' || result === 'unchanged') outcome[result] += 1;
      else {
        outcome.refused += 1;
        if (outcome.problems.length < IMPORT_PROBLEMS_MAX) {
          outcome.problems.push({ line, reason: result });
        }
      }
    };
    for (const slice of slicesOf(text)) {
      await request.turn();
      const context = { tenantId, scopes, nowMs, erased };
      const writes = slice.map(({ line, number }) => ({ number, write: writeOf(line, context) }));
      const body = (tx: WriteTx): readonly (LineOutcome | undefined)[] => {
        request.confirm(tx);
        return writes.map(({ write }) => (typeof write === 'function' ? write(tx) : write));
      };
      const results = await (isDry ? rehearsed(runtime.store, body) : runtime.store.transact(body));
      for (const [at, result] of results.entries()) {
        if (result !== undefined) note(writes[at]?.number ?? 0, result);
      }
    }
    if (!isDry) request.observe(imported(tenantId, outcome));
    return { contract_version: CONTRACT_VERSION, outcome };
  },
});

/** Says from the first line of an export, if it is there, which tenant it is of, and how old. */
function originOf(
  text: string,
  tenantId: string,
): { readonly tenants: readonly string[]; readonly exportedAtMillis: number | undefined } {
  const typed = v.safeParse(OriginLine, parsedLine(text.slice(0, text.indexOf('\n'))));
  if (!typed.success) return { tenants: [tenantId], exportedAtMillis: undefined };
  const { tenant_id, exported_at_millis: exportedAtMillis } = typed.output;
  return { tenants: [tenantId, tenant_id], exportedAtMillis };
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

function* slicesOf(text: string): Generator<NumberedLine[], void> {
  let slice: NumberedLine[] = [];
  let units = 0;
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    slice.push({ line, number: at + 1 });
    units += line.length;
    if (slice.length < SLICE_LINES && units < SLICE_UNITS) continue;
    yield slice;
    slice = [];
    units = 0;
  }
  if (slice.length > 0) yield slice;
}

/** Where and when lines are imported. */
interface Importing {
  readonly tenantId: string;
  /** The scopes that lines named so far, by the digest that they show. */
  readonly scopes: Map<string, Namespace>;
  readonly nowMs: number;
  /** What was erased after the lines were exported. */
  readonly erased: ErasedSince;
}

/** Stores a line; returns `undefined` for one that stores nothing. */
type LineWrite = ((tx: WriteTx) => LineOutcome | undefined) | LineOutcome;

function writeOf(text: string, importing: Importing): LineWrite {
  const value = parsedLine(text);
  const line = (value as { readonly line?: unknown } | undefined)?.line;
  if (typeof line !== 'string') return 'invalid';
  if (FRAME.has(line)) return () => undefined;
  if (line === 'scope') return scopeWrite(value, importing);
  const { tenantId, nowMs, erased } = importing;
  if (line === 'record' || line === 'revision') {
    const typed = v.safeParse(line === 'record' ? RecordLine : RevisionLine, value);
    if (!typed.success) return 'invalid';
    const { output } = typed;
    return inNamespace(output.namespace, importing, (namespace) =>
      output.line === 'record'
        ? recordWrite(namespace, output, nowMs)
        : revisionWrite(namespace, output),
    );
  }
  const typed = v.safeParse(ShownLine, value);
  if (!typed.success) return 'invalid';
  const { namespace } = typed.output;
  const shown = { ...typed.output, value: (value as { readonly value?: unknown }).value };
  if (namespace === undefined && erased.isTenant) return 'erased';
  if (namespace === undefined) return valueWrite({ tenantId, namespace: undefined }, shown);
  return inNamespace(namespace, importing, (of) => valueWrite({ tenantId, namespace: of }, shown));
}

function parsedLine(text: string): unknown {
  try {
    const { value, withDuplicatesMarked } = parseJson(Buffer.from(text, 'utf8'));
    return withDuplicatesMarked === undefined ? value : undefined;
  } catch (error) {
    if (error instanceof InvalidJsonError) return undefined;
    throw error;
  }
}

function scopeWrite(value: unknown, { tenantId, scopes, erased }: Importing): LineWrite {
  const typed = v.safeParse(ScopeLine, value);
  if (!typed.success) return 'invalid';
  const { scope, subject_id: owner, namespace: shown } = typed.output;
  const { project_id, mission_id, agent_id, visibility } = scope;
  if ((visibility === 'private') !== (owner !== null)) return 'invalid';
  const parts: NamespaceParts = [project_id, mission_id, agent_id, visibility, owner];
  const namespace = namespaceOfParts(tenantId, parts);
  if (asBuffer(namespace.digest).toString('base64url') !== shown) return 'invalid';
  scopes.set(shown, namespace);
  if (erased.has(parts)) return () => undefined;
  return (tx) => {
    ensureNamespace(tx, namespace);
    return undefined;
  };
}

/** Prepares a line of a scope that an earlier line names, or that is stored. */
function inNamespace(
  shown: string,
  { tenantId, scopes, erased }: Importing,
  prepare: (namespace: Namespace) => StoreLine | LineOutcome,
): LineWrite {
  const named = scopes.get(shown);
  if (named !== undefined) return erased.has(named.parts) ? 'erased' : prepare(named);
  return (tx) => {
    const digest = Buffer.from(shown, 'base64url');
    const parts = findNamespace(tx, tenantId, digest);
    if (parts === undefined) return 'unknown_scope';
    if (erased.has(parts)) return 'erased';
    const write = prepare({ tenantId, digest, parts });
    return typeof write === 'string' ? write : write(tx);
  };
}
