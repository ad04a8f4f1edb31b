/** Ids of keys: keyed digests, of 16 bytes as text of one character per byte. */
import { hmacSha256 } from '../../contract/digest.js';
import type { TenantSecrets } from './key-source.js';
import { KEY_ID_BYTES } from './sealed-value.js';

const FINGERPRINT = Buffer.from('fingerprint');

/** Returns the id of the first key of an owner that has not ended. Its number grows with each. */
export function firstLiveId(
  { naming }: TenantSecrets,
  owner: string,
  hasEnded: (id: string) => boolean,
): string {
  for (let generation = 0; ; generation += 1) {
    const id = idOf(naming, Buffer.from(`data key\0${generation}\0${owner}`, 'latin1'));
    if (!hasEnded(id)) return id;
  }
}

/** Returns the id of the secrets of a tenant, by which a store knows them again. */
export function tenantKeyId({ wrapping, naming }: TenantSecrets): string {
  return idOf(wrapping, Buffer.concat([FINGERPRINT, naming]));
}

/** Returns an id in hexadecimal. */
export function hexOf(id: string): string {
  return Buffer.from(id, 'latin1').toString('hex');
}

/** Returns the id that {@link hexOf} wrote. */
export function idFromHex(hex: string): string {
  return Buffer.from(hex, 'hex').toString('latin1');
}

function idOf(secret: Uint8Array, text: Uint8Array): string {
  const digest = Buffer.from(hmacSha256(secret)(text, 'hex'), 'hex');
  return digest.toString('latin1', 0, KEY_ID_BYTES);
}
