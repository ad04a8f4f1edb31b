/** Where the keys of an issuer come from, from the texts of its form. */
import type { Agent } from '@agentkeep/client';
import { objectOf } from '../../parts/written-json.js';

/** The keys as callers state them. */
export type IssuerKeys = Parameters<Agent['issuers']['put']>[1]['keys'];

type InlineKeys = Extract<IssuerKeys, { readonly mode: 'inline' }>['keys'];

/** Returns the keys of a form, or `undefined` if those that were pasted are no JSON of keys. */
export function issuerKeys(
  mode: IssuerKeys['mode'],
  form: Readonly<Record<string, string>>,
): IssuerKeys | undefined {
  if (mode === 'discovery') return { mode };
  if (mode === 'address') return { mode, jwks_uri: form['address'] ?? '' };
  const keys = pastedKeys(form['keys'] ?? '');
  return keys && { mode, keys };
}

/** A JWK, an array of them, or a JWK set. The server checks each key. */
function pastedKeys(text: string): InlineKeys | undefined {
  const pasted = objectOf(text);
  if (pasted === undefined) return undefined;
  if (Array.isArray(pasted)) return pasted as InlineKeys;
  const { keys } = pasted as { readonly keys?: unknown };
  return Array.isArray(keys) ? (keys as InlineKeys) : ([pasted] as InlineKeys);
}
