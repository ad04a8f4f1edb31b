/**
 * The validation suite of LangGraph for checkpointers. It runs in memory, and once more on
 * PostgreSQL where there is one; checkpointer-suite-on-disk.test.ts runs it on LMDB.
 */
import { testStore, testStoreKind } from '@agentkeep/testkit/test-store';
import { runSuite } from './run-suite.js';

const openStore = () => Promise.resolve(testStore());

runSuite('embedded', openStore);
// A server adds nothing that depends on the store.
if (testStoreKind === 'memory') runSuite('HTTP', openStore);
