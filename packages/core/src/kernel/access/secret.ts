/**
 * Opaque secrets: a kind, one or two ids, and 32 random bytes, of which only a keyed digest is
 * stored (docs/contract/conventions.md#con-24). Parsing and the digest depend on the text alone,
 * so their results are remembered for texts that proved a caller, under the SHA-256 digest of the
 * text; stored verifiers and states are read and compared each time.
 *
 * Without what is remembered, the row `credential check, 1 caller` takes 41 % more processor time,
 * and `HTTP read by id, per CPU` 12 % more.
 */
import { timingSafeEqual } from 'node:crypto';
import { hmacSha256, type KeyedHmac, sha256Text } from '../../contract/digest.js';

/** Number of random bytes of a secret. */
export const SECRET_BYTES = 32;

/** Characters of a pin: 132 bits. */
const PIN_CHARS = 22;

/** The kind of a secret, which is also its prefix. */
type SecretKind = 'ak1' | 'akg1' | 'aki1' | 'akst1' | 'aksg1' | 'akr1';

/** Separates the digests of the kinds, so that a secret of one kind never verifies as another. */
const domains: Readonly<Record<SecretKind, string>> = {
  ak1: 'agentkeep tenant credential 1',
  akg1: 'agentkeep global credential 1',
  aki1: 'agentkeep invitation 1',
  akst1: 'agentkeep tenant session 1',
  aksg1: 'agentkeep global session 1',
  akr1: 'agentkeep refresh token 1',
};

const hmacs = Object.fromEntries(
  Object.entries(domains).map(([kind, domain]) => [kind, hmacSha256(domain)]),
) as Readonly<Record<SecretKind, KeyedHmac>>;

/** The parts of a well-formed secret. */
export interface Secret {
  readonly kind: SecretKind;
  /** Id of a credential, or of an account. */
  readonly id: string;
  /** Id of the session, for the kinds that have one. */
  readonly sessionId?: string | undefined;
  readonly bytes: Uint8Array;
}

// The last character carries two unused bits, which are zero in the canonical form.
const RANDOM = '([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])';
const ID = '([0-9a-f]{32})';
const OF_ONE_ID = new RegExp(`^(ak1|akg1|aki1)_${ID}_${RANDOM}$`);
const OF_SESSION = new RegExp(`^(akst1|aksg1|akr1)_${ID}_${ID}_${RANDOM}$`);

/** Returns the text of a secret, which is delivered once. */
export function formatSecret({ kind, id, sessionId, bytes }: Secret): string {
  const ids = sessionId === undefined ? [id] : [id, sessionId];
  const random = Buffer.from(bytes).toString('base64url');
  return [kind, ...ids.map((each) => each.replaceAll('-', '')), random].join('_');
}

/** Parses a secret in canonical form. Returns `undefined` for any other text. */
export function parseSecret(text: string): Secret | undefined {
  const [, kind, hex = '', random = ''] = OF_ONE_ID.exec(text) ?? [];
  if (kind === undefined) return parseSessionSecret(text);
  return { kind: kind as SecretKind, id: hyphenated(hex), bytes: bytesOf(random) };
}

function parseSessionSecret(text: string): Secret | undefined {
  const [, kind, account = '', session = '', random = ''] = OF_SESSION.exec(text) ?? [];
  if (kind === undefined) return undefined;
  return {
    kind: kind as SecretKind,
    id: hyphenated(account),
    sessionId: hyphenated(session),
    bytes: bytesOf(random),
  };
}

/** Returns the stored digest of a secret: a domain-separated HMAC-SHA-256 of its random bytes. */
export function verifierOf({ kind, bytes }: Pick<Secret, 'kind' | 'bytes'>): string {
  return hmacs[kind](bytes, 'base64url');
}

/**
 * Returns a text that names the secret of a verifier, for tokens that end with the secret. It gives
 * nothing away that a verifier could be found from.
 */
export function secretPin(verifier: string): string {
  return sha256Text(verifier, 'base64url').slice(0, PIN_CHARS);
}

/** Compares two verifiers in constant time. */
export function sameVerifier(one: string, other: string): boolean {
  const left = Buffer.from(one, 'latin1');
  const right = Buffer.from(other, 'latin1');
  return left.length === right.length && timingSafeEqual(left, right);
}

function bytesOf(random: string): Uint8Array {
  return Buffer.from(random, 'base64url');
}

function hyphenated(hex: string): string {
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

/** Entries of one generation of the memo. An entry takes about 400 bytes. */
const PROVED_SECRETS_MAX = 2_048;

type Parts = Pick<Secret, 'kind' | 'id' | 'sessionId'>;

/** The remembered result for a text that proved a caller. Holds no secret. */
interface Proved extends Parts {
  readonly verifier: string;
}

/** A well-formed secret that a caller presents. */
export interface PresentedSecret extends Parts {
  /** Returns whether a stored verifier is that of this secret; compares in constant time. */
  proves(verifier: string): boolean;
}

/**
 * Reads presented secrets, and remembers those that proved a caller. A text that proves nothing
 * displaces none. Two generations bound the memo: when the young one is full, entries that were not
 * used since the last time are forgotten.
 */
export class SecretReader {
  readonly #entriesMax: number;
  #young = new Map<string, Proved>();
  #old: ReadonlyMap<string, Proved> = new Map();

  constructor(entriesMax = PROVED_SECRETS_MAX) {
    this.#entriesMax = entriesMax;
  }

  /** Number of secrets that are remembered. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Reads a secret in canonical form. Returns `undefined` for any other text. */
  read(text: string): PresentedSecret | undefined {
    if (!text.startsWith('ak')) return undefined;
    const digest = sha256Text(text, 'base64url');
    const known = this.#young.get(digest) ?? this.#old.get(digest);
    if (known !== undefined) {
      if (!this.#young.has(digest)) this.#remember(digest, known);
      const { kind, id, sessionId, verifier } = known;
      return { kind, id, sessionId, proves: (stored) => sameVerifier(stored, verifier) };
    }
    const secret = parseSecret(text);
    if (secret === undefined) return undefined;
    const { kind, id, sessionId } = secret;
    const proves = (stored: string): boolean => {
      const verifier = verifierOf(secret);
      const isProved = sameVerifier(stored, verifier);
      if (isProved) this.#remember(digest, { kind, id, sessionId, verifier });
      return isProved;
    };
    return { kind, id, sessionId, proves };
  }

  #remember(digest: string, proved: Proved): void {
    if (this.#young.size >= this.#entriesMax) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(digest, proved);
  }
}
