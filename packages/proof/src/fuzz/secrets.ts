/**
 * Secrets in answers: which operations may give some, and whom they belong to.
 * @module
 */
import type { World } from './world.js';

/** Every secret that the service makes, wherever it stands. */
const SECRETS =
  /\bak(?:g?1_[0-9a-f]{32}_[\w-]{43}|s[tg]1_[0-9a-f]{32}_[0-9a-f]{32}_[\w-]{43}|r1_[\w-]{20,}|_live_[0-9A-Za-z]{38})|\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;

/** The operations that give a secret, once. */
const GIVERS = new Set([
  'issueCredential',
  'rotateCredential',
  'registerTenant',
  'issueTenantAdmin',
  'issueGlobalCredential',
  'rotateGlobalCredential',
  'loginTenant',
  'loginGlobal',
  'authLogin',
  'authRefresh',
  'createApiKey',
  'createApiKeyAlias',
]);

/** All secrets in a text. */
export function secretsIn(text: string): string[] {
  return text.match(SECRETS) ?? [];
}

/** What is wrong with the secrets and marks in an answer to a caller of an authority. */
export function leaksIn(
  world: World,
  { operationId, authority, text }: { operationId: string; authority: string; text: string },
): string[] {
  const secrets = secretsIn(text);
  const known = secrets.filter((secret) => world.owners.has(secret));
  const foreign = known.filter((secret) => world.owners.get(secret) !== authority);
  return [
    ...(secrets.length > 0 && !GIVERS.has(operationId)
      ? ['a secret outside of its one answer']
      : []),
    ...(foreign.length > 0 ? ['a secret of another authority'] : []),
    ...(known.length > 0 ? ['a secret for the second time'] : []),
    ...world.marks.foreignIn(text, authority).map((owner) => `data of ${owner}`),
  ];
}
