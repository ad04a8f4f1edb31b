/** The programs that accounts connected, in the store: which credential each of them acts with. */
import { isLive } from '../../tenancy/credential/credential-policy.js';
import {
  findCredential,
  type StoredCredential,
} from '../../tenancy/credential/credential-store.js';
import type { JsonValue } from '../../../contract/schema/json-value.js';
import { fieldsLayout, json, number, text, type ValueOf } from '../../../storage/store/fields.js';
import { defineFamily } from '../../../storage/store/family.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';

const connectionLayout = fieldsLayout(2, {
  tenantId: text,
  accountId: text,
  /** The credential that the program acts with. */
  credentialId: text,
  /** The approval that it was made from. */
  grantId: text,
  createdAtMillis: number,
  /** The number of its refresh token: 0 for the first, which redeemed the approval. */
  turn: number,
  /** Digest of its refresh token, as base64url. All others that name it have been used. */
  tokenDigest: text,
  /** What the authorization server keeps of the refresh token. */
  tokenPayload: json<JsonValue>(),
  /** When the refresh token ends unless it is used before. */
  tokenEndsAtMillis: number,
});

/** A stored connection. */
export type StoredConnection = ValueOf<typeof connectionLayout>;

/** The account that connections belong to. */
export type ConnectionOwner = Pick<StoredConnection, 'tenantId' | 'accountId'>;

/** A connection with the credential of its program. */
export interface ConnectedCredential {
  readonly connection: StoredConnection;
  readonly credential: StoredCredential;
}

/** Programs that an account connected, by account and id of their credential. */
export const connections = defineFamily({
  name: 'connections',
  number: 58,
  key: ['uuid', 'uuid'],
  layout: connectionLayout,
  sealedBy: 'tenant',
  owner: 'account',
  exported: { not: 'authority' },
  erased: 'removed',
  counts: null,
});

/** Connections that are read at once: more than an account can have. */
const EXAMINED_MAX = 256;

/** Returns a connection, also one that has ended; `undefined` if there is none. */
export function findConnection(
  tx: ReadTx,
  { tenantId, accountId }: ConnectionOwner,
  credentialId: string,
): StoredConnection | undefined {
  return connections.get(tx, tenantId, accountId, credentialId);
}

/** Stores a new or changed connection. */
export function putConnection(tx: WriteTx, connection: StoredConnection): void {
  const { tenantId, accountId, credentialId } = connection;
  connections.put(tx, connection, tenantId, accountId, credentialId);
}

/** Removes a connection; its credential stays. */
export function removeConnection(tx: WriteTx, connection: StoredConnection): void {
  const { tenantId, accountId, credentialId } = connection;
  tx.remove(connections.keyOf(tenantId, accountId, credentialId));
}

/** Returns the live connections of an account, the newest first. */
export function liveConnections(
  tx: ReadTx,
  owner: ConnectionOwner,
  nowMs: number,
): ConnectedCredential[] {
  return storedConnections(tx, owner).flatMap((connection) => {
    const credential = findCredential(tx, connection.tenantId, connection.credentialId);
    if (credential === undefined || !isLive(credential, nowMs)) return [];
    return [{ connection, credential }];
  });
}

/** Returns the stored connections of an account, the newest first. */
export function storedConnections(
  tx: ReadTx,
  { tenantId, accountId }: ConnectionOwner,
): StoredConnection[] {
  return connections.values(tx, tenantId, {
    prefix: [accountId],
    reverse: true,
    limit: EXAMINED_MAX,
  });
}
