/** Finds among the sources of imported revisions those that were erased. */
import * as v from 'valibot';
import type { Namespace } from '../../kernel/access/namespace.js';
import { findNamespace } from '../../kernel/access/namespace-store.js';
import type { ErasedSince } from '../erasure/erased-since.js';
import type { Importing } from '../lines/stored-line.js';
import { isOfErased, namespaceOfLine } from '../lines/import-scopes.js';
import { ScopeLine } from '../lines/line-schemas.js';
import { parsedLine } from './parsed-line.js';

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
