/** Fills a data directory with the made-up company, and says how to look at it. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeep } from '@agentkeep/core';
import { COMPANY, fillCompany, PASSWORD } from './fill-company.js';
import { fillLearning } from './fill-learning.js';

const dataDir = process.argv[2] ?? (await mkdtemp(join(tmpdir(), 'agentkeep-company-')));
const keep = await openKeep({ dataDir });
const { usernames } = await fillCompany(keep);
await fillLearning(keep);
await keep.close();
console.log(`The company is in ${dataDir}. Look at it with`);
console.log(`\n  node packages/server/dist/cli.js serve --data-dir ${dataDir}\n`);
console.log('and open http://127.0.0.1:7474/console. Sign in to the tenant');
console.log(`${COMPANY} as ${usernames.join(', ')} with the password ${PASSWORD}.`);
