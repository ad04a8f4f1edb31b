/** The URL at which clients reach the Model Context Protocol. */

/** What {@link isMcpUrl} accepts, as a phrase. */
export const MCP_URL_ALLOWED = 'an http or https URL without user, query or fragment';

/** Returns whether a text is a URL that requests may name. */
export function isMcpUrl(text: string): boolean {
  if (!/^https?:\/\/[^?#@\s]+$/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
