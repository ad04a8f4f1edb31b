/**
 * How the server, its command line and the typed client are bundled for publication.
 *
 * @module
 */
import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts', client: 'src/client.ts', cli: 'src/cli/main.ts' },
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  dts: { entry: { index: 'src/index.ts', client: 'src/client.ts' } },
  sourcemap: true,
  splitting: true,
  clean: true,
  // The published bundles stand on published packages, never on a copy of their sources.
  external: ['lmdb', /^@agentkeep\/(?:core|postgres)/],
  loader: { '.json': 'json' },
});
