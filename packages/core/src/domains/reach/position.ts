/** Positions of namespaces in cursors: their digests, in hexadecimal. */
import type { StoredNamespace } from '../../kernel/access/namespace-store.js';

const HEX = /^[\da-f]{64}$/;

/** How lists of namespaces write their positions. */
export const digestPositions = {
  positionOf: ({ digest }: Pick<StoredNamespace, 'digest'>): string =>
    Buffer.from(digest).toString('hex'),
  isPosition: (text: string): boolean => HEX.test(text),
};

/** Returns the digest of a position; `undefined` for the start. */
export function digestAt(position: string | undefined): Uint8Array | undefined {
  return position === undefined ? undefined : Buffer.from(position, 'hex');
}
