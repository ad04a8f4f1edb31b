/** `acceptInvitation`: a person sets the password of an account once, by a link. */
import { passwords } from '../../../kernel/ports/counted-hasher.js';
import { examplePassword } from '../../../contract/example-values.js';
import { tenantIdOf } from '../../../kernel/access/principal.js';
import {
  parseSecret,
  sameVerifier,
  type Secret,
  verifierOf,
} from '../../../kernel/access/secret.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import type { AuditMetadata } from '../../../kernel/audit/audit.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import { definePublicOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { boundCredential, isBindingLive } from '../account/account-principal.js';
import { locateAccount } from '../account/account-store.js';
import { isActiveAccount, type StoredAccount } from '../account/stored-account.js';
import { findInvitation, findResetLink } from '../invitation/invitation-store.js';
import { AcceptedInvitation, AcceptInvitationRequest } from '../invitation/schema.js';
import { prepareLockoutChange, settleNewPassword } from '../lockout/change-lockout.js';
import { requireStrongPassword } from '../password/require-strong-password.js';
import { actorOfAccount } from '../session/session-events.js';
import { allowsPasswords } from '../sign-in/settings-store.js';
import { plannedChange, storeAccountChange } from '../user/change-account.js';
import { changeEvents } from '../user/user-events.js';

/** A form of the code that no invitation has. */
const EXAMPLE_CODE = `aki1_${'0'.repeat(32)}_${'A'.repeat(43)}`;

/** All refusals of a code are the same, so that nothing can be learned with a guess. */
export const acceptInvitation = definePublicOperation({
  name: 'acceptInvitation',
  summary: 'Accept an invitation or a reset link: set the password of the account, once.',
  example: { document: { code: EXAMPLE_CODE, password: examplePassword } },
  command: {
    name: 'people accept-invitation',
    examples: ['agentkeep people accept-invitation --code-file ./code --password-file -'],
  },
  tag: 'Users',
  ignoresProof: true,
  input: { document: AcceptInvitationRequest },
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
  output: AcceptedInvitation,
  checks: accountChecks,
  errors: ['weak_password', 'invitation_ended', 'passwords_not_allowed', 'login_busy'],
  handler: async (request) => {
    const { runtime } = request;
    const { code, password } = request.input.document;
    requireStrongPassword(password);
    const secret = codeIn(code);
    const { authority, username } = await runtime.store.read(
      (tx) => linkedAccount(tx, secret, runtime.clock.now()).account,
    );
    // Only a good code gets here, so guesses cost no hash.
    const passwordHash = await passwords
      .of(runtime)
      .hash(password, { authority, purpose: 'change' });
    const lockout = prepareLockoutChange(runtime, { authority, username });
    return runtime.store.transact((tx) => {
      const { nowMs } = lockout;
      const { account: before, used } = linkedAccount(tx, secret, nowMs);
      const actor = actorOfAccount(before);
      const record = (event: EventSubject): void => request.record(tx, { ...event, actor });
      const planned = plannedChange(tx, before, { hasNewPassword: true }) ?? before;
      const mark = { actorId: before.id, nowMs, passwordHash, record };
      const after = storeAccountChange(tx, before, planned, mark);
      settleNewPassword(tx, lockout);
      for (const event of changeEvents({ before, after, newPassword: { isOwn: true } })) {
        record({ ...event, metadata: { ...event.metadata, ...used } });
      }
      return { username, tenant_id: tenantIdOf(authority) };
    });
  },
});

/** Reads a code. */
function codeIn(text: string): Secret {
  const secret = parseSecret(text);
  if (secret?.kind !== 'aki1') throw new AgentkeepError('invitation_ended');
  return secret;
}

/** The account of a good code, and the metadata that its event gets from the link. */
interface LinkedAccount {
  readonly account: StoredAccount;
  readonly used: AuditMetadata;
}

/**
 * Returns the account of a code that is good.
 *
 * @throws {AgentkeepError} `invitation_ended`, `passwords_not_allowed`
 */
function linkedAccount(tx: ReadTx, secret: Secret, nowMs: number): LinkedAccount {
  const account = locateAccount(tx, secret.id);
  if (account === undefined) throw new AgentkeepError('invitation_ended');
  const links = [
    { link: findInvitation(tx, account), used: { invitation: 'accepted' } },
    { link: findResetLink(tx, account), used: { reset_link: 'used' } },
  ];
  const good = links.find(({ link }) => link !== undefined && isGood(link, secret, nowMs));
  const mayLogIn =
    isActiveAccount(account) && isBindingLive(account, boundCredential(tx, account), nowMs);
  if (good === undefined || !mayLogIn) throw new AgentkeepError('invitation_ended');
  if (!allowsPasswords(tx, account.authority)) throw new AgentkeepError('passwords_not_allowed');
  return { account, used: good.used };
}

function isGood(
  { verifier, expiresAtMillis }: { verifier: string | null; expiresAtMillis: number },
  secret: Secret,
  nowMs: number,
): boolean {
  return verifier !== null && sameVerifier(verifierOf(secret), verifier) && nowMs < expiresAtMillis;
}
