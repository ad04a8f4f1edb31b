/** Validates entries of the list of trusted proxies. */
import { parseTrustedProxies } from '../rate-limit/client-address.js';

/** Whether a text is an IP address or a CIDR range. */
export function isAddressRange(text: string): boolean {
  try {
    parseTrustedProxies([text]);
    return true;
  } catch {
    return false;
  }
}
