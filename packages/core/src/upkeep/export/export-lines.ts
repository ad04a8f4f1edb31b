/**
 * The lines of an export, made from one held state of the store: what the tenant has, then each
 * scope with everything in it, in the order of keys. The table of families says what that is.
 */
import { branchOf, type Namespace } from '../../kernel/access/namespace.js';
import { sha256Stream } from '../../contract/digest.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { asBuffer } from '../../storage/store/bytes.js';
import { partsOfKey } from '../../storage/store/key.js';
import type { Entry, HeldState } from '../../storage/store/store.js';
import { basesBetween, branchesOf } from './branch-lines.js';
import { type ExportedScope, type ExportPlan, scopesOf } from './export-plan.js';
import { isPlain, type PlainLine, shownValue } from './line-forms.js';
import { neededBy, type NeededDefinitions } from './needed-definitions.js';
import { type BesideRecords, recordLine, revisionLine, sourcesIn } from './record-lines.js';
import { entriesBetween, type FamilyPart, slicesOf } from './state-slices.js';
import { families, familyNames, type FamilyName } from '../families/families.js';
import { lineOf, type LineName } from '../families/line-names.js';
import type { Owner } from '../../storage/store/family.js';

/** The format of exports, which their first line names. */
const EXPORT_FORMAT = 'agentkeep-export-1';

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
  readonly namespace?: string;
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
  // A branch is over its scopes, so these come first.
  for await (const scope of scopesOf(state, plan)) {
    if (scope === undefined) yield undefined;
    else if (branchOf(scope.parts) === undefined) yield* linesOfScope(state, plan, scope);
  }
  for await (const branch of branchesOf(state, plan)) {
    yield branch?.line;
    if (branch === undefined) continue;
    for await (const scope of branch.scopes()) {
      if (scope === undefined) yield undefined;
      else yield* linesOfScope(state, plan, scope);
    }
  }
}

async function* linesOfScope(state: HeldState, plan: ExportPlan, scope: ExportedScope): Lines {
  const [project_id, mission_id, agent_id, visibility, subject_id, branch] = scope.parts;
  const shown = { project_id, mission_id, agent_id, visibility };
  const namespace = asBuffer(scope.digest).toString('base64url');
  const inBranch = branch === undefined ? {} : { branch };
  const line = { line: 'scope', namespace, scope: shown, subject_id, ...inBranch } as const;
  yield line;
  for (const family of familiesOf('scope')) {
    yield* linesOfFamily(state, plan, { family, scope });
  }
}

/** Returns the families with lines of their own that belong to an owner. */
function familiesOf(owner: Owner): FamilyName[] {
  return familyNames.filter((name) => {
    const line = lineOf(name);
    // These two lines come before those of what is in them.
    if (line === undefined || line === 'scope' || line === 'branch') return false;
    return families[name].facts.owner === owner;
  });
}

async function* linesOfFamily(
  state: HeldState,
  { tenantId, withHistory }: ExportPlan,
  { family, scope }: { readonly family: FamilyName; readonly scope: ExportedScope },
): Lines {
  const line = lineOf(family);
  const part = { tenantId, family, prefix: [scope.digest] };
  if (line !== 'record' && line !== 'revision') {
    yield* plainLines(state, part);
    return;
  }
  if (line === 'revision' && !withHistory) return;
  for await (const entries of slicesOf(state, part)) {
    const beside = await besideRecords(state, { tenantId, ...scope }, entries);
    for (const entry of entries) {
      const made =
        line === 'record'
          ? recordLine(entry, { ...beside, withHistory })
          : revisionLine(entry, beside);
      if (made !== undefined) yield made as Line;
    }
    yield undefined;
  }
}

/** Returns what other families have of the records that entries are of. */
async function besideRecords(
  state: HeldState,
  { tenantId, digest, parts }: Namespace,
  entries: readonly Entry[],
): Promise<BesideRecords> {
  const namespace = asBuffer(digest).toString('base64url');
  const ids = [entries[0], entries.at(-1)].flatMap((entry) =>
    entry === undefined ? [] : [String(partsOfKey(['digest', 'uuid'], entry.key)[1])],
  );
  const [first, last] = ids;
  if (first === undefined || last === undefined) throw new TypeError('A slice has entries.');
  const part = { tenantId, family: 'memorySources' } as const;
  const sources = sourcesIn(await entriesBetween(state, part, [digest, first], [digest, last]));
  const branch = branchOf(parts);
  if (branch === undefined) return { namespace, sources, bases: new Map() };
  const bases = await basesBetween(state, { tenantId, digest, branch }, { first, last });
  return { namespace, sources, bases };
}

/** A line that shows a value as it is stored, with the parts of its key behind the namespace. */
interface ShownLine extends Line {
  readonly line: PlainLine;
  readonly key: readonly (string | number)[];
  readonly value: unknown;
}

async function* plainLines(
  state: HeldState,
  part: FamilyPart,
): AsyncGenerator<ShownLine | undefined, void> {
  const { family, prefix: [digest] = [] } = part;
  const line = lineOf(family);
  if (line === undefined || !isPlain(line)) throw new TypeError(`${family} has no plain lines.`);
  const namespace =
    digest instanceof Uint8Array ? { namespace: asBuffer(digest).toString('base64url') } : {};
  for await (const entries of slicesOf(state, part)) {
    for (const { key, value } of entries) {
      const parts = partsOfKey(families[family].shape, key).map((each) =>
        each instanceof Uint8Array ? asBuffer(each).toString('base64url') : each,
      );
      const shown = shownValue(line, families[family].open(key, value));
      const behind = digest === undefined ? parts : parts.slice(1);
      yield { line, ...namespace, key: behind, value: shown };
    }
    yield undefined;
  }
}

/** Returns the policies, contexts and executors that the scopes of an export refer to. */
async function neededDefinitions(state: HeldState, plan: ExportPlan): Promise<NeededDefinitions> {
  const { tenantId } = plan;
  const needed = neededBy();
  for await (const scope of scopesOf(state, plan)) {
    if (scope === undefined || branchOf(scope.parts) !== undefined) continue;
    const { digest } = scope;
    for (const family of needed.families) {
      for await (const entries of slicesOf(state, { tenantId, family, prefix: [digest] })) {
        for (const { key, value } of entries) {
          needed.add(family, families[family].open(key, value));
        }
      }
    }
  }
  return needed;
}
