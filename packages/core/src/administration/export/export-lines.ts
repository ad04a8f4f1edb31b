/**
 * The lines of an export, made from one held state of the store: what the tenant has, then each
 * scope with everything in it, in the order of keys. The table of families says what that is.
 */
import type { NamespaceParts } from '../../access/namespace.js';
import { namespaceSubspaces } from '../../access/namespace-store.js';
import { sha256Stream } from '../../contract/digest.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { asBuffer } from '../../storage/store/bytes.js';
import { afterKey, afterPrefix, encodeKey, partsOfKey } from '../../storage/store/key.js';
import { keyspace } from '../../storage/store/keyspace.js';
import type { Entry, HeldState } from '../../storage/store/store.js';
import type { FamilyName, LineName, Owner } from '../families/family-facts.js';
import { familyFacts, familyNames } from '../families/family-table.js';
import { familySubspaces } from '../snapshot/families.js';
import { isPlain, type PlainLine, shownValue } from './line-forms.js';
import { neededBy, type NeededDefinitions } from './needed-definitions.js';
import { recordLine, revisionLine, type SourcesOf, sourcesIn } from './record-lines.js';
import type { Exported } from './schema.js';

/** The format of exports, which their first line names. */
const EXPORT_FORMAT = 'agentkeep-export-1';

/** About how many bytes of entries are read at once. */
const SLICE_BYTES = 524_288;
const SLICE_ENTRIES_MAX = 256;
const SLICE_ENTRIES_FIRST = 8;

/** An export to make. */
export interface ExportPlan {
  readonly tenantId: string;
  readonly of: Exported;
  /** Selects the namespaces of the export. */
  readonly selects: (parts: NamespaceParts) => boolean;
  readonly withHistory: boolean;
  readonly nowMs: number;
}

/** Yields the text of each line, without its line feed; `undefined` where other work may run. */
export async function* exportLines(
  state: HeldState,
  plan: ExportPlan,
): AsyncGenerator<string | undefined, void> {
  const hash = sha256Stream();
  const counts = new Map<string, number>();
  let bytes = 0;
  yield JSON.stringify({
    line: 'export',
    format: EXPORT_FORMAT,
    contract_version: CONTRACT_VERSION,
    tenant_id: plan.tenantId,
    of: plan.of,
    with_history: plan.withHistory,
    exported_at_millis: plan.nowMs,
  });
  for await (const line of contentLines(state, plan)) {
    if (line === undefined) {
      yield undefined;
      continue;
    }
    const text = JSON.stringify(line);
    hash.update(text).update('\n');
    bytes += Buffer.byteLength(text, 'utf8') + 1;
    counts.set(line.line, (counts.get(line.line) ?? 0) + 1);
    yield text;
  }
  const sha256 = hash.digestText('hex');
  yield JSON.stringify({ line: 'manifest', counts: Object.fromEntries(counts), bytes, sha256 });
}

/** A line that a family has. */
interface Line {
  readonly line: LineName;
}

type Lines = AsyncGenerator<Line | undefined, void>;

async function* contentLines(state: HeldState, plan: ExportPlan): Lines {
  const { tenantId, of } = plan;
  const needed = of.type === 'tenant' ? undefined : await neededDefinitions(state, plan);
  for (const family of familiesOf('tenant')) {
    for await (const line of plainLines(state, { tenantId, family })) {
      if (line === undefined || needed?.has(family, line.key[0]) !== false) yield line;
    }
  }
  for await (const scope of scopesOf(state, plan)) {
    if (scope === undefined) {
      yield undefined;
      continue;
    }
    const { digest, parts } = scope;
    const [project_id, mission_id, agent_id, visibility, subject_id] = parts;
    const shown = { project_id, mission_id, agent_id, visibility };
    const namespace = asBuffer(digest).toString('base64url');
    yield { line: 'scope', namespace, scope: shown, subject_id } as Line;
    for (const family of familiesOf('scope')) {
      yield* linesOfFamily(state, plan, { tenantId, family, digest });
    }
  }
}

/** Returns the families with lines of their own that belong to an owner. */
function familiesOf(owner: Owner): FamilyName[] {
  return familyNames.filter((name) => {
    const facts = familyFacts[name];
    // The entries of this one are members of the lines of records.
    if (name === 'namespaces' || name === 'memorySources') return false;
    return facts.owner === owner && lineOf(name) !== undefined;
  });
}

function lineOf(family: FamilyName): LineName | undefined {
  const { exported } = familyFacts[family];
  return exported !== 'derived' && 'line' in exported ? exported.line : undefined;
}

/** A part of a family. */
interface FamilyPart {
  readonly tenantId: string;
  readonly family: FamilyName;
  /** The digest that its keys begin with. */
  readonly digest?: Uint8Array;
}

async function* linesOfFamily(state: HeldState, plan: ExportPlan, part: FamilyPart): Lines {
  const line = lineOf(part.family);
  if (line === 'record' || line === 'revision') {
    if (line === 'revision' && !plan.withHistory) return;
    for await (const entries of slicesOf(state, part)) {
      const sources = await sourcesBeside(state, part, entries);
      yield* recordLines(entries, line, { part, plan, sources });
      yield undefined;
    }
    return;
  }
  yield* plainLines(state, part);
}

function* recordLines(
  entries: readonly Entry[],
  line: 'record' | 'revision',
  of: { readonly part: FamilyPart; readonly plan: ExportPlan; readonly sources: SourcesOf },
): Generator<Line, void> {
  const namespace = asBuffer(of.part.digest ?? new Uint8Array()).toString('base64url');
  const { withHistory } = of.plan;
  for (const entry of entries) {
    const made =
      line === 'record'
        ? recordLine(entry, namespace, { sources: of.sources, withHistory })
        : revisionLine(entry, namespace, of);
    if (made !== undefined) yield made as Line;
  }
}

/** Returns the sources of the records that entries are of. */
async function sourcesBeside(
  state: HeldState,
  { tenantId, digest }: FamilyPart,
  entries: readonly Entry[],
): Promise<SourcesOf> {
  const first = entries[0];
  const last = entries.at(-1);
  if (first === undefined || last === undefined || digest === undefined) return new Map();
  const { number, shape } = keyspace.memorySources;
  const prefixOf = ({ key }: Entry): Uint8Array => {
    const recordId = partsOfKey(['digest', 'uuid'], key)[1];
    return encodeKey(tenantId, number, shape, [digest, recordId]);
  };
  return sourcesIn(await state.entries({ from: prefixOf(first), to: afterPrefix(prefixOf(last)) }));
}

/** A line that shows a value as it is stored, with the parts of its key behind the namespace. */
interface ShownLine extends Line {
  readonly line: PlainLine;
  readonly namespace?: string;
  readonly key: readonly (string | number)[];
  readonly value: unknown;
}

async function* plainLines(
  state: HeldState,
  part: FamilyPart,
): AsyncGenerator<ShownLine | undefined, void> {
  const { family, digest } = part;
  const line = lineOf(family);
  if (line === undefined || !isPlain(line)) throw new TypeError(`${family} has no plain lines.`);
  const namespace =
    digest === undefined ? {} : { namespace: asBuffer(digest).toString('base64url') };
  for await (const entries of slicesOf(state, part)) {
    for (const { key, value } of entries) {
      const parts = partsOfKey(keyspace[family].shape, key).map((each) =>
        each instanceof Uint8Array ? asBuffer(each).toString('base64url') : each,
      );
      const shown = shownValue(line, familySubspaces[family].open(key, value));
      yield {
        line,
        ...namespace,
        key: digest === undefined ? parts : parts.slice(1),
        value: shown,
      };
    }
    yield undefined;
  }
}

/** A scope of an export. */
interface ExportedScope {
  readonly digest: Uint8Array;
  readonly parts: NamespaceParts;
}

async function* scopesOf(
  state: HeldState,
  { tenantId, selects }: ExportPlan,
): AsyncGenerator<ExportedScope | undefined, void> {
  for await (const entries of slicesOf(state, { tenantId, family: 'namespaces' })) {
    for (const { key, value } of entries) {
      const parts = namespaceSubspaces.namespaces.open(key, value);
      if (!selects(parts)) continue;
      yield { digest: key.subarray(key.length - 32), parts };
    }
    yield undefined;
  }
}

/** Returns the policies, contexts and executors that the scopes of an export refer to. */
async function neededDefinitions(state: HeldState, plan: ExportPlan): Promise<NeededDefinitions> {
  const { tenantId } = plan;
  const needed = neededBy();
  for await (const scope of scopesOf(state, plan)) {
    if (scope === undefined) continue;
    const { digest } = scope;
    for (const family of needed.families) {
      for await (const entries of slicesOf(state, { tenantId, family, digest })) {
        for (const { key, value } of entries) {
          needed.add(family, familySubspaces[family].open(key, value));
        }
      }
    }
  }
  return needed;
}

/** Reads the entries of a part of a family in slices of about the same size. */
async function* slicesOf(
  state: HeldState,
  { tenantId, family, digest }: FamilyPart,
): AsyncGenerator<Entry[], void> {
  const { number, shape } = keyspace[family];
  const prefix = encodeKey(tenantId, number, shape, digest === undefined ? [] : [digest]);
  const to = afterPrefix(prefix);
  let from: Uint8Array = prefix;
  let limit = SLICE_ENTRIES_FIRST;
  for (;;) {
    const entries = await state.entries({ from, to, limit });
    if (entries.length > 0) yield entries;
    const last = entries.at(-1);
    if (last === undefined || entries.length < limit) return;
    from = afterKey(last.key);
    const size = entries.reduce((sum, { value }) => sum + value.length, 0) / entries.length;
    limit = Math.min(SLICE_ENTRIES_MAX, 2 * limit, Math.max(1, Math.floor(SLICE_BYTES / size)));
  }
}
