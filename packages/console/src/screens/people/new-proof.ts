/** What proves a new credential, from the fields of its form. */
import type { Agent, Capability } from '@agentkeep/client';
import { type NewRule, ruleOf } from './federation-rule.js';
import type { NewSpec } from './new-spec.js';
import { type PublicKey, publicKeyOf } from './public-key.js';

/** What proves a new credential. */
export type ProofMode = 'secret' | 'key' | 'issuer';

/** A proof as the form states it. */
export type NewProof =
  | { readonly mode: 'secret' }
  | { readonly mode: 'key'; readonly key: PublicKey }
  | { readonly mode: 'issuer'; readonly rule: NewRule };

/** What the program gets: a secret, the token beside which it proves its key, or an id. */
export interface Handed {
  readonly mode: ProofMode;
  readonly text: string;
}

/** A form that was sent. */
interface SentForm {
  readonly texts: Readonly<Record<string, string>>;
  readonly fields: FormData;
  readonly rights: readonly Capability[];
}

/** Returns the proof of a form, or what is wrong with it. */
export function newProof(
  mode: ProofMode,
  { texts, fields, rights }: SentForm,
): { readonly proof: NewProof } | { readonly problem: string } {
  switch (mode) {
    case 'secret':
      return { proof: { mode } };
    case 'key': {
      const pasted = publicKeyOf(texts['key'] ?? '');
      return 'problem' in pasted ? pasted : { proof: { mode, key: pasted.key } };
    }
    case 'issuer': {
      const stated = ruleOf(texts, fields, rights);
      return 'problem' in stated ? stated : { proof: { mode, rule: stated.rule } };
    }
  }
}

/** Issues a credential. */
export async function issueCredential(
  { credentials }: Agent,
  spec: NewSpec,
  proof: NewProof,
): Promise<Handed> {
  const { mode } = proof;
  switch (mode) {
    case 'secret':
      return { mode, text: (await credentials.issue(spec)).secret };
    case 'key':
      return { mode, text: (await credentials.issueForKey(spec, proof.key)).token };
    case 'issuer':
      return { mode, text: (await credentials.issueFederated(spec, proof.rule)).id };
  }
}
