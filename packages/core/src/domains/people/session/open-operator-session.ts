/**
 * Opens a session of an account without its password, as a local operator decided
 * (docs/contract/console.md#csl-16).
 */
import { tenantIdOf } from '../../../kernel/access/principal.js';
import { formatSecret, SECRET_BYTES, verifierOf } from '../../../kernel/access/secret.js';
import { JWT_SESSION_MS } from '../../../contract/limits.js';
import type { AuditDraft, CallOrigin } from '../../../kernel/audit/audit.js';
import { requestMembers } from '../../../kernel/audit/call-events.js';
import { operatorEvent } from '../../../kernel/installation/operator-events.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import { loggedIn } from '../lockout/lockout-events.js';
import { normalUsername } from '../account/username.js';
import { findLogin } from './find-login.js';
import { openSession } from './open-session.js';

/** An account by its name. */
export interface NamedAccount {
  readonly username: string;
  /** Absent for an account of the installation. */
  readonly tenantId?: string | undefined;
}

/** The request that opens the session, for its event; absent for a command at the machine. */
export interface OpeningRequest {
  readonly origin: CallOrigin;
  readonly requestId: string | undefined;
  readonly traceId: string | undefined;
}

/** Returns the refresh token of a new session, or `undefined` if the account may not log in. */
export async function openOperatorSession(
  runtime: Runtime,
  { username: spelled, tenantId = INSTALLATION }: NamedAccount,
  request?: OpeningRequest,
): Promise<string | undefined> {
  const username = normalUsername(spelled);
  const id = runtime.newId();
  const bytes = runtime.entropy.bytes(SECRET_BYTES);
  const verifier = verifierOf({ kind: 'akr1', bytes });
  const draft = { id, kind: 'jwt', verifier, lifeMs: JWT_SESSION_MS } as const;
  const nowMs = runtime.clock.now();
  const opened = operatorEvent(runtime, tenantIdOf(tenantId), loggedIn('jwt', id));
  const event = request === undefined ? opened : { ...opened, ...requestedBy(request, opened) };
  return runtime.store.transact((tx) => {
    const found = findLogin(tx, { authority: tenantId, username }, nowMs);
    if (found?.mayLogIn !== true) return undefined;
    openSession(tx, found, draft, nowMs);
    runtime.audit.changed(tx, event);
    return formatSecret({ kind: 'akr1', id: found.accountId, sessionId: id, bytes });
  });
}

function requestedBy(
  { origin: { ipAddress, userAgent }, ...ids }: OpeningRequest,
  { metadata }: AuditDraft,
): Pick<AuditDraft, 'ipAddress' | 'userAgent' | 'metadata'> {
  return { ipAddress, userAgent, metadata: { ...metadata, ...requestMembers(ids) } };
}
