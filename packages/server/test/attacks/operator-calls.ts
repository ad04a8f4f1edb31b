/** Calls of the people who watch over an installation and its tenants. */
import { result } from '@agentkeep/contract-cases/answer';
import { callOf } from './every-call.js';
import type { People } from './people-calls.js';

/** Calls the operations that watch over an installation. */
export async function callAsOperator({ root, chief }: People): Promise<void> {
  const { policies } = result(await root.call('listRateLimits'));
  const id = policies[0]?.id;
  result(await root.call('getRateLimit', { id }));
  result(await root.call('updateRateLimit', { id, document: { max_requests: 1e8 } }));
  result(await root.call('deleteRateLimit', { id }));
  result(await root.call('createRateLimit', { document: callOf('createRateLimit').document }));
  for (const name of ['queryAuditLogs', 'queryAudit'] as const) {
    result(await chief.call(name, { parameters: { limit: 1_000 } }));
    result(await chief.call(name, { parameters: { limit: 1_000, username: 'nobody' } }));
  }
  result(await chief.call('verifyAuditChain', { parameters: {} }));
  result(await chief.call('listLockouts', { parameters: { limit: 1_000 } }));
  result(await chief.call('getLockout', { id: 'user-1' }));
  result(await chief.call('unlockAccount', { id: 'user-1' }));
  for (const name of ['getStats', 'listSnapshots', 'getHealth', 'jwks'] as const) {
    await root.call(name);
  }
}
