/**
 * Redirects, which are never followed: their target would get the secret, or the name and password
 * of a login.
 */
import { AgentkeepError } from '@agentkeep/core/clients';
import { parsedUrl } from '@agentkeep/core/clients';

const REDIRECTS = [301, 302, 303, 307, 308];

/** Returns whether an answer leads to another address. Browsers hide its status. */
export function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || REDIRECTS.includes(status);
}

/** Returns the error of a redirect, which names the new address where the runtime shows it. */
export function redirected({ status, headers, url }: Response): AgentkeepError {
  const address = shownAddress(headers.get('Location'), url);
  const where = address === undefined ? 'another address' : address;
  const message = `The server redirects to ${where}. Redirects are not followed, so nothing was sent there. If it is your server, use that address.`;
  const details = address === undefined ? { status } : { status, location: address };
  return new AgentkeepError('unexpected_answer', { message, details });
}

/** Returns an address without user, password, query and fragment, which may hold secrets. */
function shownAddress(location: string | null, base: string): string | undefined {
  const from = base === '' ? undefined : base;
  const url = location === null ? undefined : parsedUrl(location, from);
  return url && `${url.origin}${url.pathname}`;
}
