/** A refresh token of an approval: with the first one the program gets its credential. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { JsonValue } from '../../../contract/schema/json-value.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import { credentialChanged } from '../../tenancy/credential/credential-event.js';
import { findCredential, insertCredential } from '../../tenancy/credential/credential-store.js';
import { acceptsKeysOnly } from '../../tenancy/credential/require-secrets.js';
import { newCredentialState } from '../../tenancy/credential/new-credential.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { findAccount } from '../account/account-store.js';
import { type Approval, findApproval, settleApproval } from './approval-store.js';
import { accountAuthority, findLiveProgram } from './authenticate-connection.js';
import { removeEndedConnections, requireConnectionRoom } from './approve-connection.js';
import { findConnection, putConnection } from './connection-store.js';
import type { GrantSecret } from './grant-secret.js';

/** Begins the verifier of a credential of a program. No digest of a secret has a colon. */
const PROGRAM = 'oauth:';

/** A refresh token to store. */
interface NewToken extends GrantSecret {
  /**
   * 0 for the first token of an approval; else one more than that of the token that it replaces.
   */
  readonly turn: number;
  readonly payload: JsonValue;
  readonly endsAtMillis: number;
  readonly nowMs: number;
}

/**
 * Stores a refresh token of an approval, in one commit with the credential of the program if it is
 * the first one. Returns the event of a new credential. The code or the token before is used up by
 * this commit and by nothing else, so a refusal leaves it good.
 *
 * @throws {AgentkeepError} `unauthorized` when the approval, the connection or the account ended,
 * or another call used the code or the token before; `connection_limit`.
 */
export function storeRefreshToken(tx: WriteTx, token: NewToken): EventSubject | undefined {
  const { grantId, nowMs } = token;
  const approval = findApproval(tx, grantId, nowMs);
  if (approval === undefined) throw new AgentkeepError('unauthorized');
  if (token.turn === 0) return connect(tx, approval, token);
  renew(tx, approval, token);
  return undefined;
}

function renew(tx: WriteTx, approval: Approval, token: NewToken): void {
  const { tenantId, credentialId, program } = approval;
  const owner = { tenantId, accountId: program.account_id };
  const known = findConnection(tx, owner, credentialId);
  const isNext = known !== undefined && token.turn === known.turn + 1;
  if (!isNext || findLiveProgram(tx, approval, token.nowMs) === undefined) {
    throw new AgentkeepError('unauthorized');
  }
  putConnection(tx, { ...known, ...tokenMembers(token, approval) });
}

function connect(tx: WriteTx, approval: Approval, token: NewToken): EventSubject {
  const { tenantId, credentialId: id, spec, program, code } = approval;
  const { grantId, nowMs } = token;
  const { account_id: accountId } = program;
  // The credential of a connection that has ended stays.
  const isRedeemed = findCredential(tx, tenantId, id) !== undefined;
  const isUsed = code !== null && code.usedAtMillis !== null;
  const ofAccount = accountAuthority(tx, tenantId, accountId, nowMs);
  const account = findAccount(tx, tenantId, accountId);
  const isOpen = nowMs < spec.expires_at_millis && !acceptsKeysOnly(tx, tenantId);
  if (isRedeemed || isUsed || ofAccount === undefined || account === undefined || !isOpen) {
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
  putConnection(tx, { ...connection, ...tokenMembers(token, approval) });
  const used = code && { ...code, usedAtMillis: nowMs };
  settleApproval(tx, grantId, { ...approval, code: used }, nowMs);
  const actor = { tenantId, userId: accountId, username: account.username };
  return { ...credentialChanged(credential, 'issued'), actor };
}

function tokenMembers({ turn, digest, payload, endsAtMillis }: NewToken, { spec }: Approval) {
  return {
    turn,
    tokenDigest: digest,
    tokenPayload: payload,
    tokenEndsAtMillis: Math.min(endsAtMillis, spec.expires_at_millis),
  };
}
