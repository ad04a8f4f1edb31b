/** The secret of cursors that reveal nothing, which all servers of a store and all copies share. */
import type { Entropy } from '../ports/entropy.js';
import { Port } from '../ports/port.js';
import type { Transactions } from '../../storage/store/store.js';
import { findMarker, putMarker } from './marker-store.js';

/** Returns the secret. The first use makes and stores it. */
export const cursorSecret = new Port<() => Promise<Uint8Array>>('cursorSecret');

const SECRET_BYTES = 32;

/** What the secret is stored and made with. */
interface SecretParts {
  readonly store: Transactions;
  readonly entropy: Entropy;
}

/** Returns what reads the secret once, and again after a failure. */
export function heldCursorSecret(parts: SecretParts): () => Promise<Uint8Array> {
  let secret: Promise<Uint8Array> | undefined;
  return () => {
    secret ??= agreeOnSecret(parts).catch((error: unknown) => {
      secret = undefined;
      throw error;
    });
    return secret;
  };
}

async function agreeOnSecret({ store, entropy }: SecretParts): Promise<Uint8Array> {
  const stored = await store.read((tx) => findMarker(tx, 'change_cursors'));
  if (typeof stored === 'string') return Buffer.from(stored, 'base64url');
  const made = Buffer.from(entropy.bytes(SECRET_BYTES)).toString('base64url');
  const agreed = await store.transact((tx) => {
    const present = findMarker(tx, 'change_cursors');
    if (typeof present === 'string') return present;
    putMarker(tx, 'change_cursors', made);
    return made;
  });
  return Buffer.from(agreed, 'base64url');
}
