/** Ends connections: the credential of the program is revoked, and its codes and tokens go. */
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import { credentialChanged } from '../../tenancy/credential/credential-event.js';
import { updateCredential } from '../../tenancy/credential/credential-store.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { removeApproval, removeApprovalsOf } from './approval-store.js';
import {
  type ConnectedCredential,
  type ConnectionOwner,
  liveConnections,
  removeConnection,
} from './connection-store.js';

/** Who ends a connection, and when. */
interface Ending {
  /** Id of the acting credential, or of the account. */
  readonly actorId: string;
  readonly nowMs: number;
}

/** Ends a live connection. Returns its event. */
export function endConnectionState(
  tx: WriteTx,
  { connection, credential }: ConnectedCredential,
  { actorId, nowMs }: Ending,
): EventSubject {
  const revision = credential.revision + 1;
  const event = { revision, action: 'revoked', actor_id: actorId, at_millis: nowMs } as const;
  updateCredential(tx, { ...credential, revision, revokedAtMillis: nowMs }, event);
  removeApproval(tx, connection.grantId);
  removeConnection(tx, connection);
  return credentialChanged(credential, 'revoked');
}

/**
 * Ends the live connections of an account, and its approvals that no program has redeemed. Returns
 * the events of the connections.
 */
export function endConnectionsOf(
  tx: WriteTx,
  owner: ConnectionOwner,
  ending: Ending,
): EventSubject[] {
  removeApprovalsOf(tx, { authority: owner.tenantId, accountId: owner.accountId });
  const live = liveConnections(tx, owner, ending.nowMs);
  return live.map((connected) => endConnectionState(tx, connected, ending));
}
