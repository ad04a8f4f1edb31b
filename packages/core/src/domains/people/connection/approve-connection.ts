/** `approveConnection`: lets a program act for the calling account, within bounds of its choice. */
import { exampleScope } from '../../../contract/example-values.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { APPROVAL_SECONDS } from '../../tenancy/credential/connection-limits.js';
import type { ActingCredential, Principal } from '../../../kernel/access/principal.js';
import { canonicalCapabilities } from '../../../kernel/access/capability.js';
import { coversScope } from '../../../kernel/access/grant-policy.js';
import { SECRET_BYTES } from '../../../kernel/access/secret.js';
import { timeText } from '../../../contract/schema/time.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { type Approval, putNewApproval } from './approval-store.js';
import { programCapabilities } from './connection-policy.js';
import { requireConnectionRoom } from './connection-room.js';
import { ApproveConnectionRequest, ConnectionApproval } from './schema.js';

const DAY_MS = 86_400_000;

/** The consent page calls it. The program gets its credential when it redeems the approval. */
export const approveConnection = defineAccountOperation({
  name: 'approveConnection',
  summary: 'Let a program act for the calling account.',
  example: {
    document: {
      client_id: 'https://notes.example.com/client.json',
      client_name: 'Notes',
      client_host: 'notes.example.com',
      access: ['read', 'write'],
      grants: [{ ...exampleScope, mission_id: null }],
      expires_in_days: 30,
    },
  },
  tag: 'Connections',
  input: { document: ApproveConnectionRequest },
  output: ConnectionApproval,
  requires: { party: 'login' },
  checks: accountChecks,
  errors: ['connection_limit'],
  handler: (request) => {
    const { runtime, input, nowMs } = request;
    const { newId, entropy, store } = runtime;
    const credentialId = newId();
    const approvalId = Buffer.from(entropy.bytes(SECRET_BYTES)).toString('base64url');
    const redeemUntil = nowMs + APPROVAL_SECONDS * 1_000;
    return store.transact((tx) => {
      const caller = request.confirm(tx);
      const account = accountCredential(caller);
      const { tenantId } = account;
      const approval = approved(input.document, { account, accountId: caller.id, nowMs });
      requireConnectionRoom(tx, { tenantId, accountId: caller.id }, nowMs);
      putNewApproval(tx, approvalId, { ...approval, credentialId }, redeemUntil);
      return { approval_id: approvalId, redeem_until: timeText(redeemUntil) };
    });
  },
});

function accountCredential({ credential }: Principal): ActingCredential {
  if (credential !== null) return credential;
  const message =
    'This account has no credential of a tenant, so it has no memory that a program could use. ' +
    'Ask an administrator of the tenant for an account that is bound to one.';
  throw new AgentkeepError('forbidden', { message });
}

/**
 * Returns the approval that a request asks for.
 *
 * @throws {AgentkeepError} `forbidden` for scopes or access that the account itself lacks.
 */
function approved(
  { access, grants, expires_in_days: days, ...named }: ApproveConnectionRequest,
  by: { readonly account: ActingCredential; readonly accountId: string; readonly nowMs: number },
): Omit<Approval, 'credentialId'> {
  const { account, accountId, nowMs } = by;
  const lacking = access.find((each) => programCapabilities([each], account.spec).length === 0);
  if (lacking !== undefined) {
    const message = `Your own credential does not allow \`${lacking}\`, so no program can get it.`;
    throw new AgentkeepError('forbidden', { message });
  }
  const outside = grants.findIndex((grant) => !coversScope(account.spec, grant));
  if (outside >= 0) {
    const message = `Your own credential does not reach \`grants[${outside}]\`. Choose another scope.`;
    throw new AgentkeepError('forbidden', { message });
  }
  const end = nowMs + days * DAY_MS;
  return {
    tenantId: account.tenantId,
    spec: {
      subject_id: account.spec.subject_id,
      capabilities: canonicalCapabilities(programCapabilities(access, account.spec)),
      grants,
      expires_at_millis: Math.min(end, account.spec.expires_at_millis ?? end),
    },
    program: { ...named, account_id: accountId, access },
    grant: null,
    code: null,
  };
}
