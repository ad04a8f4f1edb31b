/**
 * Cursors of directory lists: opaque, deterministic, bound to one list of one tenant, and without
 * authority of their own. The form is a digest over list, tenant and position, then the position,
 * in canonical unpadded base64url.
 *
 * Cursors that only the store can make or read: encrypted and authenticated, and bound to one use.
 * Each cursor has a key of its own, from random bytes that it begins with, so two cursors of one
 * content cannot be compared.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { hmacSha256, type KeyedHmac, sha256 } from '../../contract/digest.js';
import { AgentkeepError, type RefusedMember } from '../../contract/errors/agentkeep-error.js';
import type { Entropy } from '../ports/entropy.js';

const DIGEST_BYTES = 16;

/** What a list expects of a cursor that it refuses. */
export const staleCursor: RefusedMember = {
  path: 'cursor',
  expected: 'the cursor of an earlier page of this list',
};

/** The list that a cursor belongs to. */
export interface ListIdentity {
  readonly list: string;
  readonly tenantId: string;
}

/** Returns the cursor that continues after a position. */
export function encodeCursor(identity: ListIdentity, position: string): string {
  return encodeCursorBytes(identity, Buffer.from(position, 'utf8'));
}

/** Returns the cursor that continues after a position in bytes. */
export function encodeCursorBytes(identity: ListIdentity, position: Buffer): string {
  return Buffer.concat([digestOf(identity, position), position]).toString('base64url');
}

/**
 * Returns the position in a cursor.
 *
 * @throws {AgentkeepError} `invalid_request` when it is malformed or of another list or tenant.
 */
export function decodeCursor(identity: ListIdentity, cursor: string): string {
  return decodeCursorBytes(identity, cursor).toString('utf8');
}

/**
 * Returns the bytes of the position in a cursor.
 *
 * @throws {AgentkeepError} `invalid_request` when it is malformed or of another list or tenant.
 */
export function decodeCursorBytes(identity: ListIdentity, cursor: string): Buffer {
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.subarray(DIGEST_BYTES);
  const canonical = position.length > 0 && bytes.toString('base64url') === cursor;
  if (!canonical || !digestOf(identity, position).equals(bytes.subarray(0, DIGEST_BYTES))) {
    throw new AgentkeepError('invalid_request', { members: [staleCursor] });
  }
  return position;
}

function digestOf({ list, tenantId }: ListIdentity, position: Uint8Array): Buffer {
  const bound = JSON.stringify(['agentkeep cursor 1', list, tenantId]);
  const digest = sha256(Buffer.concat([Buffer.from(bound), position]));
  return Buffer.from(digest.buffer, digest.byteOffset, DIGEST_BYTES);
}

const RANDOM_BYTES = 16;
const TAG_BYTES = 16;
/** Each key encrypts one content only. */
const NONCE = Buffer.alloc(12);

/** Makes and reads the cursors of one use, in one tenant. */
export class SealedCursors {
  readonly #mac: KeyedHmac;
  readonly #bound: Uint8Array;
  readonly #entropy: Entropy;

  constructor(
    secret: Uint8Array,
    { use, tenantId }: { readonly use: string; readonly tenantId: string },
    entropy: Entropy,
  ) {
    this.#mac = hmacSha256(secret);
    this.#bound = Buffer.from(JSON.stringify([use, tenantId]), 'utf8');
    this.#entropy = entropy;
  }

  /** Returns a cursor of a content. */
  seal(content: Uint8Array): string {
    const random = this.#entropy.bytes(RANDOM_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(random), NONCE);
    const sealed = [random, cipher.update(content), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(sealed).toString('base64url');
  }

  /**
   * Returns the content of a cursor; `refused` is the member that an error names.
   *
   * @throws {AgentkeepError} `invalid_request` when it is altered, or of another use, tenant or
   * store.
   */
  open(cursor: string, refused: RefusedMember): Uint8Array {
    const bytes = Buffer.from(cursor, 'base64url');
    const contentEnd = bytes.length - TAG_BYTES;
    const isWhole = contentEnd > RANDOM_BYTES && bytes.toString('base64url') === cursor;
    if (!isWhole) throw foreign(refused);
    const options = { authTagLength: TAG_BYTES };
    const key = this.#keyOf(bytes.subarray(0, RANDOM_BYTES));
    const cipher = createDecipheriv('aes-256-gcm', key, NONCE, options);
    cipher.setAuthTag(bytes.subarray(contentEnd));
    try {
      const content = cipher.update(bytes.subarray(RANDOM_BYTES, contentEnd));
      return Buffer.concat([content, cipher.final()]);
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
