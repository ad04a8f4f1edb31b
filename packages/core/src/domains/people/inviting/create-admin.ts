/**
 * Creates the first administrator of an authority: a local operator command
 * (docs/contract/users.md#usr-46).
 */
import { passwords } from '../../../kernel/ports/counted-hasher.js';
import { tenantIdOf } from '../../../kernel/access/principal.js';
import type { AdminRole } from '../../../kernel/access/capability.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
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
import { findBindable } from '../account/account-principal.js';
import { findAccountByName } from '../account/account-store.js';
import { accountCreated, type AccountDraft, storeNewAccount } from '../account/new-account.js';
import { isEmail, type LoginAccount } from '../account/schema.js';
import { showLoginAccount } from '../account/show-account.js';
import { normalUsername, USERNAME_RULE, usernameOf } from '../account/username.js';
import { storeOffered } from './invited-credential.js';

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
  /**
   * Gives an account of the installation all its capabilities, such as those over tenants, by a
   * credential of its own that has no secret. Default: false.
   */
  readonly isOwner?: boolean | undefined;
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
  const ownCredentialId = admin.isOwner === true ? runtime.newId() : undefined;
  const draft: AccountDraft = {
    id: runtime.newId(),
    authority: tenantId,
    username,
    passwordHash: await passwords.of(runtime).hash(password, {
      authority: tenantId,
      purpose: 'change',
    }),
    email: admin.email ?? null,
    roles: [role],
    credentialId: ownCredentialId ?? admin.credentialId?.toLowerCase() ?? null,
    nowMs,
  };
  return runtime.store.transact((tx) => {
    refuseUnfit(tx, admin, nowMs);
    const record = (event: EventSubject): void =>
      runtime.audit.changed(tx, operatorEvent(runtime, tenantIdOf(tenantId), event));
    if (ownCredentialId !== undefined) {
      const owner = { authority: INSTALLATION, username, role: 'admin', scopes: [] } as const;
      const mark = { actorId: draft.id, nowMs, record, expiresAtMillis: null };
      storeOffered(tx, { id: ownCredentialId, ...owner }, mark);
    }
    const account = storeNewAccount(tx, draft);
    record(accountCreated(draft));
    return showLoginAccount(tx, account);
  });
}

function refuseBroken(sent: NewAdmin): void {
  const { username, tenantId, email, credentialId, role, isOwner } = sent;
  const mayOwn = tenantId === undefined && credentialId === undefined && role !== 'Admin';
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
    ...(isOwner !== true || mayOwn
      ? []
      : [
          {
            path: 'isOwner',
            expected: 'false, except for a SuperAdmin of the installation without a credential',
          },
        ]),
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
