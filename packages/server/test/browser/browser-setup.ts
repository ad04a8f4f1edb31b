/** Says how to install the browser that tests need, if it is missing. */
import { CHROMIUM_VARIABLE, findChromium } from '@agentkeep/testkit/find-chromium';

const NO_BROWSER = `
The tests of the reference page in a browser did NOT run: Chromium is not installed.
Install it (Debian: apt-get install chromium-headless-shell), or set
${CHROMIUM_VARIABLE} to the path of its program.
`;

/** Fails in CI, and prints a warning elsewhere. */
export default function setup(): void {
  if (findChromium() !== undefined) return;
  if (process.env['CI'] !== undefined) throw new Error(NO_BROWSER);
  process.stderr.write(NO_BROWSER);
}
