/** Finds the issuer of a sign-in, and the trust that it is spoken to with. */
import type { SignInTrust } from '../../../kernel/ports/sign-in-protocol.js';
import type { ReadTx } from '../../../storage/store/store.js';
import {
  findSignInSettings,
  type StoredSignInIssuer,
  type StoredSignInSettings,
} from '../sign-in/settings-store.js';

/** An issuer that is not blocked, with the settings that name it. */
export interface NamedIssuer {
  readonly settings: StoredSignInSettings;
  readonly issuer: StoredSignInIssuer;
}

/** Returns an issuer by its name; `undefined` for an unknown or blocked one. */
export function findSignInIssuer(
  tx: ReadTx,
  authority: string,
  name: string,
): NamedIssuer | undefined {
  const settings = findSignInSettings(tx, authority);
  const issuer = settings?.issuers.find((each) => each.name === name && !each.is_blocked);
  return settings === undefined || issuer === undefined ? undefined : { settings, issuer };
}

/** Returns what a sign-in protocol needs of an issuer. */
export function trustOf({ settings, issuer }: NamedIssuer): SignInTrust {
  return {
    authority: settings.authority,
    name: issuer.name,
    revision: settings.revision,
    issuer: issuer.issuer,
    clientId: issuer.client_id,
    clientSecret: issuer.client_secret,
    scope: issuer.scope,
  };
}
