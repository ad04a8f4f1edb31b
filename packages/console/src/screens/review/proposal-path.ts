/** Addresses of proposals. */
import { pathOf } from '../../routing/address.js';

/** Returns the path of a proposal, in whatever state it is. */
export function proposalPath(id: string): string {
  return pathOf('review', { id });
}
