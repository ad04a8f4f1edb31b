/** Authenticates a program by an access token of its connection. */
import {
  type CredentialPrincipal,
  HeldProof,
  type HeldSubject,
} from '../../../kernel/access/principal.js';
import { secretPin } from '../../../kernel/access/secret.js';
import { isLive } from '../../tenancy/credential/credential-policy.js';
import {
  findCredential,
  type StoredCredential,
} from '../../tenancy/credential/credential-store.js';
import { acceptsKeysOnly } from '../../tenancy/credential/require-secrets.js';
import { findLimits } from '../../tenancy/delegation/subject-store.js';
import type { ConnectedProgram } from '../../tenancy/credential/connected-program.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { findAccount } from '../account/account-store.js';
import { isActiveAccount } from '../account/stored-account.js';
import { connectedSpec } from './connection-policy.js';

/** A credential of a program, and the credential of the account behind it. */
interface LiveProgram {
  readonly credential: StoredCredential & { readonly program: ConnectedProgram };
  readonly ofAccount: ActingCredential;
}

/**
 * Returns the principal of a token, with what both the connection and the account may do now, or
 * `undefined` once the connection, the account, its credential, the subject or the token ended.
 */
export function authenticateConnection(
  tx: ReadTx,
  held: HeldSubject & { readonly kind: 'delegated' },
  nowMs: number,
): CredentialPrincipal | undefined {
  const { tenantId, credentialId, subjectId, pin, expiresAtMillis } = held;
  if (expiresAtMillis !== null && nowMs >= expiresAtMillis) return undefined;
  const found = findLiveProgram(tx, { tenantId, credentialId }, nowMs);
  if (found === undefined || secretPin(found.credential.verifier) !== pin) return undefined;
  const { credential, ofAccount } = found;
  if (credential.spec.subject_id !== subjectId) return undefined;
  return {
    kind: 'credential',
    authority: { kind: 'tenant', tenant_id: tenantId },
    id: credentialId,
    credential: {
      ...credential,
      spec: connectedSpec(credential, ofAccount),
      actingService: { subject_id: credential.program.client_host },
    },
    global: null,
    role: null,
    held: new HeldProof(held),
  };
}

/** Returns the live credential of a program, while its account may act and may give it. */
export function findLiveProgram(
  tx: ReadTx,
  { tenantId, credentialId }: { readonly tenantId: string; readonly credentialId: string },
  nowMs: number,
): LiveProgram | undefined {
  const credential = findCredential(tx, tenantId, credentialId);
  const program = credential?.program;
  if (credential === undefined || program === undefined || program === null) return undefined;
  if (!isLive(credential, nowMs) || acceptsKeysOnly(tx, tenantId)) return undefined;
  const ofAccount = accountAuthority(tx, tenantId, program.account_id, nowMs);
  if (ofAccount?.spec.subject_id !== credential.spec.subject_id) return undefined;
  return { credential: { ...credential, program }, ofAccount };
}

/** Returns the credential of an account that may act now, or `undefined`. */
export function accountAuthority(
  tx: ReadTx,
  tenantId: string,
  accountId: string,
  nowMs: number,
): StoredCredential | undefined {
  const account = findAccount(tx, tenantId, accountId);
  if (account === undefined || !isActiveAccount(account)) return undefined;
  const { credentialId } = account;
  const bound = credentialId === null ? undefined : findCredential(tx, tenantId, credentialId);
  if (bound === undefined || !isLive(bound, nowMs)) return undefined;
  const limits = findLimits(tx, tenantId, bound.spec.subject_id);
  return limits?.isBlocked === true ? undefined : bound;
}
