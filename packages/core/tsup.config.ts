/**
 * How the engine is bundled for publication.
 *
 * @module
 */
import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    operator: 'src/operator.ts',
    testing: 'src/testing.ts',
    store: 'src/store.ts',
    'snapshot-check': 'src/administration/snapshot/snapshot-check.ts',
  },
  format: ['esm'],
  target: 'node20',
  platform: 'node',
  dts: true,
  sourcemap: true,
  splitting: true,
  clean: true,
  // Bundling lmdb picks an entry whose asynchronous writes never finish; argon2 is native.
  external: ['lmdb', '@node-rs/argon2'],
});
