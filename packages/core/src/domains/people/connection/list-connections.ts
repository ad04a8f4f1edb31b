/** `listConnections`: the programs that the calling account has connected. */
import { timeText } from '../../../contract/schema/time.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { CONNECTIONS_MAX } from '../../tenancy/credential/connection-limits.js';
import { type ConnectedCredential, liveConnections } from './connection-store.js';
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
