/**
 * A sign-in under way, as a text that its caller keeps. State, nonce and PKCE verifier are derived
 * from it with a key of the settings, so that nothing is stored and nothing in it can be changed.
 */
import { Buffer } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { hmacSha256 } from '../../../contract/digest.js';
import { INTEGER_MAX } from '../../../contract/limits.js';
import { integer } from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import type { SignInRound } from '../../../kernel/ports/sign-in-protocol.js';
import { plainUrl } from '../sign-in/schema.js';

/** What a sign-in was begun with. */
export interface Attempt {
  /** Tenant id, or null for the installation. */
  readonly tenantId: string | null;
  /** Name of the issuer. */
  readonly issuer: string;
  readonly redirectUri: string;
  /** In Unix milliseconds. */
  readonly endsAtMillis: number;
  /** Unpredictable. */
  readonly random: string;
}

const Members = v.strictTuple([
  v.nullable(textId()),
  textId(),
  plainUrl(),
  integer(0, INTEGER_MAX),
  v.string(),
]);

/** Returns the text of an attempt. */
export function attemptText(attempt: Attempt): string {
  const { tenantId, issuer, redirectUri, endsAtMillis, random } = attempt;
  const members = JSON.stringify([tenantId, issuer, redirectUri, endsAtMillis, random]);
  return Buffer.from(members, 'utf8').toString('base64url');
}

/** Reads the text of an attempt; `undefined` if it is none. It proves nothing yet. */
export function readAttempt(text: string): Attempt | undefined {
  const members = v.safeParse(Members, jsonOf(text));
  if (!members.success) return undefined;
  const [tenantId, issuer, redirectUri, endsAtMillis, random] = members.output;
  return { tenantId, issuer, redirectUri, endsAtMillis, random };
}

/** Returns what is derived from an attempt with the key of the settings. */
export function roundOf(text: string, redirectUri: string, key: string): SignInRound {
  const derive = hmacSha256(Buffer.from(key, 'base64url'));
  const named = (name: string): string =>
    derive(`agentkeep sign-in 1 ${name} ${text}`, 'base64url');
  return {
    redirectUri,
    state: named('state'),
    nonce: named('nonce'),
    codeVerifier: named('verifier'),
  };
}

/** Compares the state that came back in constant time. */
export function isSameState(one: string, other: string | null): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other ?? '')];
  return left.length === right.length && timingSafeEqual(left, right);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
