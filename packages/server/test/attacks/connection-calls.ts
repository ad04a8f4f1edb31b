/** Calls on connections for tests of bounds. */
import { formatGrantSecret } from '@agentkeep/core/operator';
import { result } from '@agentkeep/contract-cases/answer';
import { scope } from '@agentkeep/contract-cases/documents';
import type { Fixture } from '@agentkeep/contract-cases/fixture';
import { PASSWORD, type Party } from '@agentkeep/contract-cases/user-fixture';

/** Connects the most programs that an account can have, and ends one. */
export async function callOnConnections(
  t: Fixture,
  login: (username: string) => Promise<Party>,
): Promise<void> {
  const { credential } = await t.agent({ subject_id: 'cleo' });
  const document = { username: 'cleo', password: PASSWORD, credential_id: credential.id };
  result(await t.admin.call('createUser', { document, parameters: {} }));
  const cleo = await login('cleo');
  const { grants } = t.keep;
  const origin = { path: '/', ipAddress: null, userAgent: null, endpointType: null };
  const call = { origin, requestId: undefined, traceId: undefined };
  const program = { client_id: 'notes', client_name: null, client_host: 'notes.test' };
  const grant = { mission_id: null, ...scope };
  const wish = { ...program, access: ['read'], grants: [grant], expires_in_days: 1 };
  for (let left = 64; left > 0; left -= 1) {
    const { approval_id: grantId } = result(
      await cleo.call('approveConnection', { document: wish }),
    );
    for (let turn = 0; turn < 20; turn += 1) {
      if (turn > 0 && left > 1) break;
      const token = formatGrantSecret('RefreshToken', grantId, String(turn));
      await grants.put('RefreshToken', token, { payload: {}, lifeSecs: 60, turn }, call);
    }
  }
  const { connections } = result(await cleo.call('listConnections'));
  result(await cleo.call('endConnection', { id: connections[0]?.id }));
  const incident = { user_id: cleo.id, reason: 'security_incident' };
  result(await t.admin.call('revokeAllTokens', { parameters: {}, document: incident }));
}
