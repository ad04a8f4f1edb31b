/**
 * Tells entries of a list of proxies from other texts.
 * @module
 */
import { parseTrustedProxies } from '../rate-limit/client-address.js';

/** Whether a text is an IP address, or one with a prefix length behind a slash. */
export function isAddressRange(text: string): boolean {
  try {
    parseTrustedProxies([text]);
    return true;
  } catch {
    return false;
  }
}
