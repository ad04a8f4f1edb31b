/** Reads the lines of an import, which may be out of order. */
import * as v from 'valibot';
import { InvalidJsonError, parseJson } from '../../contract/schema/json.js';
import { findNamespace, type Namespace } from '../../kernel/access/namespace.js';
import type { ErasedSince } from '../erasure/erased-since.js';
import { isOfErased, namespaceOfLine } from '../lines/import-scopes.js';
import { ScopeLine } from '../lines/line-schemas.js';
import type { Importing } from '../lines/stored-line.js';

/** How the line of a scope begins. */
const SCOPE = '{"line":"scope"';

/**
 * Returns a function that says whether the scope of a source was erased since a revision stated it.
 * A scope that neither the text nor the store names counts as erased if anything was since then.
 */
export function erasedSources(
  text: string,
  tenantId: string,
  erased: ErasedSince,
): Importing['isErasedSource'] {
  let named: ReadonlyMap<string, Namespace> | undefined;
  return (tx, shown, statedAtMillis) => {
    if (!erased.hasAny(0)) return false;
    named ??= scopesIn(text, tenantId);
    const digest = Buffer.from(shown, 'base64url');
    const parts = named.get(shown)?.parts ?? findNamespace(tx, tenantId, digest);
    if (parts === undefined) return erased.hasAny(statedAtMillis);
    return isOfErased(tx, { tenantId, digest, parts }) || erased.has(parts, statedAtMillis);
  };
}

/** Returns the scopes that a text names, by the digests that their lines show. */
function scopesIn(text: string, tenantId: string): Map<string, Namespace> {
  const scopes = new Map<string, Namespace>();
  for (const line of text.split('\n')) {
    if (!line.startsWith(SCOPE)) continue;
    const typed = v.safeParse(ScopeLine, parsedLine(line));
    const namespace = typed.success ? namespaceOfLine(typed.output, tenantId) : undefined;
    if (typed.success && namespace !== undefined) scopes.set(typed.output.namespace, namespace);
  }
  return scopes;
}

/** Returns the value of a line, or `undefined` for one that is no JSON or repeats a member. */
export function parsedLine(text: string): unknown {
  try {
    const { value, withDuplicatesMarked } = parseJson(Buffer.from(text, 'utf8'));
    return withDuplicatesMarked === undefined ? value : undefined;
  } catch (error) {
    if (error instanceof InvalidJsonError) return undefined;
    throw error;
  }
}

/** Members with the time at which a server made what they are in. */
const MADE = new Set(['created_at_millis', 'recorded_at_millis', 'since_millis']);

/** Members with documents of callers, who may state any time in them. */
const STATED = new Set(['payload', 'request', 'submission', 'proposal', 'command', 'profile']);

/** Returns the oldest time in a line, or `undefined` for one that states none. */
export function oldestTimeIn(line: unknown): number | undefined {
  if (typeof line !== 'object' || line === null) return undefined;
  let oldest: number | undefined;
  for (const [name, value] of Object.entries(line) as [string, unknown][]) {
    if (STATED.has(name)) continue;
    const time = MADE.has(name) && typeof value === 'number' ? value : oldestTimeIn(value);
    if (time !== undefined) oldest = Math.min(oldest ?? time, time);
  }
  return oldest;
}
