/**
 * The text that names a credential with a key: `akk1_` and its id. It is no secret: each call
 * proves the key beside it (docs/contract/key-credentials.md#kcr-5).
 */
const FORM = /^akk1_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** Returns the token of a credential. */
export function keyTokenOf(credentialId: string): string {
  return `akk1_${credentialId.replaceAll('-', '')}`;
}

/** Returns the id of the credential that a token names; `undefined` for any other text. */
export function credentialOfKeyToken(token: string): string | undefined {
  const parts = FORM.exec(token);
  return parts === null ? undefined : parts.slice(1).join('-');
}
