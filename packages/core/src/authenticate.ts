/**
 * Every way to prove oneself, and the one place that knows them all.
 *
 * @module
 */
import type { Authenticator } from './access/authenticator.js';
import type { HeldSubject, Principal, Proof } from './access/principal.js';
import { parseSecret } from './access/secret.js';
import {
  authenticateBySecret,
  authenticateHeldCredential,
} from './credential/authenticate-credential.js';
import { AgentkeepError } from './errors/agentkeep-error.js';
import {
  authenticateBySessionSecret,
  authenticateHeldSession,
} from './session/authenticate-session.js';
import type { ReadTx } from './store/store.js';

/** Checks any proof against durable state; stored data that does not verify is `internal_error`. */
export const authenticate: Authenticator = (tx, proof, nowMs) => {
  try {
    return proved(tx, proof, nowMs);
  } catch (cause) {
    // To tell it as damage of what was asked for would tell it before anybody is authenticated.
    const isDamage = cause instanceof AgentkeepError && cause.code === 'storage_inconsistency';
    throw isDamage ? new AgentkeepError('internal_error', { cause }) : cause;
  }
};

function proved(tx: ReadTx, proof: Proof, nowMs: number): Principal | undefined {
  switch (proof.kind) {
    case 'bearer':
      return byBearer(tx, proof.token, nowMs);
    case 'api_key':
      return undefined;
    case 'held':
      return byHeldSubject(tx, proof.subject, nowMs);
  }
}

/** An access token is no opaque secret: whoever has verified one holds its session instead. */
function byBearer(tx: ReadTx, token: string, nowMs: number): Principal | undefined {
  const secret = parseSecret(token);
  switch (secret?.family) {
    case 'ak1':
      return authenticateBySecret(tx, secret, nowMs);
    case 'akst1':
    case 'aksg1':
      return authenticateBySessionSecret(tx, secret, nowMs);
    case 'akr1':
    case undefined:
      return undefined;
  }
}

function byHeldSubject(tx: ReadTx, subject: HeldSubject, nowMs: number): Principal | undefined {
  switch (subject.kind) {
    case 'credential':
      return authenticateHeldCredential(tx, subject, nowMs);
    case 'session':
      return authenticateHeldSession(tx, subject, nowMs);
    case 'api_key':
      return undefined;
  }
}
