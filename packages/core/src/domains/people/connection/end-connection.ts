/** `endConnection`: ends what a program may do for the calling account. */
import { exampleId } from '../../../contract/example-values.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { succeeded, SuccessResponse } from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { liveConnections } from './connection-store.js';
import { endConnectionState } from './end-connection-state.js';

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
