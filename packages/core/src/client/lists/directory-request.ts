/** The request for a page of a directory. */
import type { CallOptions } from '../call.js';
import { CONTRACT_VERSION } from '../../contract/version.js';

/** The page of a directory to return. */
export interface DirectoryRequest extends CallOptions {
  /** Largest number of items, 1 to 100; default 25. */
  readonly limit?: number;
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string;
}

/** How many items to return, and from where on. */
interface PlaceInDirectory {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Returns the parameters of the request for a page. */
export function directoryParameters({ limit, cursor }: PlaceInDirectory) {
  return {
    contract_version: CONTRACT_VERSION,
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}
