/** The error class keeps its name in the bundles that users install, also in stacks. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const bundles = ['client/dist/index.js', 'core/dist/index.js'];

/** Prints the class of an error, and the error as an uncaught one is printed. */
const program = (bundle: string) => `
  import { AgentkeepError } from ${JSON.stringify(bundle)};
  console.log(new AgentkeepError('forbidden').constructor.name);
  throw new AgentkeepError('not_found');
`;

test.each(bundles)('%s prints the errors that it throws as AgentkeepError', async (path) => {
  const bundle = new URL(`../../${path}`, import.meta.url).href;
  const run = promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program(bundle)],
    { cwd: fileURLToPath(new URL('../../core', import.meta.url)) },
  );
  const failure: unknown = await run.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({
    code: 1,
    stdout: 'AgentkeepError\n',
    stderr: expect.stringMatching(/^AgentkeepError: There is nothing at this path\./m) as string,
  });
  expect((failure as { stderr: string }).stderr).not.toContain('_AgentkeepError');
});
