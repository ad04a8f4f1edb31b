/** Calls of the master of an installation. */
import type { OperationName } from '@agentkeep/core';
import type { Parts } from '@agentkeep/contract-cases/answer';
import type { Fixture } from '@agentkeep/contract-cases/fixture';
import type { Transport } from '@agentkeep/contract-cases/transport';
import { OTHER_PASSWORD, PASSWORD } from '@agentkeep/contract-cases/user-fixture';
import { callOf, everyName } from './every-call.js';

const version = { contract_version: 1 };

/** Operations after which others can't be called. */
const isLast = (name: OperationName): boolean =>
  ['authLogout', 'logout', 'eraseTenant'].includes(name);

/** Sends a call with the secret of the master. */
type CallAsMaster = (name: OperationName, parts: Parts) => ReturnType<Transport>;

/** Calls the operations of the master, but for the end of a tenant. */
export async function callAsMaster(t: Fixture): Promise<CallAsMaster> {
  const master = await t.master();
  const delegate = await master.delegate(['tenant_inspect']);
  const revision = { ...version, expected_revision: 1 };
  const at = { id: delegate.id, document: revision };
  const call: CallAsMaster = (name, parts) => t.transport(name, master.token, parts);
  for (const name of everyName.filter((each) => !isLast(each))) await call(name, callOf(name));
  const account = { ...version, username: 'gloria', password: PASSWORD, credential_id: master.id };
  await call('inspectGlobalCredential', { id: delegate.id });
  await call('rotateGlobalCredential', at);
  await call('revokeGlobalCredential', { ...at, document: { ...revision, expected_revision: 2 } });
  const made = await call('createGlobalLoginAccount', { document: account });
  const { account: { id } = { id: '' } } = made.body as { account?: { id: string } };
  await call('inspectGlobalLoginAccount', { id });
  const password = { ...revision, password: OTHER_PASSWORD };
  await call('changePasswordGlobalLoginAccount', { id, document: password });
  const login = { ...version, username: 'gloria', password: OTHER_PASSWORD };
  await call('loginGlobal', { document: login });
  await call('disableGlobalLoginAccount', { id, document: { ...revision, expected_revision: 2 } });
  await call('logout', {});
  return call;
}

/** Erases the tenant, and asks how far that is. */
export async function eraseTenant(call: CallAsMaster): Promise<void> {
  const { body } = await call('eraseTenant', callOf('eraseTenant'));
  const { erasure } = body as { readonly erasure: { readonly id: string } };
  await call('getTenantErasure', { id: erasure.id });
  await call('listTenantErasures', callOf('listTenantErasures'));
}
