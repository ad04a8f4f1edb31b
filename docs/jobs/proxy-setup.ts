/** Says how to install the proxy that tests need, if it is missing. */
import { findNginx } from '../../packages/testkit/src/nginx/find-nginx.js';

const NO_PROXY = `
The tests of a server behind a proxy did NOT run: nginx or openssl is not installed.
Install them (Debian: apt-get install nginx-light openssl; the service of nginx need not run).
`;

/** Fails in CI, and prints a warning elsewhere. */
export default function setup(): void {
  if (findNginx() !== undefined) return;
  if (process.env['CI'] !== undefined) throw new Error(NO_PROXY);
  process.stderr.write(NO_PROXY);
}
