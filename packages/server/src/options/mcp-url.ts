/** The URL at which clients reach the Model Context Protocol. */
import { parsedUrl } from '@agentkeep/core/clients';

/** What {@link isMcpUrl} accepts, as a phrase. */
export const MCP_URL_ALLOWED = 'an http or https URL without user, query or fragment';

/** Returns whether a text is a URL that requests may name. */
export function isMcpUrl(text: string): boolean {
  if (!/^https?:\/\/[^?#@\s]+$/.test(text)) return false;
  const url = parsedUrl(text);
  return url?.username === '' && url.password === '';
}
