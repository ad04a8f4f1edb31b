/**
 * Changes to the parts of a request around its document, as data: proofs, parameters, methods,
 * versions.
 */
import type { Chooser } from './chooser.js';
import { isProofHeader, secretOf } from './caller.js';
import type { FuzzRequest, WireRequest } from './draft.js';
import type { World } from './world.js';

/** A change of an encoded request; `undefined` if it doesn't apply. */
export interface WireChange {
  readonly name: string;
  apply(request: FuzzRequest, chooser: Chooser, world: World): Partial<WireRequest> | undefined;
}

type Headers = WireRequest['headers'];

/** Returns the headers with other proofs instead of the current one. */
function proved({ wire }: FuzzRequest, ...proofs: Headers): Partial<WireRequest> {
  return { headers: [...proofs, ...wire.headers.filter(([name]) => !isProofHeader(name))] };
}

/** Returns a change of the secret in any kind of proof. */
function withSecret(
  name: string,
  change: (secret: string, chooser: Chooser) => string,
): WireChange {
  return {
    name,
    apply: (request, chooser) => {
      const [header, text] = request.draft.caller.proof[0] ?? [];
      const secret = secretOf(request.draft.caller);
      if (header === undefined || text === undefined || secret === undefined) return undefined;
      return proved(request, [header, text.replace(secret, () => change(secret, chooser))]);
    },
  };
}

/** Returns a change of the encoded query. */
function withQuery(name: string, change: (query: string, chooser: Chooser) => string): WireChange {
  return {
    name,
    apply: ({ wire }, chooser) => {
      const [path = '', query = ''] = wire.target.split('?', 2);
      const changed = change(query, chooser);
      return { target: changed === '' ? path : `${path}?${changed}` };
    },
  };
}

/** Returns a change of one query parameter. */
function withParameter(
  name: string,
  change: (pair: string, chooser: Chooser) => string,
): WireChange {
  return withQuery(name, (query, chooser) => {
    const pairs = query === '' ? ['contract_version=1'] : query.split('&');
    const index = chooser.below(pairs.length);
    return pairs.map((pair, at) => (at === index ? change(pair, chooser) : pair)).join('&');
  });
}

const VALUES = ['', '0', '-1', '+1', '1.0', '1e0', '01', ' 1', '9007199254740993', '1e400', 'null'];
const MORE_VALUES = [
  'true',
  '%00',
  '%ff',
  '%',
  '%zz',
  '%ed%a0%80',
  '٣',
  '[]',
  '2',
  'x'.repeat(9_000),
];

/** The changes. */
export const wireChanges: readonly WireChange[] = [
  { name: 'no proof', apply: (request) => proved(request) },
  {
    name: 'the proof of someone else',
    apply: (request, chooser, world) => proved(request, ...chooser.pick(world.callers).proof),
  },
  {
    name: 'a proof that no longer holds',
    apply: (request, chooser, world) =>
      world.deadSecrets.length === 0
        ? undefined
        : proved(request, ['Authorization', `Bearer ${chooser.pick(world.deadSecrets)}`]),
  },
  {
    name: 'two proofs',
    apply: (request, chooser, world) =>
      proved(request, ...request.draft.caller.proof, ...chooser.pick(world.callers).proof),
  },
  withSecret('a character of the secret', (secret, chooser) => {
    const at = chooser.below(secret.length);
    return `${secret.slice(0, at)}${chooser.pick(['A', 'b', '0', '_', '.'])}${secret.slice(at + 1)}`;
  }),
  withSecret('a secret in capitals', (secret) => secret.toUpperCase()),
  withSecret('a secret cut short', (secret, chooser) =>
    secret.slice(0, chooser.below(secret.length)),
  ),
  withSecret('a secret with more behind', (secret) => `${secret}x`),
  withSecret('a secret and a space', (secret) => ` ${secret}`),
  withSecret('an unsigned token', () => `${base64('{"alg":"none"}')}.${base64('{"sub":"x"}')}.`),
  withSecret('a huge secret', (secret) => secret.repeat(60)),
  {
    name: 'Basic authentication',
    apply: (request) => proved(request, ['Authorization', `Basic ${base64('root:root')}`]),
  },
  {
    name: 'a proof in the query',
    apply: (request) => {
      const secret = secretOf(request.draft.caller) ?? 'x';
      const { target } = request.wire;
      const query = `access_token=${encodeURIComponent(secret)}`;
      return { ...proved(request), target: `${target}${target.includes('?') ? '&' : '?'}${query}` };
    },
  },
  {
    name: 'another method',
    apply: ({ wire }, chooser) => ({
      method: chooser.pick(
        ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'PROPFIND', 'get'].filter(
          (method) => method !== wire.method,
        ),
      ),
    }),
  },
  withParameter('a parameter is missing', () => ''),
  withParameter('a parameter twice', (pair) => `${pair}&${pair}`),
  withParameter('a parameter without a value', (pair) => `${nameIn(pair)}=`),
  withParameter(
    'a parameter with another value',
    (pair, chooser) => `${nameIn(pair)}=${chooser.pick([...VALUES, ...MORE_VALUES])}`,
  ),
  withParameter(
    'a parameter with more in its value',
    (pair, chooser) => `${pair}${chooser.pick(MORE_VALUES)}`,
  ),
  withParameter('a parameter in capitals', (pair) => pair.toUpperCase()),
  withQuery('an unknown parameter', (query) => `${query}&unknown=1`),
  withQuery('the tenant as a parameter', (query) => `${query}&tenant_id=beta`),
  withQuery('a broken escape', (query) => `${query}&limit=%E0%A4%A`),
  withQuery('empty pairs', (query) => `&&${query}&&=&`),
];

function nameIn(pair: string): string {
  return pair.split('=', 1)[0] ?? '';
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64url');
}
