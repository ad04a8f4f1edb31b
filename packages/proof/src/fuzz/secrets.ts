/** Secrets in answers: the operations that may deliver them, and their owners. */
import { givesSecret } from '@agentkeep/testkit/operations';
import type { World } from './world.js';

/** Matches every kind of secret that the service creates, anywhere in a text. */
const SECRETS =
  /\bak(?:g?1_[0-9a-f]{32}_[\w-]{43}|s[tg]1_[0-9a-f]{32}_[0-9a-f]{32}_[\w-]{43}|r1_[\w-]{20,}|_live_[0-9A-Za-z]{38})|\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;

/** Returns all secrets in a text. */
export function secretsIn(text: string): string[] {
  return (text.match(SECRETS) ?? []).filter((each) => !isCertificate(each));
}

/** Whether a signed text proves an erasure to everybody (docs/contract/erasure.md#era-14). */
function isCertificate(signed: string): boolean {
  if (!signed.startsWith('eyJ')) return false;
  const [header = ''] = signed.split('.');
  return Buffer.from(header, 'base64url').toString().includes('"agentkeep-erasure+jwt"');
}

/** Returns complaints about secrets and marked texts in an answer to a caller of an authority. */
export function leaksIn(
  world: World,
  { operationId, authority, text }: { operationId: string; authority: string; text: string },
): string[] {
  const secrets = secretsIn(text);
  const known = secrets.filter((secret) => world.owners.has(secret));
  const foreign = known.filter((secret) => world.owners.get(secret) !== authority);
  return [
    ...(secrets.length > 0 && !givesSecret(operationId)
      ? ['a secret outside of its one answer']
      : []),
    ...(foreign.length > 0 ? ['a secret of another authority'] : []),
    ...(known.length > 0 ? ['a secret for the second time'] : []),
    ...world.marks.foreignIn(text, authority).map((owner) => `data of ${owner}`),
  ];
}
