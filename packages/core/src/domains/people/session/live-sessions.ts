/** The live sessions of an account, as lists show them. */
import { useLog } from '../../../kernel/services/use-log.js';
import type { Principal } from '../../../kernel/access/principal.js';
import { timeText } from '../../../contract/schema/time.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { boundCredential, isBindingLive } from '../account/account-principal.js';
import { isActiveAccount, type StoredAccount } from '../account/stored-account.js';
import { lastUseOf, sessionIdleMs } from './idle-limit.js';
import type { UserSession } from './schema.js';
import { isIdle, isLiveSession, pinOf } from './session-policy.js';
import { sessionsOf, type StoredSession } from './session-store.js';

/** The parts of a call that decide which sessions are live. */
interface LiveParts {
  readonly runtime: Pick<Runtime, 'ports'>;
  readonly nowMs: number;
}

/** Returns the sessions of an account that a call could be made in now, in order of login. */
export function liveSessionsOf(
  tx: ReadTx,
  account: StoredAccount,
  { runtime, nowMs }: LiveParts,
): StoredSession[] {
  const credential = boundCredential(tx, account);
  if (!isActiveAccount(account) || !isBindingLive(account, credential, nowMs)) return [];
  const bound = pinOf(credential);
  const [uses, idleMs] = [useLog.of(runtime), sessionIdleMs.of(runtime)];
  const isUsed = (session: StoredSession): boolean =>
    session.kind === 'opaque' || !isIdle(lastUseOf(uses, session), idleMs, nowMs);
  return sessionsOf(tx, account.authority, account.id).filter(
    (session) => isLiveSession(session, bound, nowMs) && isUsed(session),
  );
}

/** Returns a session without its secrets. */
export function showSession(
  session: StoredSession,
  { runtime, principal }: LiveParts & { readonly principal: Principal },
): UserSession {
  const { id, kind, signIn } = session;
  // Calls are noted only where a limit needs it; an older time would look like a pause.
  const hasUse = kind === 'jwt' && sessionIdleMs.of(runtime) !== 0;
  const { subject } = principal.held;
  return {
    session_id: id,
    kind,
    issuer: signIn?.issuer ?? null,
    created_at: timeText(session.createdAtMillis),
    expires_at: timeText(session.expiresAtMillis),
    last_used: hasUse ? timeText(lastUseOf(useLog.of(runtime), session)) : null,
    is_current: subject.kind === 'session' && subject.sessionId === id,
  };
}
