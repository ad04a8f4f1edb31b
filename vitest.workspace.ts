/**
 * The test projects of the workspace, told apart by file name.
 *
 * @module
 */
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** The export condition under which workspace packages resolve to their sources. */
const sourceCondition = 'agentkeep-source';

/** Node's own conditions stay, or native packages would resolve to their browser builds. */
const conditions = [sourceCondition, 'node', 'import', 'module', 'default'];

/** Options of a project beside its name and its files. */
type ProjectTest = NonNullable<TestProjectInlineConfiguration['test']>;

function project(name: string, include: string[], test: ProjectTest = {}) {
  return {
    extends: true as const,
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      ...test,
      name,
      include,
      exclude: [...configDefaults.exclude, '**/dist/**', ...(test.exclude ?? [])],
    },
  };
}

const property = '**/*.property.test.ts';
const process = '**/*.process.test.ts';
const slow = { testTimeout: 60_000, hookTimeout: 60_000 };
/** On another store than the one in memory, the same work takes longer. */
const onStore = globalThis.process.env['AGENTKEEP_TEST_STORE'] === undefined ? {} : slow;

export default defineConfig({
  test: {
    // Native lmdb environments cannot be shared between worker threads safely.
    pool: 'forks',
    maxWorkers: 2,
    passWithNoTests: true,
    restoreMocks: true,
    unstubEnvs: true,
    projects: [
      project('unit', ['packages/core/src/**/*.test.ts'], {
        exclude: [property, process],
        ...onStore,
      }),
      project('property', [`packages/*/src/${property}`], { testTimeout: 30_000, ...onStore }),
      project('server', ['packages/server/{src,test}/**/*.test.ts'], {
        exclude: [property, process],
        ...onStore,
      }),
      project('process', [`packages/*/{src,test}/${process}`], slow),
      project('examples', ['examples/**/*.test.ts'], slow),
      project('bench', ['bench/**/*.test.ts'], slow),
      project('docs', ['docs/**/*.test.ts', 'scripts/docs.test.ts'], slow),
      project('tidy', ['scripts/tidy.test.ts'], slow),
    ],
  },
});
