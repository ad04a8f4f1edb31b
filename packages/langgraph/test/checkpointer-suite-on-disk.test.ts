/** The validation suite of LangGraph for checkpointers, on LMDB. */
import { newDatabase } from '@agentkeep/testkit/lmdb-database';
import { afterAll, describe } from 'vitest';
import { runSuite } from './run-suite.js';

const database = newDatabase();

afterAll(async () => (await database).drop());

describe('on LMDB', () => {
  runSuite('embedded', async () => (await database).open());
});
