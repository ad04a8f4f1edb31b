/**
 * The test projects of the workspace, told apart by file name.
 *
 * @module
 */
import { env } from 'node:process';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { findPgBouncer } from './packages/testkit/src/postgres/find-pg-bouncer.ts';
import { hasDatabase } from './packages/testkit/src/postgres/find-postgres.ts';

/** The export condition under which workspace packages resolve to their sources. */
const sourceCondition = 'agentkeep-source';

/** Node's own conditions stay, or native packages would resolve to their browser builds. */
const conditions = [sourceCondition, 'node', 'import', 'module', 'default'];

/** Those that Node is started with; by itself it adds `import` or `require`, whichever it does. */
const nodeConditions = [sourceCondition, 'node'];

/** Time for tests of processes and over a network. */
const slow = { testTimeout: 60_000, hookTimeout: 60_000 };

/** Starts a database server for tests that need one. */
const databaseSetup = 'packages/postgres/test/global-setup.ts';

const databaseBench = 'bench/postgres.test.ts';

/** Without a database, only what needs none is tested; the setup says so. */
const databaseTests = hasDatabase()
  ? ['packages/postgres/{src,test}/**/*.test.ts', databaseBench]
  : ['packages/postgres/src/**/*.test.ts'];

/** The cases of the contract once more, on the database; `npm run test:stores` runs everything. */
const databaseCases = hasDatabase()
  ? ['packages/server/test/contract/{cases-*,*races}.test.ts']
  : [];

/** Says what is not tested where there is no pooler. */
const poolerSetup = 'packages/postgres/test/pooler-setup.ts';

const poolerTests = 'packages/postgres/test/pooler*.test.ts';

/** The store that the tests of everything else run on, if it is not the one in memory. */
const testStore = env['AGENTKEEP_TEST_STORE'];

/** On another store the same work takes longer. */
const onStore = testStore === undefined ? {} : slow;
const onDatabase = testStore?.startsWith('packages/postgres/') ? [databaseSetup] : [];

/** Options of a project beside its name and its files. */
type ProjectTest = NonNullable<TestProjectInlineConfiguration['test']>;

function project(name: string, include: string[], test: ProjectTest = {}) {
  return {
    extends: true as const,
    resolve: { conditions },
    ssr: { resolve: { conditions: nodeConditions, externalConditions: nodeConditions } },
    test: {
      globalSetup: onDatabase,
      ...test,
      name,
      include,
      exclude: [...configDefaults.exclude, '**/dist/**', ...(test.exclude ?? [])],
    },
  };
}

const property = '**/*.property.test.ts';
const process = '**/*.process.test.ts';

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
      project('postgres', databaseTests, {
        ...slow,
        exclude: findPgBouncer() === undefined ? [poolerTests] : [],
        globalSetup: [poolerSetup, databaseSetup],
      }),
      project('cases on postgres', databaseCases, {
        ...slow,
        env: { AGENTKEEP_TEST_STORE: 'packages/postgres/test/test-database.ts' },
        globalSetup: [databaseSetup],
      }),
      project('process', [`packages/*/{src,test}/${process}`], slow),
      project('proof', ['packages/{proof,testkit}/src/**/*.test.ts'], {
        ...slow,
        exclude: [process],
      }),
      project('examples', ['examples/**/*.test.ts'], slow),
      project('bench', ['bench/**/*.test.ts'], { ...slow, exclude: [databaseBench] }),
      project('docs', ['docs/**/*.test.ts', 'scripts/docs.test.ts'], slow),
      project('tidy', ['scripts/tidy.test.ts'], slow),
    ],
  },
});
