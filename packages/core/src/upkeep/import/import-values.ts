/** Stores lines that show values as they are stored, as the domains of the values say. */
import * as v from 'valibot';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { StoredFamily } from '../../storage/families/families.js';
import type { KeyParts } from '../../storage/store/key.js';
import type { Entry } from '../../storage/store/store.js';
import { ifReadable } from '../../storage/store/value.js';
import { Millis, Revision, type ShownLine, valueOfLine } from '../lines/line-schemas.js';
import type { Lines } from '../lines/lines.js';
import {
  ANY,
  isStorable,
  knownAs,
  type LineKey,
  type LineLocation,
  type LineOutcome,
  type PlainLine,
  type StoreLine,
} from '../lines/stored-line.js';

/** Prepares a line; returns an outcome at once where nothing will be stored. */
export function valueWrite(
  lines: Lines,
  place: LineLocation,
  { line: name, key, value: sent }: ShownLine,
): StoreLine | LineOutcome {
  const { family, plain } = lines.named(name) ?? {};
  if (family === undefined || plain === undefined) return 'invalid';
  if ((family.facts.owner === 'scope') !== (place.namespace !== undefined)) return 'invalid';
  const shown = plain.isOfAnyTenant === true ? ofTenant(sent, place.tenantId) : sent;
  if (!v.is(plain.schema, shown)) return 'invalid';
  const value = valueOfLine(plain.form, shown);
  if (!isKeyOf(plain, key, value) || !isWithinBounds(plain, value)) return 'invalid';
  const tenant = plain.tenantIn?.(value);
  if (tenant !== undefined && tenant !== place.tenantId) return 'other_tenant';
  const entry = ifReadable(() => sealed(family, place, key, value));
  if (entry === undefined || !isStorable(entry)) return 'invalid';
  return (tx) => {
    const known = knownAs(tx, entry);
    const isReplaced = known === 'conflict' && plain.mayReplace?.(tx, entry) === true;
    if (known !== undefined && !isReplaced) return known;
    const storing = { ...place, key, value };
    if (plain.isDefined?.(tx, storing) === false) return 'missing_definition';
    tx.put(entry.key, entry.value);
    plain.derive?.(tx, storing);
    return 'stored';
  };
}

/** Returns whether a key is the one of its value. */
function isKeyOf(line: PlainLine, key: LineKey, value: unknown): boolean {
  const expected = line.keyOf(value);
  const isSame = expected.every((part, at) => part === ANY || part === key[at]);
  return isSame && expected.length === key.length && line.isKey?.(key) !== false;
}

/** Returns whether the revisions and times of a value could be those of a command. */
function isWithinBounds(line: PlainLine, value: unknown): boolean {
  const { revisions = [], times = [] } = line.statedIn?.(value) ?? {};
  return (
    revisions.every((each) => v.is(Revision, each)) && times.every((each) => v.is(Millis, each))
  );
}

/** Encodes an entry, and decodes it again, which verifies its digests. */
function sealed(
  stored: StoredFamily,
  { tenantId, namespace }: LineLocation,
  key: LineKey,
  value: unknown,
): Entry {
  const { shape } = stored;
  const parts: (string | number | Uint8Array)[] = namespace === undefined ? [] : [namespace.digest];
  for (const part of key) parts.push(partOf(shape[parts.length], part));
  if (parts.length !== shape.length) throw new AgentkeepError('storage_inconsistency');
  const entry = stored.seal(value as never, tenantId, ...(parts as never[]));
  stored.open(entry.key, entry.value);
  return entry;
}

function partOf(
  kind: keyof KeyParts | undefined,
  part: string | number,
): string | number | Uint8Array {
  const digest = kind === 'digest' ? Buffer.from(String(part), 'base64url') : undefined;
  const isGood =
    digest?.length === 32 ||
    (kind === 'text' && typeof part === 'string') ||
    (kind === 'uuid' && typeof part === 'string' && /^[\da-f-]{36}$/.test(part)) ||
    (kind === 'integer' && Number.isSafeInteger(part) && Number(part) >= 0) ||
    (kind === 'number' && typeof part === 'number');
  if (!isGood) throw new AgentkeepError('storage_inconsistency');
  return digest ?? part;
}

function ofTenant(value: unknown, tenant: string): unknown {
  return typeof value === 'object' && value !== null ? { ...value, tenant } : value;
}
