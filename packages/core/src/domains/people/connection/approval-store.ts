/** Approvals: what a person let a program do, before and after the program redeemed it. */
import type { JsonValue } from '../../../contract/schema/json-value.js';
import type { ConnectedProgram } from '../../tenancy/credential/connected-program.js';
import type { CredentialSpec } from '../../tenancy/credential/schema.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import {
  findGrantEntry,
  grantEntryDigest,
  putGrantEntry,
  putSettledEntry,
  putWaitingEntry,
  removeGrantEntry,
  removeWaitingEntries,
} from './grant-entry-store.js';
import type { WaitingOwner } from './grant-slots.js';

/** The code that redeems an approval. */
export interface StoredCode {
  /** Digest of the code, as base64url. */
  readonly digest: string;
  /** What the authorization server keeps of it. */
  readonly payload: JsonValue;
  readonly endsAtMillis: number;
  readonly usedAtMillis: number | null;
}

/** What a person approved. The program gets the credential when it redeems the approval. */
export interface Approval {
  readonly tenantId: string;
  readonly credentialId: string;
  readonly spec: CredentialSpec & { readonly expires_at_millis: number };
  readonly program: ConnectedProgram;
  /** What the authorization server keeps of the grant; null until it states it. */
  readonly grant: JsonValue;
  readonly code: StoredCode | null;
}

const KIND = 'Approval';

/** Returns an approval that has not expired, or `undefined`. */
export function findApproval(tx: ReadTx, grantId: string, nowMs: number): Approval | undefined {
  const entry = findGrantEntry(tx, approvalDigest(grantId), nowMs);
  return entry?.payload as unknown as Approval | undefined;
}

/**
 * Stores a new approval, which waits until a time in Unix milliseconds for its program. The oldest
 * ones that wait give way to it.
 */
export function putNewApproval(
  tx: WriteTx,
  grantId: string,
  approval: Approval,
  expiresAtMillis: number,
): void {
  const { tenantId: authority, program } = approval;
  const payload = approval as unknown as JsonValue;
  const draft = { kind: KIND, payload, expiresAtMillis, answeredAtMillis: null };
  const owner = { authority, accountId: program.account_id };
  putWaitingEntry(tx, approvalDigest(grantId), draft, owner);
}

/** Changes an approval that has not expired. */
export function changeApproval(tx: WriteTx, grantId: string, approval: Approval, nowMs: number) {
  const digest = approvalDigest(grantId);
  const entry = findGrantEntry(tx, digest, nowMs);
  if (entry === undefined) throw new Error('The approval is not there.');
  putGrantEntry(tx, digest, { ...entry, payload: approval as unknown as JsonValue });
}

/** Keeps an approval that was redeemed as long as its credential. */
export function settleApproval(tx: WriteTx, grantId: string, approval: Approval, nowMs: number) {
  const digest = approvalDigest(grantId);
  const entry = findGrantEntry(tx, digest, nowMs);
  if (entry === undefined) throw new Error('The approval is not there.');
  const { expires_at_millis: expiresAtMillis } = approval.spec;
  const payload = approval as unknown as JsonValue;
  putSettledEntry(tx, digest, { ...entry, payload, expiresAtMillis });
}

/** Removes an approval, redeemed or not. */
export function removeApproval(tx: WriteTx, grantId: string): void {
  removeGrantEntry(tx, approvalDigest(grantId));
}

/** Removes the approvals of an account that wait to be redeemed. */
export function removeApprovalsOf(tx: WriteTx, owner: WaitingOwner): void {
  removeWaitingEntries(tx, KIND, owner);
}

function approvalDigest(grantId: string): Uint8Array {
  return grantEntryDigest(KIND, grantId);
}
