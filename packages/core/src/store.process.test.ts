/** What importing the storage port loads. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Prints the native libraries of LMDB that the process has loaded. */
const REPORT = `
await import(process.argv[1]);
process.report.excludeNetwork = true;
const { sharedObjects } = process.report.getReport();
console.log(JSON.stringify(sharedObjects.filter((path) => /lmdb/.test(path))));
`;

const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

async function lmdbLibrariesOf(module: string): Promise<unknown> {
  const url = new URL(module, import.meta.url).href;
  const flags = ['--import', loader, '--input-type=module', '--eval', REPORT, url];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  return JSON.parse(stdout);
}

test('importing the storage port loads no LMDB', async () => {
  expect(await lmdbLibrariesOf('./store.ts')).toEqual([]);
  // The entry that does load it, so that this test cannot pass by looking for the wrong name.
  expect(await lmdbLibrariesOf('./index.ts')).not.toEqual([]);
});
