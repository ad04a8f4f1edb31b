/** The credential that an invited person acts with: how it is made, given and taken back. */
import {
  findGlobalCredential,
  insertGlobalCredential,
  updateGlobalCredential,
} from '../../tenancy/global-credential/global-credential-store.js';
import { globalCredentialChanged } from '../../tenancy/global-credential/manage-global-credentials.js';
import { mayIssue } from '../../tenancy/global-credential/global-credential-policy.js';
import { mayBindCredential } from '../../../kernel/access/authorize.js';
import type { Principal } from '../../../kernel/access/principal.js';
import type { Scope } from '../../../kernel/access/scope.js';
import { credentialChanged } from '../../tenancy/credential/credential-event.js';
import {
  findCredential,
  insertCredential,
  updateCredential,
} from '../../tenancy/credential/credential-store.js';
import { newCredentialState } from '../../tenancy/credential/new-credential.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { globalRoleOf, type InvitedRole, specOfRole } from '../invitation/invited-role.js';
import { requireGrantable, type UserRequest } from '../user/managed-user.js';

/** Begins the verifier of such a credential. No digest of a secret has a colon. */
const PERSON = 'person:';

/** A credential to make. */
export interface OfferedCredential {
  readonly id: string;
  readonly authority: string;
  readonly username: string;
  readonly role: InvitedRole;
  readonly scopes: readonly Scope[];
}

/** Who changes a credential, and where its event goes. */
interface CredentialMark {
  readonly actorId: string;
  readonly nowMs: number;
  readonly record: (event: EventSubject) => void;
}

/**
 * Refuses a caller that may not give a role: it needs the right to give the roles of the account,
 * and to issue the credential.
 *
 * @throws {AgentkeepError} `forbidden`
 */
export function requireMayOffer(
  request: UserRequest,
  caller: Principal,
  { role, roles }: { readonly role: InvitedRole; readonly roles: readonly string[] },
): void {
  requireGrantable(request, caller, roles);
  if (request.authority !== INSTALLATION) {
    if (!mayBindCredential(caller, request.authority)) request.deny('credential_admin');
    return;
  }
  const { global } = caller;
  const capabilities = globalRoleOf(role)?.capabilities ?? [];
  const mayGive =
    global?.spec.capabilities.includes('global_credential_admin') === true &&
    mayIssue(global, { capabilities, expires_at_millis: global.spec.expires_at_millis });
  if (!mayGive) request.deny('global_credential_admin');
}

/**
 * Stores the credential of an invited person. It has no secret: only the account acts with it.
 *
 * @throws {AgentkeepError} `subject_erased`
 */
export function storeOffered(
  tx: WriteTx,
  { id, authority, username, role, scopes }: OfferedCredential,
  { actorId, nowMs, record, expiresAtMillis }: CredentialMark & { expiresAtMillis: number | null },
): void {
  const verifier = PERSON + id;
  if (authority === INSTALLATION) {
    const capabilities = [...(globalRoleOf(role)?.capabilities ?? [])];
    const spec = { subject_id: username, capabilities, expires_at_millis: expiresAtMillis };
    const state = { revokedAtMillis: null, previous: null, revision: 1 };
    const event = { revision: 1, action: 'issued', actor_id: actorId, at_millis: nowMs } as const;
    insertGlobalCredential(tx, { id, isMaster: false, spec, verifier, ...state }, event);
    record(globalCredentialChanged(id, 'issued'));
    return;
  }
  const spec = specOfRole(role, { username, scopes });
  const { credential, event } = newCredentialState(
    { id, tenantId: authority, spec, verifier },
    { action: 'issued', actorId, nowMs },
  );
  insertCredential(tx, credential, event);
  record(credentialChanged(credential, 'issued'));
}

/** Revokes the credential of an invitation that is revoked or replaced, if it is live. */
export function revokeOffered(
  tx: WriteTx,
  { authority, credentialId: id }: { readonly authority: string; readonly credentialId: string },
  { actorId, nowMs, record }: CredentialMark,
): void {
  const change = { revokedAtMillis: nowMs, previous: null };
  const event = { action: 'revoked', actor_id: actorId, at_millis: nowMs } as const;
  if (authority === INSTALLATION) {
    const found = findGlobalCredential(tx, id);
    if (found === undefined || found.revokedAtMillis !== null) return;
    const revision = found.revision + 1;
    updateGlobalCredential(tx, { ...found, ...change, revision }, { ...event, revision });
    record(globalCredentialChanged(id, 'revoked'));
    return;
  }
  const found = findCredential(tx, authority, id);
  if (found === undefined || found.revokedAtMillis !== null) return;
  const revision = found.revision + 1;
  updateCredential(tx, { ...found, ...change, revision }, { ...event, revision });
  record(credentialChanged(found, 'revoked'));
}
