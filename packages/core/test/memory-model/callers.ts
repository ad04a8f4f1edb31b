/**
 * Those who call, and what an issued secret tells of them.
 */
import { expect } from 'vitest';
import type { Credential, NewSecret } from '../../src/index.js';
import type { Holder } from '@agentkeep/testkit/credential-model';
import type { Outcome } from '@agentkeep/testkit/outcome';

/** Holds one secret; after a rotation it stays in use, so that it is seen to be dead. */
export interface Caller extends Holder {
  readonly secret: string;
}

/** Whoever was given a secret. */
export function callerOf({ credential, secret }: NewSecret, secretNumber: number): Caller {
  expect(secret.slice(0, 37)).toBe(`ak1_${credential.id.replaceAll('-', '')}_`);
  return { credentialId: credential.id, secretNumber, secret };
}

/** An answer with a secret, as the model can tell it. */
export function withoutSecret(made: Outcome<NewSecret>): Outcome<Credential> {
  return 'value' in made ? { value: made.value.credential } : made;
}
