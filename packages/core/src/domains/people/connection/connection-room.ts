/** Bounds the programs that an account has connected. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { CONNECTIONS_MAX } from '../../tenancy/credential/connection-limits.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { removeApproval } from './approval-store.js';
import {
  type ConnectionOwner,
  liveConnections,
  removeConnection,
  storedConnections,
} from './connection-store.js';

/**
 * Requires that the account may connect another program.
 *
 * @throws {AgentkeepError} `connection_limit` when it has as many as it may.
 */
export function requireConnectionRoom(tx: ReadTx, owner: ConnectionOwner, nowMs: number): void {
  if (liveConnections(tx, owner, nowMs).length < CONNECTIONS_MAX) return;
  throw new AgentkeepError('connection_limit');
}

/** Forgets the connections of an account that have ended. */
export function removeEndedConnections(tx: WriteTx, owner: ConnectionOwner, nowMs: number): void {
  const live = liveConnections(tx, owner, nowMs).map(({ connection }) => connection.credentialId);
  for (const connection of storedConnections(tx, owner)) {
    if (live.includes(connection.credentialId)) continue;
    removeApproval(tx, connection.grantId);
    removeConnection(tx, connection);
  }
}
