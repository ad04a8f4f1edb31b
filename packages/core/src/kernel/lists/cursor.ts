/**
 * Cursors of directory lists: opaque, deterministic, bound to one list of one tenant, and without
 * authority of their own. The form is a digest over list, tenant and position, then the position,
 * in canonical unpadded base64url.
 */
import { sha256Stream } from '../../contract/digest.js';
import { AgentkeepError, type RefusedMember } from '../../contract/errors/agentkeep-error.js';

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
  const digest = sha256Stream().update(bound).update(position).digest();
  return Buffer.from(digest.buffer, digest.byteOffset, DIGEST_BYTES);
}
