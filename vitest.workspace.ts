/**
 * The test projects of the workspace, told apart by file name.
 */
import { relative } from 'node:path';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import {
  configDefaults,
  defineConfig,
  type Plugin,
  type TestProjectInlineConfiguration,
} from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { findPgBouncer } from './packages/testkit/src/postgres/find-pg-bouncer.ts';
import { hasDatabase } from './packages/testkit/src/postgres/find-postgres.ts';
import { installFingerprint } from './scripts/fingerprint.mjs';
import { isByHand, isLong } from './scripts/long-tests.ts';
import { findPython } from './scripts/python/find-python.ts';
import { runDirectory } from './scripts/run-directory.ts';

const root = fileURLToPath(new URL('.', import.meta.url));

/** The export condition under which workspace packages resolve to their sources. */
const sourceCondition = 'agentkeep-source';

/** Node's own conditions stay, or native packages would resolve to their browser builds. */
const conditions = [sourceCondition, 'node', 'import', 'module', 'default'];

/** Those that Node is started with; by itself it adds `import` or `require`, whichever it does. */
const nodeConditions = [sourceCondition, 'node'];

/** Starts a database server for tests that need one. */
const databaseSetup = 'packages/postgres/test/global-setup.ts';

const databaseBench = 'bench/postgres.test.ts';

/** Without a database, only what needs none is tested; the setup says so. */
const databaseTests = hasDatabase()
  ? ['packages/postgres/{src,test}/**/*.test.ts', databaseBench]
  : ['packages/postgres/src/**/*.test.ts'];

/**
 * These once more on stores on disk: what the contract promises, and what depends on the order of
 * commits. A body in memory ends at once, so only a store that waits for its commit shows what
 * happens in between. `npm run test:stores -- lmdb` runs everything of core and server on LMDB.
 */
const casesOnStores = [
  'packages/contract-cases/test/**/*.test.ts',
  'packages/core/src/domains/memory/branching/*.test.ts',
  'packages/server/test/front-door/door-races.test.ts',
  'packages/server/test/attacks/pressed-at-once.test.ts',
  'packages/langgraph/test/checkpointer-{suite,races}.test.ts',
];

/** Without a database, on LMDB only. */
const databaseCases = hasDatabase() ? casesOnStores : [];

/** Each pair of capabilities; stores on disk run the random histories of pairs instead. */
const pairCases = 'packages/contract-cases/test/pairs/pair-cases.test.ts';

/** On the default store also what a program evaluates, unless another store was chosen. */
const lmdbCases = [...casesOnStores, 'packages/server/test/evaluate-cases.test.ts'];

/** Says what is not tested where there is no pooler. */
const poolerSetup = 'packages/postgres/test/pooler-setup.ts';

const poolerTests = 'packages/postgres/test/pooler*.test.ts';

/** The store that the tests of everything else run on, if it is not the one in memory. */
const testStore = env['AGENTKEEP_TEST_STORE'];

/** These start processes, which choose their own store. */
const processTests = '**/*.process.test.ts';

/** Says what is not tested where there is no Python with the packages of its tests. */
const pythonSetup = 'scripts/python/python-setup.ts';

/** Remembered for the other projects: each loads this module anew, and asking starts a Python. */
const hasPython = (env['AGENTKEEP_TEST_HAS_PYTHON'] ??= String(findPython() !== undefined));

/** The setup runs where a test does, so without Python it runs for those that need none. */
const pythonTests = `scripts/python/*${hasPython === 'true' ? '.process' : ''}.test.ts`;

/** Says what is not tested where there is no Chromium. */
const browserSetup = 'packages/server/test/browser/browser-setup.ts';

const browserTests = 'packages/server/test/browser/*.test.ts';

/** Says what is not tested where there is no nginx. */
const proxySetup = 'docs/jobs/proxy-setup.ts';

const proxyTests = 'docs/jobs/*-proxy.process.test.ts';

const onDatabase = testStore?.startsWith('packages/postgres/') ? [databaseSetup] : [];

/** Chooses everything random in tests; the same seed chooses the same again. */
const seed = Number(env['AGENTKEEP_TEST_SEED'] ?? 1);
if (!Number.isSafeInteger(seed)) throw new Error('AGENTKEEP_TEST_SEED is not a whole number.');

declare module 'vitest' {
  interface ProvidedContext {
    seed: number;
  }
}

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

/** Tests that replace modules or measure memory, each file in a process of its own. */
const isolated = '**/*.isolated.test.ts';

const projects = [
  project('tests', ['**/*.test.ts'], {
    exclude: [
      ...['packages/postgres/**', databaseBench, isolated, pythonTests, browserTests, proxyTests],
      ...(testStore === undefined ? [] : [processTests]),
    ],
  }),
  project('python', [pythonTests], {
    exclude: testStore === undefined && hasPython === 'true' ? [] : [processTests],
    globalSetup: [pythonSetup],
  }),
  project('browser', testStore === undefined ? [browserTests] : [], {
    globalSetup: [browserSetup],
  }),
  project('proxy', testStore === undefined ? [proxyTests] : [], {
    globalSetup: [proxySetup],
  }),
  project('postgres', databaseTests, {
    exclude: findPgBouncer() === undefined ? [poolerTests] : [],
    globalSetup: [poolerSetup, databaseSetup],
  }),
  project('cases on postgres', databaseCases, {
    env: { AGENTKEEP_TEST_STORE: 'packages/postgres/test/test-database.ts' },
    exclude: [pairCases, processTests],
    globalSetup: [databaseSetup],
  }),
  project('cases on a speculative store', testStore === undefined ? casesOnStores : [], {
    env: { AGENTKEEP_TEST_STORE: 'speculative' },
    exclude: [pairCases, processTests],
  }),
  project('cases on lmdb', testStore === undefined ? lmdbCases : [], {
    env: { AGENTKEEP_TEST_STORE: 'lmdb' },
    exclude: [processTests],
  }),
  project('isolated', [`packages/*/{src,test}/${isolated}`], { isolate: true }),
];

/** Files that take long or wait for other processes; both cores are busy up to the end. */
const firstFiles = [
  /proofs\.test\.ts$/,
  /\.process\.test\.ts$/,
  /\/packages\/(?:contract-cases|server)\//,
];

/** Which tests run: those that play long, the others, or all where neither is said. */
const part = env['AGENTKEEP_TESTS'];

/** Tells whether a file belongs to the part that runs. */
function runs({ project, moduleId }: TestSpecification): boolean {
  if (part === undefined) return true;
  const path = relative(root, moduleId);
  return !isByHand(project.name, path) && isLong(project.name, path) === (part === 'long');
}

/**
 * One project after the other, since a process takes the next file only of its own project; in each
 * the files that take longest first.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const names = projects.map(({ test }) => test.name);
    const rank = ({ project, moduleId }: TestSpecification): number => {
      const first = firstFiles.findIndex((pattern) => pattern.test(moduleId));
      return names.indexOf(project.name) * 10 + (first === -1 ? 9 : first);
    };
    const sorted = await super.sort(files.filter(runs));
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}

const serverFile = fileURLToPath(
  new URL('packages/server/src/http/create-server.ts', import.meta.url),
);
const heldServer = fileURLToPath(new URL('packages/server/test/held-server.ts', import.meta.url));

/** Holds the answers of servers in process against the contract, as those of `fetch` are. */
const holdServers: Plugin = {
  name: 'hold-servers',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (!source.endsWith('/create-server.js') || importer === heldServer) return undefined;
    const found = await this.resolve(source, importer, { skipSelf: true });
    return found?.id === serverFile ? heldServer : found;
  },
};

/**
 * Where an import of a package leads follows from manifests, which vitest doesn't count into the
 * key of a transformed module. A lockfile that changed empties the cache.
 */
const keepTransformed: Plugin = {
  name: 'keep-transformed',
  configureVitest: ({ experimental_defineCacheKeyGenerator: defineKey }) => {
    const manifests = installFingerprint(root);
    defineKey(() => manifests);
  },
};

export default defineConfig({
  plugins: [holdServers, keepTransformed, runDirectory],
  test: {
    // Native lmdb environments cannot be shared between worker threads safely.
    pool: 'forks',
    maxWorkers: 2,
    // Files of a project share a process, and with it the modules that they import.
    isolate: false,
    // A test that takes this long hangs. Nothing else is judged by time, since machines are busy.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    passWithNoTests: true,
    restoreMocks: true,
    unstubEnvs: true,
    sequence: { sequencer: LongestFirst },
    provide: { seed },
    // Transformed once for all projects and later runs, not once in each project of each run.
    experimental: { fsModuleCache: true, fsModuleCachePath: `${root}.cache/vitest` },
    setupFiles: ['packages/testkit/src/setup-file.ts'],
    projects,
  },
});
