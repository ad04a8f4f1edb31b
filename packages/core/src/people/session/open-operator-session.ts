/**
 * Opens a session of an account without its password: a local operator command
 * (docs/contract/console.md#csl-16).
 */
import { tenantIdOf } from '../../access/authority.js';
import { formatSecret, SECRET_BYTES, verifierOf } from '../../access/secret.js';
import { JWT_SESSION_MS } from '../../contract/limits.js';
import { operatorEvent } from '../../runtime/installation/operator-events.js';
import type { Runtime } from '../../runtime/services/runtime.js';
import { INSTALLATION } from '../../storage/store/keyspace.js';
import { loggedIn } from '../lockout/lockout-events.js';
import { findLogin } from './find-login.js';
import { openSession } from './open-session.js';

/** An account by its name. */
export interface NamedAccount {
  readonly username: string;
  /** Absent for an account of the installation. */
  readonly tenantId?: string | undefined;
}

/** Returns the refresh token of a new session, or `undefined` if the account may not log in. */
export async function openOperatorSession(
  runtime: Runtime,
  { username, tenantId = INSTALLATION }: NamedAccount,
): Promise<string | undefined> {
  const id = runtime.newId();
  const bytes = runtime.entropy.bytes(SECRET_BYTES);
  const verifier = verifierOf({ kind: 'akr1', bytes });
  const draft = { id, kind: 'jwt', verifier, lifeMs: JWT_SESSION_MS } as const;
  const nowMs = runtime.clock.now();
  const event = operatorEvent(runtime, tenantIdOf(tenantId), loggedIn('jwt', id));
  return runtime.store.transact((tx) => {
    const found = findLogin(tx, { authority: tenantId, username }, nowMs);
    if (found?.mayLogIn !== true) return undefined;
    openSession(tx, found, draft, nowMs);
    runtime.audit.changed(tx, event);
    return formatSecret({ kind: 'akr1', id: found.accountId, sessionId: id, bytes });
  });
}
