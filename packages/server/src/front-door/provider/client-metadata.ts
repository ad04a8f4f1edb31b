/**
 * What programs state of themselves: in a document at the URL that is their id, or in a
 * registration. All of them are public clients, so a registered id is the metadata itself and
 * nothing is stored: a registration gives nothing that an id made by hand would not.
 */
import { parsedUrl } from '@agentkeep/core/clients';
import { CLIENT_ID_CHARS_MAX, programName } from '@agentkeep/core/operator';
import { isRedirectAddress, REDIRECT_ADDRESS_ALLOWED } from './redirect-address.js';

/** Begins the ids of registered programs. */
const REGISTERED = 'akp1.';

/** Redirect addresses of one program. */
const REDIRECTS_MAX = 10;

/** What the redirect addresses of a program may be, as a sentence. */
export const REDIRECTS_ALLOWED = `redirect_uris must be 1 to ${REDIRECTS_MAX} addresses: ${REDIRECT_ADDRESS_ALLOWED}`;

/** What a name may be that counts, as a sentence. */
export const NAME_ALLOWED = 'client_name must have at most 256 UTF-8 bytes';

/** The metadata that counts; names are those of RFC 7591. */
export interface ClientMetadata {
  readonly client_name?: string;
  readonly client_uri?: string;
  readonly redirect_uris: readonly string[];
}

/** Returns metadata as the authorization server takes it; `undefined` if it has no usable form. */
export function providerMetadata(
  clientId: string,
  stated: unknown,
): Record<string, unknown> | undefined {
  const metadata = knownMetadata(stated);
  return metadata && { client_id: clientId, ...publicClient(metadata) };
}

/** Returns the members that count; `undefined` if a redirect address is none. */
export function knownMetadata(stated: unknown): ClientMetadata | undefined {
  if (typeof stated !== 'object' || stated === null) return undefined;
  const { client_name, client_uri, redirect_uris } = stated as Record<string, unknown>;
  if (!Array.isArray(redirect_uris)) return undefined;
  if (redirect_uris.length === 0 || redirect_uris.length > REDIRECTS_MAX) return undefined;
  const isAddress = (each: unknown): boolean => typeof each === 'string' && isRedirectAddress(each);
  if (!redirect_uris.every(isAddress)) return undefined;
  const name = typeof client_name === 'string' ? programName(client_name) : '';
  return {
    ...(name === undefined || name === '' ? {} : { client_name: name }),
    ...(typeof client_uri === 'string' ? { client_uri } : {}),
    redirect_uris: redirect_uris as readonly string[],
  };
}

/** Returns whether a name is stated that is too long to count. */
export function hasLongName({ client_name: name }: { readonly client_name?: unknown }): boolean {
  return typeof name === 'string' && programName(name) === undefined;
}

/** Returns the metadata with what holds for every program, whatever it states. */
export function publicClient(metadata: ClientMetadata): Record<string, unknown> {
  const { redirect_uris: uris } = metadata;
  const isWeb = uris.every((uri) => parsedUrl(uri)?.protocol === 'https:');
  return {
    ...metadata,
    // Programs on a person's machine may use loopback addresses and schemes of their own.
    application_type: isWeb ? 'web' : 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

/**
 * Returns the metadata of a program that sends a code or a token, which name all that counts of it:
 * the redirect address is that of the code, so here it only has to be there.
 */
export function holderMetadata(clientId: string): Record<string, unknown> {
  return { client_id: clientId, ...publicClient({ redirect_uris: [clientId] }) };
}

/** Returns the id of a registered program; `undefined` if its metadata is too long. */
export function registeredId(metadata: ClientMetadata): string | undefined {
  const id = REGISTERED + Buffer.from(JSON.stringify(metadata)).toString('base64url');
  return id.length <= CLIENT_ID_CHARS_MAX ? id : undefined;
}

/** Returns the metadata in the id of a registered program, or `undefined`. */
export function metadataOfId(id: string): Record<string, unknown> | undefined {
  if (!id.startsWith(REGISTERED) || id.length > CLIENT_ID_CHARS_MAX) return undefined;
  try {
    const text = Buffer.from(id.slice(REGISTERED.length), 'base64url').toString('utf8');
    return providerMetadata(id, JSON.parse(text));
  } catch {
    return undefined;
  }
}
