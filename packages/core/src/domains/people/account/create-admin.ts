/**
 * Creates the first administrator of an authority: a local operator command
 * (docs/contract/users.md#usr-46).
 */
import { tenantIdOf } from '../../../kernel/access/authority.js';
import type { AdminRole } from '../../../kernel/access/role.js';
import { operatorEvent } from '../../../kernel/installation/operator-events.js';
import { isLive } from '../../tenancy/credential/credential-policy.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { requireStrongPassword } from '../password/require-strong-password.js';
import { refusal } from '../../../kernel/input/input.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import { isUuid } from '../../../contract/schema/uuid.js';
import { isTextId, TEXT_RULE } from '../../../contract/schema/text.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { findTenant } from '../../tenancy/tenant/tenant-store.js';
import { findBindable } from './account-principal.js';
import { findAccountByName } from './account-store.js';
import { accountCreated, type AccountDraft, storeNewAccount } from './new-account.js';
import { isEmail, type LoginAccount } from './schema.js';
import { showLoginAccount } from './show-account.js';
import { normalUsername, USERNAME_RULE, usernameOf } from './username.js';

/** The administrator to create. */
export interface NewAdmin {
  readonly username: string;
  readonly password: string;
  /** Absent for an administrator of the installation. */
  readonly tenantId?: string | undefined;
  readonly email?: string | undefined;
  /** Default: `SuperAdmin`. */
  readonly role?: AdminRole | undefined;
  /** The credential of the same tenant to act with on the platform. Default: none. */
  readonly credentialId?: string | undefined;
}

/**
 * Creates an account with a role that carries rights.
 *
 * @throws {AgentkeepError} `invalid_request` for invalid members and for a credential that is
 * unknown, dead or foreign; `weak_password`; `tenant_not_found`; `already_exists` when the username
 * or e-mail address is taken. Nothing is stored then.
 */
export async function createAdmin(runtime: Runtime, sent: NewAdmin): Promise<LoginAccount> {
  refuseBroken(sent);
  const admin = { ...sent, username: normalUsername(sent.username) };
  const { username, password, role = 'SuperAdmin', tenantId = INSTALLATION } = admin;
  const nowMs = runtime.clock.now();
  await runtime.store.read((tx) => {
    refuseUnfit(tx, admin, nowMs);
  });
  // After the look-up, so that a taken name is reported before a weak password.
  requireStrongPassword(password);
  const draft: AccountDraft = {
    id: runtime.newId(),
    authority: tenantId,
    username,
    passwordHash: await runtime.passwords.hash(password, {
      authority: tenantId,
      purpose: 'change',
    }),
    email: admin.email ?? null,
    roles: [role],
    credentialId: admin.credentialId?.toLowerCase() ?? null,
    nowMs,
  };
  const event = operatorEvent(runtime, tenantIdOf(tenantId), accountCreated(draft));
  return runtime.store.transact((tx) => {
    refuseUnfit(tx, admin, nowMs);
    const account = storeNewAccount(tx, draft);
    runtime.audit.changed(tx, event);
    return showLoginAccount(tx, account);
  });
}

function refuseBroken({ username, tenantId, email, credentialId }: NewAdmin): void {
  const broken = [
    ...(usernameOf(username) === undefined ? [{ path: 'username', expected: USERNAME_RULE }] : []),
    ...(tenantId === undefined || isTextId(tenantId)
      ? []
      : [{ path: 'tenantId', expected: TEXT_RULE }]),
    ...(email === undefined || isEmail(email)
      ? []
      : [{ path: 'email', expected: 'an e-mail address' }]),
    ...(credentialId === undefined || isUuid(credentialId)
      ? []
      : [{ path: 'credentialId', expected: 'a UUID with hyphens' }]),
  ];
  if (broken.length > 0) throw refusal(broken);
}

/** Checked before the slow hashing and again in the transaction. */
function refuseUnfit(
  tx: ReadTx,
  { username, tenantId, credentialId }: NewAdmin,
  nowMs: number,
): void {
  if (tenantId !== undefined && findTenant(tx, tenantId) === undefined) {
    throw new AgentkeepError('tenant_not_found');
  }
  const authority = tenantId ?? INSTALLATION;
  if (findAccountByName(tx, authority, username) !== undefined) {
    throw new AgentkeepError('already_exists');
  }
  if (credentialId === undefined) return;
  const credential = findBindable(tx, authority, credentialId.toLowerCase());
  if (credential === undefined || !isLive(credential, nowMs)) {
    const expected = 'a live credential of the same authority';
    throw refusal([{ path: 'credentialId', expected }]);
  }
}
