/** Approvals: what a person let a program do, before and after the program redeemed it. */
import type { JsonValue } from '../../contract/schema/json-value.js';
import type { ConnectedProgram } from '../../identity/credential/connected-program.js';
import type { CredentialSpec } from '../../identity/credential/schema.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { findGrantEntry, grantEntryDigest, putGrantEntry } from './grant-entry-store.js';

/** What a person approved. The program gets the credential when it redeems the approval. */
export interface Approval {
  readonly tenantId: string;
  readonly credentialId: string;
  readonly spec: CredentialSpec & { readonly expires_at_millis: number };
  readonly program: ConnectedProgram;
}

const KIND = 'Approval';

/** Returns an approval that has not expired, or `undefined`. */
export function findApproval(tx: ReadTx, grantId: string, nowMs: number): Approval | undefined {
  const entry = findGrantEntry(tx, grantEntryDigest(KIND, grantId), nowMs);
  return entry?.payload as unknown as Approval | undefined;
}

/** Stores an approval until a time in Unix milliseconds. */
export function putApproval(
  tx: WriteTx,
  grantId: string,
  approval: Approval,
  expiresAtMillis: number,
): void {
  putGrantEntry(tx, approvalDigest(grantId), {
    kind: KIND,
    payload: approval as unknown as JsonValue,
    grantId,
    expiresAtMillis,
    consumedAtMillis: null,
  });
}

/** Returns where an approval lies. */
export function approvalDigest(grantId: string): Uint8Array {
  return grantEntryDigest(KIND, grantId);
}
