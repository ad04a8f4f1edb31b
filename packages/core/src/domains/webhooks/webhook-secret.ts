/**
 * Secrets of webhooks and the signatures that they make, as Standard Webhooks has them
 * (docs/contract/webhooks.md#hok-20).
 */
import { hmacSha256 } from '../../contract/digest.js';
import { WEBHOOK_SECRETS_MAX } from '../../contract/limits.js';
import type { Entropy } from '../../kernel/ports/entropy.js';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/** A secret that signs messages. */
export interface StoredSecret {
  /** As receivers know it, with its prefix. */
  readonly secret: string;
  /** When it stops signing; null for the newest. */
  readonly untilMillis: number | null;
}

/** The part of a message that is signed. */
export interface SignedMessage {
  readonly id: string;
  /** Unix seconds of the attempt. */
  readonly timestamp: number;
  readonly body: string;
}

/** Makes a secret. */
export function newWebhookSecret(entropy: Entropy): StoredSecret {
  const bytes = Buffer.from(entropy.bytes(SECRET_BYTES));
  return { secret: PREFIX + bytes.toString('base64'), untilMillis: null };
}

/** Returns the secrets that sign at a time, newest first. */
export function liveSecrets(secrets: readonly StoredSecret[], nowMs: number): StoredSecret[] {
  return secrets.filter(({ untilMillis }) => untilMillis === null || nowMs < untilMillis);
}

/** Puts a new secret before the others. The one that it replaces goes on signing for a while. */
export function rotated(
  secrets: readonly StoredSecret[],
  made: StoredSecret,
  { nowMs, overlapMs }: { readonly nowMs: number; readonly overlapMs: number },
): StoredSecret[] {
  const untilMillis = nowMs + overlapMs;
  const older = secrets.map((each) => ({
    ...each,
    untilMillis: Math.min(each.untilMillis ?? untilMillis, untilMillis),
  }));
  return [made, ...liveSecrets(older, nowMs)].slice(0, WEBHOOK_SECRETS_MAX);
}

/** Returns the header with the signature of each secret. */
export function signatureHeader(
  secrets: readonly StoredSecret[],
  { id, timestamp, body }: SignedMessage,
): string {
  const signed = `${id}.${timestamp}.${body}`;
  return secrets.map(({ secret }) => `v1,${signatureOf(secret, signed)}`).join(' ');
}

function signatureOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return Buffer.from(hmacSha256(key)(signed, 'base64url'), 'base64url').toString('base64');
}
