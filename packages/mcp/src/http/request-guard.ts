/** Refuses requests that a page of another site made a browser send. */
import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';

/** Returns why a request is refused, or `undefined` if it may pass. */
export type RequestGuard = (headers: Pick<Headers, 'get'>) => string | undefined;

/**
 * Returns a guard that lets pass what names a local host or one of `hosts`, in `Host` and, if there
 * is one, in `Origin`. Ports don't matter.
 */
export function requestGuard(hosts: readonly string[]): RequestGuard {
  const allowed = [...localhostAllowedHostnames(), ...hosts];
  return (headers) => {
    if (!validateHostHeader(headers.get('host'), allowed).ok) {
      return 'The Host of the request is not allowed. Connect to the public URL of the server.';
    }
    if (!validateOriginHeader(headers.get('origin'), allowed).ok) {
      return 'The Origin of the request is not allowed.';
    }
    return undefined;
  };
}
