/**
 * The fetched keys of issuers, remembered for ten minutes, also if a later fetch fails. Bounded:
 * entries, keys, bytes, and how often an issuer is asked, whatever assertions name.
 */
import { createPublicKey } from 'node:crypto';
import * as v from 'valibot';
import { BoundedMap } from '../../../contract/bounded-map.js';
import { certain } from '../../../contract/certain.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { asciiUrl, isWebUrl } from '../../../contract/schema/web-url.js';
import type { AssertionTrust } from '../../../kernel/ports/assertions.js';
import type { DocumentFetcher } from '../../../kernel/ports/document-fetcher.js';
import { ISSUER_KEYS_MAX } from '../credential/federation-rule.js';
import { IssuerKey, type IssuerKeys } from './schema.js';

/**
 * Returns the keys as they are stored.
 *
 * @throws {AgentkeepError} `invalid_request` for a key that cannot be used.
 */
export function checkedKeys(keys: IssuerKeys): IssuerKeys {
  switch (keys.mode) {
    case 'discovery':
      return keys;
    case 'address':
      return { mode: 'address', jwks_uri: asciiUrl(keys.jwks_uri) };
    case 'inline': {
      const wrong = keys.keys.findIndex((key) => !canBeUsed(key));
      if (wrong < 0) return keys;
      const members = [{ path: `keys.keys[${wrong}]`, expected: 'a public key of its kind' }];
      throw new AgentkeepError('invalid_request', { members });
    }
  }
}

/** Least length of an RSA key in bits (RFC 7518, section 3.3). */
const RSA_BITS_MIN = 2_048;

/** Members of a JWK that are none of its numbers. */
const DESCRIPTIONS = ['kid', 'alg', 'use'];

/** Returns whether the numbers of a key are a key, without members of another kind. */
function canBeUsed(jwk: IssuerKey): boolean {
  try {
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    const own = [...Object.keys(key.export({ format: 'jwk' })), ...DESCRIPTIONS];
    if (Object.keys(jwk).some((name) => !own.includes(name))) return false;
    const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    return jwk.kty !== 'RSA' || modulusLength >= RSA_BITS_MIN;
  } catch {
    return false;
  }
}

/** How long fetched keys count. */
const KEYS_MS = 600_000;
/** How long nothing is fetched after a failure. */
const FAILURE_MS = 10_000;
/** How long nothing is fetched for the sake of an unknown key. */
const UNKNOWN_KEY_MS = 30_000;
/** The reason of a fetch that was not made, so that it says nothing about the issuer. */
const BUSY = 'busy';
const ISSUERS_MAX = 512;
const FETCH = { timeoutMs: 5_000, bytesMax: 65_536 };

/** Keys, or why there are none. */
type KeyAnswer = FoundKeys | NoKeys;

interface FoundKeys {
  readonly kind: 'keys';
  readonly keys: readonly (object & { readonly kid?: unknown })[];
}

interface NoKeys {
  readonly kind: 'unavailable';
  readonly reason: string;
}

interface Known {
  /** The last keys that a fetch brought, and when. */
  readonly found: { readonly answer: FoundKeys; readonly atMs: number } | undefined;
  /** The last fetch, if it brought none, and when. */
  readonly failure: { readonly answer: NoKeys; readonly atMs: number } | undefined;
}

/** The keys of all issuers of one process. */
export class IssuerKeyCache {
  readonly #fetcher: DocumentFetcher | undefined;
  readonly #known = new BoundedMap<string, Known>({ max: ISSUERS_MAX });
  readonly #fetching = new Map<string, Promise<KeyAnswer>>();

  constructor(fetcher: DocumentFetcher | undefined) {
    this.#fetcher = fetcher;
  }

  /**
   * Returns the keys of an issuer; fetches them if none are known, or if a key with the id of the
   * assertion is not among them.
   */
  async keysOf(trust: AssertionTrust, kid: string | undefined, nowMs: number): Promise<KeyAnswer> {
    const name = JSON.stringify([trust.tenantId, trust.name, trust.revision]);
    const counting = countingAnswer(this.#known.get(name), kid, nowMs);
    if (counting !== undefined) return counting;
    const fetching = this.#fetching.get(name) ?? this.#fetchOnce(name, trust, nowMs);
    return fetching;
  }

  async #fetchOnce(name: string, trust: AssertionTrust, nowMs: number): Promise<KeyAnswer> {
    const fetching = this.#fetched(trust);
    this.#fetching.set(name, fetching);
    try {
      const answer = await fetching;
      if (answer.kind === 'unavailable' && answer.reason === BUSY) return answer;
      const before = this.#known.get(name);
      this.#known.set(
        name,
        answer.kind === 'keys'
          ? { found: { answer, atMs: nowMs }, failure: undefined }
          : { found: before?.found, failure: { answer, atMs: nowMs } },
      );
      return answer;
    } finally {
      this.#fetching.delete(name);
    }
  }

  async #fetched(trust: AssertionTrust): Promise<KeyAnswer> {
    const { keys } = trust;
    if (keys.mode === 'address') return this.#keySet(trust, keys.jwks_uri);
    const issuer = certain(trust.issuer, 'issuer');
    const address = `${issuer.replace(/\/$/u, '')}/.well-known/openid-configuration`;
    const found = await this.#document(trust, address, Discovery);
    if (found.kind === 'unavailable') return found;
    const { issuer: stated, jwks_uri: keyAddress } = found.document;
    if (stated !== issuer || !isWebUrl(keyAddress)) return unavailable('discovery_differs');
    return this.#keySet(trust, keyAddress);
  }

  async #keySet(trust: AssertionTrust, url: string): Promise<KeyAnswer> {
    const found = await this.#document(trust, url, KeySet);
    if (found.kind === 'unavailable') return found;
    const keys = found.document.keys.slice(0, ISSUER_KEYS_MAX).flatMap((each) => {
      const key = v.safeParse(IssuerKey, knownMembers(each));
      return key.success && canBeUsed(key.output) ? [key.output] : [];
    });
    // An issuer that publishes nothing usable is in trouble; it has not taken its keys back.
    return keys.length === 0 ? unavailable('no_keys') : { kind: 'keys', keys };
  }

  async #document<S extends v.GenericSchema>(
    { tenantId }: AssertionTrust,
    url: string,
    schema: S,
  ): Promise<{ readonly kind: 'found'; readonly document: v.InferOutput<S> } | NoKeys> {
    if (this.#fetcher === undefined) return unavailable('no_fetcher');
    const answer = await this.#fetcher.fetch({ tenantId, url, ...FETCH });
    if (answer.kind === 'failed') return unavailable(answer.reason);
    const document = v.safeParse(schema, jsonOf(answer.body));
    if (!document.success) return unavailable('not_a_document');
    return { kind: 'found', document: document.output };
  }
}

/** Returns what counts for an assertion; `undefined` if keys have to be fetched. */
function countingAnswer(
  known: Known | undefined,
  kid: string | undefined,
  nowMs: number,
): KeyAnswer | undefined {
  const { found, failure } = known ?? {};
  const isKnown = found?.answer.keys.some((each) => kid === undefined || each.kid === kid) ?? false;
  if (isWithin(found, isKnown ? KEYS_MS : UNKNOWN_KEY_MS, nowMs)) return found?.answer;
  return isWithin(failure, FAILURE_MS, nowMs) ? failure?.answer : undefined;
}

function isWithin(
  fetched: { readonly atMs: number } | undefined,
  lifeMs: number,
  nowMs: number,
): boolean {
  // The clock may have stepped back.
  return fetched !== undefined && Math.abs(nowMs - fetched.atMs) < lifeMs;
}

const Discovery = v.object({ issuer: v.string(), jwks_uri: v.string() });
const KeySet = v.object({ keys: v.array(v.record(v.string(), v.unknown())) });
const MEMBERS = ['kty', 'n', 'e', 'crv', 'x', 'y', 'kid', 'alg', 'use'];

/** Keys of issuers have members that we don't need, as certificates. */
function knownMembers(key: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(key).filter(([name]) => MEMBERS.includes(name)));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unavailable(reason: string): NoKeys {
  return { kind: 'unavailable', reason };
}
