/** Ids of data keys: keyed digests of an owner and a number that grows with each destroyed key. */
import { hmacSha256 } from '../../contract/digest.js';
import type { TenantSecrets } from './key-source.js';
import { KEY_ID_BYTES } from './sealed-value.js';

/** Returns the id of the first key of an owner that was not destroyed. */
export function firstLiveId(
  { naming }: TenantSecrets,
  owner: string,
  isDestroyed: (id: string) => boolean,
): string {
  const digest = hmacSha256(naming);
  for (let generation = 0; ; generation += 1) {
    const text = Buffer.from(`data key\0${generation}\0${owner}`, 'latin1');
    const id = Buffer.from(digest(text, 'hex'), 'hex').toString('latin1', 0, KEY_ID_BYTES);
    if (!isDestroyed(id)) return id;
  }
}
