/** The sessions that an issuer has opened. */
import type { WriteTx } from '../../../storage/store/store.js';
import type { StoredAccount } from '../account/stored-account.js';
import { removeSession, sessionsOf } from '../session/session-store.js';

/** Ends the sessions of an account that an issuer vouched for. Returns how many there were. */
export function endIssuerSessions(
  tx: WriteTx,
  { authority, id }: StoredAccount,
  issuer: string,
): number {
  const own = sessionsOf(tx, authority, id).filter(({ signIn }) => signIn?.issuer === issuer);
  for (const session of own) removeSession(tx, session);
  return own.length;
}
