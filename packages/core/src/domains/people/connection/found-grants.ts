/** Finds what an authorization server stored, and notices what was used before. */
import type { JsonValue } from '../../../contract/schema/json-value.js';
import { isLive } from '../../tenancy/credential/credential-policy.js';
import { findCredential } from '../../tenancy/credential/credential-store.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { type Approval, findApproval } from './approval-store.js';
import { type ConnectedCredential, findConnection } from './connection-store.js';
import { findGrantEntry, grantEntryDigest } from './grant-entry-store.js';
import { type GrantSecret, type GrantSecretKind, parseGrantSecret } from './grant-secret.js';

/** The kinds of what an authorization server stores. */
export type GrantKind = 'Interaction' | 'Grant' | GrantSecretKind;

/** Something that an authorization server stored. */
export interface FoundGrant {
  readonly payload: JsonValue;
  /** Whether a code or a refresh token was used, so that it is good for nothing. */
  readonly isUsed: boolean;
}

/** Returns what is stored under an id, used or not; `undefined` once its connection has ended. */
export function findGrant(
  tx: ReadTx,
  kind: GrantKind,
  id: string,
  nowMs: number,
): FoundGrant | undefined {
  switch (kind) {
    case 'Interaction': {
      const entry = findGrantEntry(tx, grantEntryDigest(kind, id), nowMs);
      if (entry === undefined || entry.payload === null) return undefined;
      return { payload: entry.payload, isUsed: false };
    }
    case 'Grant': {
      const payload = liveApproval(tx, id, nowMs)?.grant ?? null;
      return payload === null ? undefined : { payload, isUsed: false };
    }
    case 'AuthorizationCode':
      return findCode(tx, parseGrantSecret(kind, id), nowMs);
    case 'RefreshToken':
      return findToken(tx, parseGrantSecret(kind, id), nowMs);
  }
}

/** Returns what names a code or refresh token of a live connection that was used before. */
export function findReuse(
  tx: ReadTx,
  kind: GrantSecretKind,
  text: string,
  nowMs: number,
): GrantSecret | undefined {
  const secret = parseGrantSecret(kind, text);
  const approval = secret && liveApproval(tx, secret.grantId, nowMs);
  const { connection } = (approval && connectionOf(tx, approval, nowMs)) ?? {};
  if (approval === undefined || connection === undefined) return undefined;
  const isUsed =
    kind === 'AuthorizationCode'
      ? approval.code?.digest === secret?.digest
      : connection.tokenDigest !== secret?.digest;
  return isUsed ? secret : undefined;
}

/** Returns the live connection that an approval was redeemed for. */
export function connectionOf(
  tx: ReadTx,
  { tenantId, credentialId, program }: Approval,
  nowMs: number,
): ConnectedCredential | undefined {
  const connection = findConnection(tx, { tenantId, accountId: program.account_id }, credentialId);
  const credential = findCredential(tx, tenantId, credentialId);
  if (connection === undefined || credential === undefined) return undefined;
  return isLive(credential, nowMs) ? { connection, credential } : undefined;
}

/** Returns an approval, redeemed or not, unless its connection has ended. */
function liveApproval(tx: ReadTx, grantId: string, nowMs: number): Approval | undefined {
  const approval = findApproval(tx, grantId, nowMs);
  if (approval === undefined) return undefined;
  const credential = findCredential(tx, approval.tenantId, approval.credentialId);
  return credential === undefined || isLive(credential, nowMs) ? approval : undefined;
}

function findCode(
  tx: ReadTx,
  secret: GrantSecret | undefined,
  nowMs: number,
): FoundGrant | undefined {
  const code = secret && liveApproval(tx, secret.grantId, nowMs)?.code;
  if (code === undefined || code === null || code.digest !== secret?.digest) return undefined;
  const { payload, endsAtMillis, usedAtMillis } = code;
  const isUsed = usedAtMillis !== null;
  return isUsed || nowMs < endsAtMillis ? { payload, isUsed } : undefined;
}

function findToken(
  tx: ReadTx,
  secret: GrantSecret | undefined,
  nowMs: number,
): FoundGrant | undefined {
  const approval = secret && liveApproval(tx, secret.grantId, nowMs);
  const { connection } = (approval && connectionOf(tx, approval, nowMs)) ?? {};
  if (connection === undefined) return undefined;
  const { tokenDigest, tokenPayload: payload, tokenEndsAtMillis } = connection;
  const isUsed = tokenDigest !== secret?.digest;
  return isUsed || nowMs < tokenEndsAtMillis ? { payload, isUsed } : undefined;
}
