/** Refuses requests that a page of another site made a browser send. */

/** Returns why a request is refused, or `undefined` if it may pass. */
export type RequestGuard = (headers: Pick<Headers, 'get'>) => string | undefined;

/** As a URL shows them. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** A host as it is sent, and its port. No other spelling of an address is understood. */
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/(.+)$/i;

/**
 * Returns a guard that permits requests that name a local host or one of `hosts`, in `Host` and, if
 * there is one, in `Origin`. Ports and letter case don't matter. The text is compared as it was
 * sent: a parser of URLs reads `2130706433` and `0x7f.1` as 127.0.0.1, which no client sends.
 */
export function requestGuard(hosts: readonly string[]): RequestGuard {
  const allowed = new Set([...LOCAL_HOSTS, ...hosts]);
  const isAllowed = (sent: string): boolean => {
    const [, name] = HOST.exec(sent) ?? [];
    return name !== undefined && allowed.has(name.toLowerCase());
  };
  return (headers) => {
    if (!isAllowed(headers.get('host') ?? '')) {
      return 'The Host of the request is not allowed. Connect to the public URL of the server.';
    }
    const origin = headers.get('origin');
    if (origin !== null && origin !== '' && !isAllowed(ORIGIN.exec(origin)?.[1] ?? '')) {
      return 'The Origin of the request is not allowed.';
    }
    return undefined;
  };
}
