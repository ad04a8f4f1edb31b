/** Finds Chromium for tests. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Variable with the path of the program. */
export const CHROMIUM_VARIABLE = 'AGENTKEEP_TEST_CHROMIUM';

/** What distributions call it. The one without windows takes a third of the processor time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser'];

/** Returns the path of the program, or `undefined` if it is not installed. */
export function findChromium(): string | undefined {
  const given = process.env[CHROMIUM_VARIABLE];
  if (given !== undefined) return given;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path));
}
