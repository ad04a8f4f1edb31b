/**
 * How the store on PostgreSQL is bundled for publication.
 *
 * @module
 */
import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts' },
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  dts: true,
  sourcemap: true,
  splitting: true,
  clean: true,
  // The published bundle stands on the published core, never on a copy of its sources.
  external: ['pg', /^@agentkeep\/core/],
});
