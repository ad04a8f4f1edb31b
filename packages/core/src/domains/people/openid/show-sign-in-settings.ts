/** Shows the settings of sign-ins, without any secret. */
import { timeText } from '../../../contract/schema/time.js';
import type { SignInSettings } from '../sign-in/schema.js';
import type { StoredSignInSettings } from '../sign-in/settings-store.js';

/** Returns settings as answers show them; those of an authority that stated none, too. */
export function showSignInSettings(stored: StoredSignInSettings | undefined): SignInSettings {
  if (stored === undefined) {
    const never = { updated_at: null, updated_by: null };
    return { revision: 0, allows_passwords: true, issuers: [], ...never };
  }
  return {
    revision: stored.revision,
    allows_passwords: stored.allowsPasswords,
    issuers: stored.issuers.map(({ client_secret, ...issuer }) => ({
      ...issuer,
      has_client_secret: client_secret !== null,
    })),
    updated_at: timeText(stored.updatedAtMillis),
    updated_by: stored.updatedBy,
  };
}
