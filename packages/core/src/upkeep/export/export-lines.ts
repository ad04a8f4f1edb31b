/**
 * The lines of an export, made from one held state of the store: what the tenant has, then each
 * scope with everything in it, in the order of keys. The domains say what that is.
 */
import { branchOf } from '../../kernel/access/namespace.js';
import { sha256Stream } from '../../contract/digest.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { asBuffer } from '../../storage/store/bytes.js';
import type { StoredFamily } from '../../storage/families/families.js';
import { partsOfKey } from '../../storage/store/key.js';
import type { HeldState } from '../../storage/store/store.js';
import { type ExportedScope, type ExportPlan, scopesOf } from '../lines/domain-lines.js';
import { shownValue } from '../lines/line-schemas.js';
import type { FamilyLine, Lines } from '../lines/lines.js';
import type { PlainLine } from '../lines/stored-line.js';
import { type FamilyPart, slicesOf } from '../lines/state-slices.js';

/** The format of exports, which their first line names. */
const EXPORT_FORMAT = 'agentkeep-export-1';

/** Yields the text of each line, without its line feed; `undefined` where other work may run. */
export async function* exportLines(
  state: HeldState,
  plan: ExportPlan,
  lines: Lines,
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
  for await (const line of contentLines(state, plan, lines)) {
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
  readonly line: string;
  readonly namespace?: string;
}

type MadeLines = AsyncGenerator<Line | undefined, void>;

async function* contentLines(state: HeldState, plan: ExportPlan, lines: Lines): MadeLines {
  const { tenantId, of } = plan;
  const needed = of.type === 'tenant' ? undefined : await neededDefinitions(state, plan, lines);
  for (const { family, plain } of lines.of('tenant')) {
    if (plain === undefined) throw new TypeError(`${family.name} has no plain lines.`);
    for await (const line of plainLines(state, { tenantId, family }, plain)) {
      if (line === undefined || needed?.has(family.name, line.key[0]) !== false) yield line;
    }
  }
  // A branch is over its scopes, so these come first.
  for await (const scope of scopesOf(state, plan)) {
    if (scope === undefined) yield undefined;
    else if (branchOf(scope.parts) === undefined) yield* linesOfScope(state, plan, lines, scope);
  }
  for await (const branch of lines.branches.exported(state, plan)) {
    yield branch?.line;
    if (branch === undefined) continue;
    for await (const scope of branch.scopes()) {
      if (scope === undefined) yield undefined;
      else yield* linesOfScope(state, plan, lines, scope);
    }
  }
}

async function* linesOfScope(
  state: HeldState,
  plan: ExportPlan,
  lines: Lines,
  scope: ExportedScope,
): MadeLines {
  const [project_id, mission_id, agent_id, visibility, subject_id, branch] = scope.parts;
  const shown = { project_id, mission_id, agent_id, visibility };
  const namespace = asBuffer(scope.digest).toString('base64url');
  const inBranch = branch === undefined ? {} : { branch };
  const line = { line: 'scope', namespace, scope: shown, subject_id, ...inBranch } as const;
  yield line;
  for (const line of lines.of('scope')) {
    yield* linesOfFamily(state, plan, line, scope);
  }
}

async function* linesOfFamily(
  state: HeldState,
  { tenantId, withHistory }: ExportPlan,
  line: FamilyLine,
  scope: ExportedScope,
): MadeLines {
  const { family, own } = line;
  const part = { tenantId, family, prefix: [scope.digest] };
  if (own === undefined) {
    yield* plainLines(state, part, line.plain);
    return;
  }
  if (own.isOfHistory && !withHistory) return;
  for await (const entries of slicesOf(state, part)) {
    for (const made of await own.show(state, { tenantId, ...scope }, entries, withHistory)) {
      yield made as Line;
    }
    yield undefined;
  }
}

/** A line that shows a value as it is stored, with the parts of its key behind the namespace. */
interface ShownLine extends Line {
  readonly key: readonly (string | number)[];
  readonly value: unknown;
}

async function* plainLines(
  state: HeldState,
  part: FamilyPart & { readonly family: StoredFamily },
  { name: line, form }: PlainLine,
): AsyncGenerator<ShownLine | undefined, void> {
  const { family, prefix: [digest] = [] } = part;
  const namespace =
    digest instanceof Uint8Array ? { namespace: asBuffer(digest).toString('base64url') } : {};
  for await (const entries of slicesOf(state, part)) {
    for (const { key, value } of entries) {
      const parts = partsOfKey(family.shape, key).map((each) =>
        each instanceof Uint8Array ? asBuffer(each).toString('base64url') : each,
      );
      const shown = shownValue(form, family.open(key, value));
      const behind = digest === undefined ? parts : parts.slice(1);
      yield { line, ...namespace, key: behind, value: shown };
    }
    yield undefined;
  }
}

/** The ids of definitions of a tenant that the scopes of an export refer to, by family. */
class NeededDefinitions {
  readonly #ids = new Set<string>();

  add(family: string, id: string): void {
    this.#ids.add(`${family} ${id}`);
  }

  has(family: string, id: string | number | undefined): boolean {
    return this.#ids.has(`${family} ${String(id)}`);
  }
}

/** Returns the definitions of the tenant that the scopes of an export refer to. */
async function neededDefinitions(
  state: HeldState,
  plan: ExportPlan,
  lines: Lines,
): Promise<NeededDefinitions> {
  const { tenantId } = plan;
  const needed = new NeededDefinitions();
  for await (const scope of scopesOf(state, plan)) {
    if (scope === undefined || branchOf(scope.parts) !== undefined) continue;
    const { digest } = scope;
    for (const { family, plain } of lines.of('scope')) {
      if (plain?.refersTo === undefined) continue;
      for await (const entries of slicesOf(state, { tenantId, family, prefix: [digest] })) {
        for (const { key, value } of entries) {
          const referred = plain.refersTo(family.open(key, value));
          for (const [of, id] of referred) needed.add(of, id);
        }
      }
    }
  }
  return needed;
}
