/**
 * What has to be done after the tests of a file.
 */

type Cleanup = () => Promise<void>;

const cleanups: Cleanup[] = [];

/**
 * Does something after the last test of the file that runs. Modules that several files share cannot
 * use `afterAll`: they are run once for all of them, and the hook is one of the first file.
 */
export function afterFile(cleanup: Cleanup): void {
  cleanups.push(cleanup);
}

/** Does all of it. */
export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0)) await cleanup();
}
