/** Bundles a module, so that processes which a test starts load it in a fraction of a second. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterFile } from '../after-file.js';

let bundles = 0;

/**
 * Bundles a module of a package with what it imports from its own files. Packages stay outside, so
 * the bundle is in the folder of the package until the tests of the file have ended.
 * @param name path of the module in `src`
 * @param home URL of the folder of the package
 * @returns the URL of the bundle
 */
export async function bundleModule(name: string, home: URL): Promise<string> {
  const folder = fileURLToPath(home);
  bundles += 1;
  const outfile = join(folder, `.cache/${String(process.pid)}-${String(bundles)}.mjs`);
  await build({
    ...{ entryPoints: [join(folder, 'src', name)], outfile, bundle: true, format: 'esm' },
    ...{ packages: 'external', platform: 'node', target: 'node20', logLevel: 'error' },
  });
  afterFile(() => rm(outfile));
  return pathToFileURL(outfile).href;
}
