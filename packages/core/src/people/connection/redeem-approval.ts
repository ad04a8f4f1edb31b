/** A refresh token of an approval: with the first one the program gets its credential. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { EventSubject } from '../../runtime/audit/call-events.js';
import { credentialChanged } from '../../identity/credential/credential-event.js';
import { findCredential, insertCredential } from '../../identity/credential/credential-store.js';
import { newCredentialState } from '../../identity/credential/new-credential.js';
import type { WriteTx } from '../../storage/store/store.js';
import { findAccount } from '../account/account-store.js';
import { type Approval, findApproval, putApproval } from './approval-store.js';
import { accountAuthority, findLiveProgram } from './authenticate-connection.js';
import { removeEndedConnections, requireConnectionRoom } from './connection-room.js';
import { findConnection, putConnection, type StoredConnection } from './connection-store.js';
import {
  findGrantEntry,
  type GrantEntry,
  grantEntryDigest,
  putGrantEntry,
  removeGrantEntry,
} from './grant-entry-store.js';

/** Used refresh tokens that are remembered, so that a second use ends the connection. */
const USED_TOKENS_MAX = 16;

/** Begins the verifier of a credential of a program. No digest of a secret has a colon. */
const PROGRAM = 'oauth:';

/** A refresh token to store. */
interface NewToken {
  readonly grantId: string;
  readonly digest: Uint8Array;
  readonly entry: GrantEntry;
  readonly nowMs: number;
}

/**
 * Stores a refresh token of an approval, in one commit with the credential of the program if it is
 * the first one. Returns the event of a new credential.
 *
 * @throws {AgentkeepError} `unauthorized` when the approval, the connection or the account ended;
 * `connection_limit`.
 */
export function storeRefreshToken(tx: WriteTx, token: NewToken): EventSubject | undefined {
  const { grantId, nowMs } = token;
  const approval = findApproval(tx, grantId, nowMs);
  if (approval === undefined) throw new AgentkeepError('unauthorized');
  const { tenantId, credentialId, program } = approval;
  const owner = { tenantId, accountId: program.account_id };
  const known = findConnection(tx, owner, credentialId);
  if (known !== undefined) {
    if (findLiveProgram(tx, approval, nowMs) === undefined)
      throw new AgentkeepError('unauthorized');
    addToken(tx, known, token, approval);
    return undefined;
  }
  // A connection that was ended is removed, and its credential stays.
  if (findCredential(tx, tenantId, credentialId) !== undefined) {
    throw new AgentkeepError('unauthorized');
  }
  return connect(tx, approval, token);
}

function connect(tx: WriteTx, approval: Approval, token: NewToken): EventSubject {
  const { tenantId, credentialId: id, spec, program } = approval;
  const { grantId, nowMs } = token;
  const { account_id: accountId } = program;
  const ofAccount = accountAuthority(tx, tenantId, accountId, nowMs);
  const account = findAccount(tx, tenantId, accountId);
  if (ofAccount === undefined || account === undefined || nowMs >= spec.expires_at_millis) {
    throw new AgentkeepError('unauthorized');
  }
  removeEndedConnections(tx, { tenantId, accountId }, nowMs);
  requireConnectionRoom(tx, { tenantId, accountId }, nowMs);
  const { credential, event } = newCredentialState(
    { id, tenantId, spec, verifier: PROGRAM + id, program },
    { action: 'issued', actorId: ofAccount.id, nowMs },
  );
  insertCredential(tx, credential, event);
  const connection = { tenantId, accountId, credentialId: id, grantId, createdAtMillis: nowMs };
  addToken(tx, { ...connection, tokens: [] }, token, approval);
  keepGrant(tx, grantId, approval, nowMs);
  const actor = { tenantId, userId: accountId, username: account.username };
  return { ...credentialChanged(credential, 'issued'), actor };
}

/** The approval and the grant of the authorization server live as long as the credential. */
function keepGrant(tx: WriteTx, grantId: string, approval: Approval, nowMs: number): void {
  const { expires_at_millis: expiresAtMillis } = approval.spec;
  const digest = grantEntryDigest('Grant', grantId);
  const grant = findGrantEntry(tx, digest, nowMs);
  if (grant !== undefined) putGrantEntry(tx, digest, { ...grant, expiresAtMillis });
  putApproval(tx, grantId, approval, expiresAtMillis);
}

function addToken(
  tx: WriteTx,
  connection: StoredConnection,
  { digest, entry }: NewToken,
  { spec }: Approval,
): void {
  const expiresAtMillis = Math.min(entry.expiresAtMillis, spec.expires_at_millis);
  putGrantEntry(tx, digest, { ...entry, expiresAtMillis });
  const tokens = [...connection.tokens, Buffer.from(digest).toString('base64url')];
  const forgotten = tokens.splice(0, Math.max(0, tokens.length - USED_TOKENS_MAX - 1));
  for (const each of forgotten) removeGrantEntry(tx, Buffer.from(each, 'base64url'));
  putConnection(tx, { ...connection, tokens });
}
