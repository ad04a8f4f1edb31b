/**
 * Codes and refresh tokens as texts. Each names the approval that it belongs to, so that a used one
 * is recognised without a list of them. Its last characters show that it was made for the approval,
 * so that a mistyped one is none.
 */
import { hmacSha256, sha256Text } from '../../../contract/digest.js';

/** What an approval is redeemed with, and then the connection renewed. */
export type GrantSecretKind = 'AuthorizationCode' | 'RefreshToken';

/** A code or a refresh token that was made for an approval. */
export interface GrantSecret {
  readonly grantId: string;
  /** Digest of the text, as base64url. */
  readonly digest: string;
}

const FORM = /^([\w-]+)\.([\w-]+)([\w-]{22})$/;

const MARK_CHARS = 22;

/** Returns the text of a secret of an approval. `random` has at least 128 bits, as base64url. */
export function formatGrantSecret(kind: GrantSecretKind, grantId: string, random: string): string {
  return `${grantId}.${random}${markOf(kind, grantId, random)}`;
}

/** Reads a secret; `undefined` for a text that was not made for the approval that it names. */
export function parseGrantSecret(kind: GrantSecretKind, text: string): GrantSecret | undefined {
  const [, grantId, random, mark] = FORM.exec(text) ?? [];
  if (grantId === undefined || random === undefined) return undefined;
  if (markOf(kind, grantId, random) !== mark) return undefined;
  return { grantId, digest: sha256Text(`agentkeep ${kind} 1 ${text}`, 'base64url') };
}

/** Only those who hold a secret of an approval know its id, so the mark needs no other key. */
function markOf(kind: GrantSecretKind, grantId: string, random: string): string {
  const mark = hmacSha256(grantId)(`agentkeep ${kind} 1 ${random}`, 'base64url');
  return mark.slice(0, MARK_CHARS);
}
