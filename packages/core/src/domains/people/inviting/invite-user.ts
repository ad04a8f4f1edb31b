/** `inviteUser`: makes an account for a person, who sets its password by a link. */
import { exampleScope } from '../../../contract/example-values.js';
import { SECRET_BYTES, verifierOf } from '../../../kernel/access/secret.js';
import type { Principal } from '../../../kernel/access/principal.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { refusal } from '../../../kernel/input/input.js';
import { TenantParameters } from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { AccountRequest } from '../../../kernel/operation/requests.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { findAccountByName, isEmailTaken } from '../account/account-store.js';
import {
  accountCreated,
  type AccountDraft,
  hashUnknownPassword,
  storeNewAccount,
} from '../account/new-account.js';
import type { StoredAccount } from '../account/stored-account.js';
import {
  findInvitation,
  putInvitation,
  type StoredInvitation,
} from '../invitation/invitation-store.js';
import { accountRolesOf, globalRoleOf } from '../invitation/invited-role.js';
import { InvitedUser, InviteUserRequest } from '../invitation/schema.js';
import { codeOf, showInvitation } from '../invitation/show-invitation.js';
import { allowsPasswords } from '../sign-in/settings-store.js';
import { plannedChange, storeAccountChange } from '../user/change-account.js';
import { actorIdOf, managedUser } from '../user/managed-user.js';
import { attemptedName, changeEvents, creationRefused } from '../user/user-events.js';
import { invitationChanged } from './manage-invitations.js';
import { requireMayOffer, revokeOffered, storeOffered } from './invited-credential.js';

const DAY_MS = 86_400_000;

const input = { parameters: TenantParameters, document: InviteUserRequest };
type Request = AccountRequest<typeof input>;

/** Inviting somebody again who has not accepted replaces what was offered, and the code. */
export const inviteUser = defineAccountOperation({
  name: 'inviteUser',
  summary: 'Invite a person: an account with a role and scopes, whose password a link sets.',
  example: {
    parameters: {},
    document: {
      username: 'ann@example.com',
      email: 'ann@example.com',
      role: 'reviewer',
      scopes: [exampleScope],
    },
  },
  tag: 'Users',
  input,
  output: InvitedUser,
  requires: { role: 'Admin' },
  checks: accountChecks,
  errors: [
    'already_exists',
    'passwords_not_allowed',
    'subject_erased',
    'account_disabled',
    'last_admin',
    'login_busy',
  ],
  refused: ({ code, document }) => creationRefused(attemptedName(document), code),
  handler: async (request) => {
    const { runtime, nowMs, authority } = request;
    const roles = await runtime.store.read((tx) => {
      const offered = offeredRoles(request);
      requireMayInvite(tx, request, request.principal, offered);
      return offered;
    });
    const bytes = runtime.entropy.bytes(SECRET_BYTES);
    const [id, credentialId] = [runtime.newId(), runtime.newId()];
    const passwordHash = await hashUnknownPassword(runtime, authority);
    return runtime.store.transact((tx) => {
      const caller = request.confirm(tx);
      requireMayInvite(tx, request, caller, roles);
      const offer = { id, credentialId, passwordHash, roles, caller };
      const account = storeOffer(tx, request, offer);
      const invitation: StoredInvitation = {
        ...{ authority, accountId: account.id, credentialId },
        verifier: verifierOf({ kind: 'aki1', bytes }),
        role: request.input.document.role,
        createdAtMillis: nowMs,
        expiresAtMillis: nowMs + request.input.document.valid_days * DAY_MS,
        invitedBy: actorIdOf(caller),
      };
      putInvitation(tx, invitation);
      request.record(tx, invitationChanged(invitation, 'sent'));
      const shown = showInvitation(invitation, account, nowMs);
      return { invitation: shown, ...codeOf(account.id, bytes) };
    });
  },
});

/**
 * Returns the roles of the account, of an offer that fits the authority.
 *
 * @throws {AgentkeepError} `invalid_request`
 */
function offeredRoles({ authority, input: { document } }: Request): readonly string[] {
  const { role, scopes } = document;
  if (authority === INSTALLATION) {
    const global = globalRoleOf(role);
    const broken = [
      ...(global === undefined
        ? [{ path: 'role', expected: 'reader or admin, for a person of the installation' }]
        : []),
      ...(scopes.length > 0
        ? [{ path: 'scopes', expected: 'no scopes, for a person of the installation' }]
        : []),
    ];
    if (global === undefined || broken.length > 0) throw refusal(broken);
    return global.roles;
  }
  if (scopes.length === 0 && role !== 'admin') {
    throw refusal([{ path: 'scopes', expected: `at least one scope, for the role ${role}` }]);
  }
  return accountRolesOf(role);
}

/** Checked before the slow hashing, and again in the transaction. */
function requireMayInvite(
  tx: ReadTx,
  request: Request,
  caller: Principal,
  roles: readonly string[],
): void {
  const { authority, input } = request;
  const { username, email, role } = input.document;
  requireMayOffer(request, caller, { role, roles });
  if (!allowsPasswords(tx, authority)) throw new AgentkeepError('passwords_not_allowed');
  const known = invitedAccount(tx, request, caller);
  const isTaken =
    (known === undefined && findAccountByName(tx, authority, username) !== undefined) ||
    (email !== null && isEmailTaken(tx, authority, email, known?.id));
  if (!isTaken) return;
  const message =
    'An account has this username or e-mail address. Give it another role or other scopes, or ' +
    'choose another name; an invitation can be repeated until it is accepted.';
  throw new AgentkeepError('already_exists', { message });
}

/** Returns the account of an invitation that was not accepted, which the caller may manage. */
function invitedAccount(
  tx: ReadTx,
  request: Request,
  caller: Principal,
): StoredAccount | undefined {
  const { authority, input } = request;
  const known = findAccountByName(tx, authority, input.document.username);
  if (known === undefined || findInvitation(tx, known) === undefined) return undefined;
  return managedUser(tx, request, caller, known.id);
}

/** What the transaction stores. */
interface Offer {
  readonly id: string;
  readonly credentialId: string;
  readonly passwordHash: string;
  readonly roles: readonly string[];
  readonly caller: Principal;
}

/** Stores the account with its credential: a new one, or the one that was invited before. */
function storeOffer(tx: WriteTx, request: Request, offer: Offer): StoredAccount {
  const { authority, nowMs, input } = request;
  const { username, email, role, scopes } = input.document;
  const { id, credentialId, passwordHash, roles, caller } = offer;
  const record = (event: EventSubject): void => request.record(tx, event);
  const mark = { actorId: actorIdOf(caller), nowMs, record };
  const known = invitedAccount(tx, request, caller);
  const before = known && findInvitation(tx, known);
  if (before !== undefined) revokeOffered(tx, before, mark);
  const expiresAtMillis = caller.global?.spec.expires_at_millis ?? null;
  const offered = { id: credentialId, authority, username, role, scopes };
  storeOffered(tx, offered, { ...mark, expiresAtMillis });
  if (known === undefined) {
    const { actorId } = mark;
    const draft = { id, authority, username, passwordHash, email, roles, credentialId, nowMs };
    const account = storeNewAccount(tx, { ...draft, actorId } satisfies AccountDraft);
    record(accountCreated(draft));
    return account;
  }
  const change = { email, roles, credentialId, isActive: true };
  const planned = plannedChange(tx, known, change) ?? known;
  const after = storeAccountChange(tx, known, planned, mark);
  for (const event of changeEvents({ before: known, after })) record(event);
  return after;
}
