/** The name of the program is what a person can write in the current directory. */
import { expect, test } from 'vitest';
import { programName } from './program-name.js';

const BY_NPX = 'npx -y -p @agentkeep/server agentkeep';

test.each([
  ['/usr/local/bin/agentkeep', 'agentkeep'],
  ['/srv/product/node_modules/.bin/agentkeep', BY_NPX],
  ['/srv/cache/_npx/1f/node_modules/.bin/agentkeep', BY_NPX],
  ['/srv/keep/packages/server/dist/cli.js', 'node packages/server/dist/cli.js'],
  ['/opt/keep/dist/cli.js', 'node /opt/keep/dist/cli.js'],
])('%s is run as "%s"', (path, name) => {
  expect(programName(path, '/srv/keep')).toBe(name);
});
