/**
 * Cursors of the change feed: positions of one tenant, encrypted and authenticated, so that nobody
 * learns from them how much others change, and nobody can make one. Each cursor has a key of its
 * own, from random bytes that it begins with, so two cursors of one position cannot be compared.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { hmacSha256, type KeyedHmac } from '../../contract/digest.js';
import { AgentkeepError, type RefusedMember } from '../../contract/errors/agentkeep-error.js';
import type { Entropy } from '../../runtime/ports/entropy.js';
import type { Runtime } from '../../runtime/services/runtime.js';
import { POSITION_BYTES } from '../../storage/store/position.js';

const RANDOM_BYTES = 16;
const TAG_BYTES = 16;
const CURSOR_BYTES = RANDOM_BYTES + POSITION_BYTES + TAG_BYTES;
/** Each key encrypts one position only. */
const NONCE = Buffer.alloc(12);

/** What is expected of a cursor that is refused. */
const AFTER: RefusedMember = { path: 'after', expected: 'a cursor of this feed, or latest' };

/** Returns the cursors of a tenant. */
export async function cursorsOf(
  { changeFeed, entropy }: Pick<Runtime, 'changeFeed' | 'entropy'>,
  tenantId: string,
): Promise<ChangeCursors> {
  return new ChangeCursors(await changeFeed.cursorSecret(), tenantId, entropy);
}

/** Makes and reads the cursors of one tenant. */
export class ChangeCursors {
  readonly #mac: KeyedHmac;
  readonly #bound: Uint8Array;
  readonly #entropy: Entropy;

  constructor(secret: Uint8Array, tenantId: string, entropy: Entropy) {
    this.#mac = hmacSha256(secret);
    this.#bound = Buffer.from(JSON.stringify(['agentkeep change cursor 1', tenantId]), 'utf8');
    this.#entropy = entropy;
  }

  /** Returns a cursor of a position. */
  seal(position: Uint8Array): string {
    const random = this.#entropy.bytes(RANDOM_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(random), NONCE);
    const sealed = [random, cipher.update(position), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(sealed).toString('base64url');
  }

  /**
   * Returns the position of a cursor; `refused` is the member that an error names.
   *
   * @throws {AgentkeepError} `invalid_request` when it is altered, or of another tenant or store.
   */
  open(cursor: string, refused: RefusedMember = AFTER): Uint8Array {
    const bytes = Buffer.from(cursor, 'base64url');
    const isWhole = bytes.length === CURSOR_BYTES && bytes.toString('base64url') === cursor;
    if (!isWhole) throw foreign(refused);
    const options = { authTagLength: TAG_BYTES };
    const key = this.#keyOf(bytes.subarray(0, RANDOM_BYTES));
    const cipher = createDecipheriv('aes-256-gcm', key, NONCE, options);
    cipher.setAuthTag(bytes.subarray(CURSOR_BYTES - TAG_BYTES));
    try {
      const position = cipher.update(bytes.subarray(RANDOM_BYTES, CURSOR_BYTES - TAG_BYTES));
      return Buffer.concat([position, cipher.final()]);
    } catch {
      throw foreign(refused);
    }
  }

  #keyOf(random: Uint8Array): Buffer {
    const digest = this.#mac(Buffer.concat([random, this.#bound]), 'base64url');
    return Buffer.from(digest, 'base64url');
  }
}

function foreign(member: RefusedMember): AgentkeepError {
  return new AgentkeepError('invalid_request', { members: [member] });
}
