/** The operation that approves the connection of a program. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleScope } from '../../../contract/example-values.js';
import { TEXT_BYTES_MAX } from '../../../contract/limits.js';
import { utf8Bytes } from '../../../contract/schema/text.js';
import { timeText } from '../../../contract/schema/time.js';
import { withoutUnseen } from '../../../contract/schema/unseen.js';
import { canonicalCapabilities } from '../../../kernel/access/capability.js';
import { coversScope } from '../../../kernel/access/grant-policy.js';
import type { ActingCredential, Principal } from '../../../kernel/access/principal.js';
import { SECRET_BYTES } from '../../../kernel/access/secret.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { APPROVAL_SECONDS, CONNECTIONS_MAX } from '../../tenancy/credential/connected-program.js';
import { type Approval, putNewApproval, removeApproval } from './approval-store.js';
import { programCapabilities } from './connection-policy.js';
import {
  type ConnectionOwner,
  liveConnections,
  removeConnection,
  storedConnections,
} from './connection-store.js';
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

/**
 * Requires that the account may connect another program.
 *
 * @throws {AgentkeepError} `connection_limit` when it has as many as it may.
 */
export function requireConnectionRoom(tx: ReadTx, owner: ConnectionOwner, nowMs: number): void {
  if (liveConnections(tx, owner, nowMs).length < CONNECTIONS_MAX) return;
  throw new AgentkeepError('connection_limit');
}

/** Forgets the connections of an account that have ended. */
export function removeEndedConnections(tx: WriteTx, owner: ConnectionOwner, nowMs: number): void {
  const live = liveConnections(tx, owner, nowMs).map(({ connection }) => connection.credentialId);
  for (const connection of storedConnections(tx, owner)) {
    if (live.includes(connection.credentialId)) continue;
    removeApproval(tx, connection.grantId);
    removeConnection(tx, connection);
  }
}

/** Control characters often stand for spaces. */
const SPACES = /[\p{Cc}\p{Z}]+/gu;

/** Returns what counts of a name; '' where nothing of it is seen, `undefined` if it is too long. */
export function programName(stated: string): string | undefined {
  const name = withoutUnseen(stated.replaceAll(SPACES, ' ')).replaceAll(/ {2,}/g, ' ').trim();
  return utf8Bytes(name) > TEXT_BYTES_MAX ? undefined : name;
}
