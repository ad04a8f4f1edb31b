/** Calls with keys by the library `dpop`, which is not ours. */
import * as dpop from 'dpop';

/** A key pair of a caller. */
export type Keys = dpop.KeyPair;

/** What an attacker changes of a proof. */
export interface Change {
  readonly htu?: string;
  readonly htm?: string;
  readonly nonce?: string | undefined;
  readonly token?: string;
  readonly keys?: Keys;
}

type Fetch = (url: string, init?: RequestInit) => Response | Promise<Response>;

const ORIGIN = 'http://localhost';

/** Makes a key pair. */
export function newKeys(alg: 'Ed25519' | 'ES256' = 'Ed25519'): Promise<Keys> {
  return dpop.generateKeyPair(alg, { extractable: true });
}

/** Returns the public key of a pair, with the members of its kind only. */
export async function publicKey({ publicKey: key }: Keys): Promise<Record<string, unknown>> {
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', key);
  return { kty, crv, x, ...(y === undefined ? {} : { y }) };
}

/** The holder of a key. */
export class KeyCaller {
  readonly #fetch: Fetch;
  readonly keys: Keys;
  readonly token: string;
  /** The nonce of the server, once it gave one. */
  nonce: string | undefined;

  constructor(fetch: Fetch, keys: Keys, token: string) {
    this.#fetch = fetch;
    this.keys = keys;
    this.token = token;
  }

  /** Makes a proof. */
  proof(method: string, path: string, change: Change = {}): Promise<string> {
    const { htu = ORIGIN + path, htm = method, token = this.token, keys = this.keys } = change;
    const nonce = 'nonce' in change ? change.nonce : this.nonce;
    return dpop.generateProof(keys, htu, htm, nonce, token);
  }

  /** Sends a request with a proof. */
  async send(path: string, proof: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('Authorization', `DPoP ${this.token}`);
    headers.set('DPoP', proof);
    return this.#fetch(ORIGIN + path, { ...init, headers });
  }

  /** Calls; signs once more if the server asks for its nonce. */
  async call(path: string, init: RequestInit = {}): Promise<Response> {
    const method = init.method ?? 'GET';
    const answer = await this.send(path, await this.proof(method, path), init);
    const nonce = answer.headers.get('dpop-nonce');
    if (nonce === null) return answer;
    this.nonce = nonce;
    return this.send(path, await this.proof(method, path), init);
  }
}
