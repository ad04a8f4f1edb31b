/** Combines every way to authenticate. */
import type {
  Authenticator,
  CallerProof,
  HeldSubject,
  Principal,
} from '../../kernel/access/principal.js';
import { SecretReader } from '../../kernel/access/secret.js';
import { apiKeyIdOf } from '../../kernel/ports/known-callers.js';
import {
  apiKeyIdOf as idOfStoredKey,
  authenticateApiKey,
  authenticateHeldApiKey,
} from './api-key/authenticate-api-key.js';
import { type IdleLimitParts, sessionIdleMs, underIdleLimit } from './session/idle-limit.js';
import {
  authenticateBySecret,
  authenticateHeldCredential,
  authenticateKeyHolder,
} from '../tenancy/credential/authenticate-credential.js';
import { authenticateDelegated } from '../tenancy/delegation/authenticate-delegated.js';
import { authenticateFederated } from '../tenancy/federation/authenticate-federated.js';
import { requireUnblocked } from '../tenancy/delegation/subject-store.js';
import { AgentkeepError, hasCode } from '../../contract/errors/agentkeep-error.js';
import {
  authenticateByGlobalSecret,
  authenticateHeldGlobalCredential,
} from '../tenancy/global-credential/authenticate-global-credential.js';
import { authenticateConnection } from './connection/authenticate-connection.js';
import {
  authenticateBySessionSecret,
  authenticateHeldSession,
} from './session/authenticate-session.js';
import type { ProofCheck } from '../../kernel/services/proof-check.js';
import { type UseLog, useLog } from '../../kernel/services/use-log.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { ReadTx } from '../../storage/store/store.js';

/** Returns what authenticates callers in a keep, and the ports that know of them. */
export function openCallers(parts: IdleLimitParts) {
  return {
    authenticate: underIdleLimit(authenticator(parts.uses), parts),
    ports: [
      useLog.answeredBy(parts.uses),
      sessionIdleMs.answeredBy(parts.idleMs),
      apiKeyIdOf.answeredBy(idOfStoredKey),
    ],
  };
}

/**
 * Returns the authenticator for any proof. It also records the use of keys. Stored data that
 * doesn't verify is an `internal_error`, and a blocked subject is refused with `subject_blocked`.
 */
function authenticator(uses: UseLog): Authenticator {
  return (tx, proof, nowMs, effects) => {
    try {
      const principal = proved(tx, proof, { nowMs, uses, effects });
      if (principal !== undefined) requireUnblocked(tx, principal);
      return principal;
    } catch (cause) {
      // An unauthenticated caller must not learn what is damaged.
      const isDamage = hasCode(cause, 'storage_inconsistency');
      throw isDamage ? new AgentkeepError('internal_error', { cause }) : cause;
    }
  };
}

function proved(tx: ReadTx, proof: CallerProof, check: ProofCheck): Principal | undefined {
  switch (proof.kind) {
    case 'bearer':
      return byBearer(tx, proof.token, check);
    case 'api_key':
      return authenticateApiKey(tx, proof.key, check);
    case 'held':
      return byHeldSubject(tx, proof.subject, check);
    // What it names has been proved by its key, and is held by then.
    case 'key':
      return undefined;
  }
}

const secrets = new SecretReader();

/** Access tokens don't get here: a verified one is replaced by its session. */
function byBearer(tx: ReadTx, token: string, check: ProofCheck): Principal | undefined {
  const secret = secrets.read(token);
  switch (secret?.kind) {
    case 'ak1':
      return authenticateBySecret(tx, secret, check);
    case 'akg1':
      return authenticateByGlobalSecret(tx, secret, check);
    case 'akst1':
    case 'aksg1':
      return authenticateBySessionSecret(tx, secret, check.nowMs);
    case 'aki1':
    case 'akr1':
    case undefined:
      return undefined;
  }
}

function byHeldSubject(tx: ReadTx, subject: HeldSubject, check: ProofCheck): Principal | undefined {
  switch (subject.kind) {
    case 'credential':
      return subject.tenantId === INSTALLATION
        ? authenticateHeldGlobalCredential(tx, subject, check)
        : authenticateHeldCredential(tx, subject, check);
    case 'key_holder':
      return authenticateKeyHolder(tx, subject, check);
    case 'delegated':
      return (
        authenticateDelegated(tx, subject, check.nowMs) ??
        authenticateFederated(tx, subject, check.nowMs) ??
        authenticateConnection(tx, subject, check.nowMs)
      );
    case 'session':
      return authenticateHeldSession(tx, subject, check.nowMs);
    case 'api_key':
      return authenticateHeldApiKey(tx, subject, check);
  }
}
