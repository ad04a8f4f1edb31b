/** Validates entries of the list of trusted proxies. */
import { parseAddressRanges } from '../rate-limit/address-ranges.js';

/** Whether a text is an IP address or a CIDR range. */
export function isAddressRange(text: string): boolean {
  try {
    parseAddressRanges([text]);
    return true;
  } catch {
    return false;
  }
}
