/** The operations that list and end the own connections. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId } from '../../../contract/example-values.js';
import { timeText } from '../../../contract/schema/time.js';
import { uuid } from '../../../contract/schema/uuid.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import { succeeded, SuccessResponse } from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { CONNECTIONS_MAX } from '../../tenancy/credential/connected-program.js';
import { credentialChanged } from '../../tenancy/credential/credential-event.js';
import { updateCredential } from '../../tenancy/credential/credential-store.js';
import { removeApproval, removeApprovalsOf } from './approval-store.js';
import {
  type ConnectedCredential,
  type ConnectionOwner,
  liveConnections,
  removeConnection,
} from './connection-store.js';
import { type Connection, ConnectionList } from './schema.js';

/** Only those that are live, the newest first. */
export const listConnections = defineAccountOperation({
  name: 'listConnections',
  summary: 'List the programs that the calling account has connected.',
  example: {},
  command: {
    name: 'connections list',
    columns: ['id', 'client_name', 'client_host', 'access', 'expires_at'],
  },
  tag: 'Connections',
  effect: 'read',
  input: {},
  output: ConnectionList,
  requires: { party: 'account' },
  checks: accountChecks,
  handler: ({ runtime, principal, authority, nowMs }) =>
    runtime.store.read((tx) => {
      const owner = { tenantId: authority, accountId: principal.id };
      const live = liveConnections(tx, owner, nowMs).slice(0, CONNECTIONS_MAX);
      return { connections: live.flatMap(showConnection) };
    }),
});

function showConnection({ connection, credential }: ConnectedCredential): Connection[] {
  const { id, spec, program } = credential;
  if (program === null || spec.expires_at_millis === null) return [];
  const { client_id, client_name, client_host, access } = program;
  return [
    {
      ...{ id, client_id, client_name, client_host, access },
      grants: spec.grants,
      created_at: timeText(connection.createdAtMillis),
      expires_at: timeText(spec.expires_at_millis),
    },
  ];
}

/** A connection of another account gives the same error as an unknown one. */
export const endConnection = defineAccountOperation({
  name: 'endConnection',
  summary: 'End what a program may do for the calling account.',
  example: { id: exampleId },
  command: { name: 'connections end' },
  tag: 'Connections',
  input: { id: uuid() },
  whenFull: 'served',
  output: SuccessResponse,
  requires: { party: 'account' },
  checks: accountChecks,
  errors: ['target_not_found'],
  handler: (request) =>
    request.runtime.store.transact((tx) => {
      const { authority: tenantId, input, nowMs } = request;
      const { id: accountId, credential: acting } = request.confirm(tx);
      const live = liveConnections(tx, { tenantId, accountId }, nowMs);
      const connected = live.find(({ credential: { id } }) => id === input.id);
      if (connected === undefined) throw new AgentkeepError('target_not_found');
      const ending = { actorId: acting?.id ?? accountId, nowMs };
      request.record(tx, endConnectionState(tx, connected, ending));
      return succeeded('The program can no longer act for the account.');
    }),
});

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
