/** Advice for the operator about the connection to a database. */
import { parsedUrl } from '@agentkeep/core/clients';
import { isIPv4 } from 'node:net';

/** Variables of PostgreSQL that apply if the URL doesn't set them. */
type Variables = Readonly<Partial<Record<string, string>>>;

/** The only mode that encrypts the connection and proves the server's identity by its name. */
const SAFE_MODE = 'verify-full';

const UNVERIFIED =
  'The database is on another host, and the connection to it is not verified: others on the ' +
  'network may read or change data. Add sslmode=verify-full to store_url.';

/** Returns a warning for a database on another host without verified TLS, or `undefined`. */
export function databaseAdvice(storeUrl: string, variables: Variables): string | undefined {
  const url = parsedUrl(storeUrl);
  if (url === undefined) return undefined;
  const { hostname, searchParams } = url;
  const host = searchParams.get('host') ?? (hostname || variables['PGHOST'] || '');
  const mode = searchParams.get('sslmode') ?? variables['PGSSLMODE'];
  return isLocal(decodeURIComponent(host)) || mode === SAFE_MODE ? undefined : UNVERIFIED;
}

/** Loopback, or the directory of a socket. */
function isLocal(host: string): boolean {
  if (host === '' || host.startsWith('/')) return true;
  if (isIPv4(host)) return host.startsWith('127.');
  return ['localhost', '[::1]', '::1'].includes(host);
}
