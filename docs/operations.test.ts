/**
 * The module of gauges that `operations.md` shows, ahead of a real server.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { freePort } from '../packages/testkit/src/process/free-port.js';
import { ServerProcess } from '../packages/testkit/src/process/server-process.js';
import { blocksOf } from '../scripts/docs/page-blocks.js';

const page = await readFile(join(import.meta.dirname, 'guides', 'operations.md'), 'utf8');
const section = page.split(/^## /mu).find((each) => each.startsWith('Queues\n')) ?? '';

/** The queues of the table. */
const queues = Array.from(section.matchAll(/^\| `(\w+)`/gmu), ([, queue]) => queue);

test('the module shows each queue of the table', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agentkeep-gauges-'));
  const port = await freePort();
  const path = join(folder, 'gauges.mjs');
  await writeFile(path, moduleOn(port));
  const variables = { NODE_OPTIONS: `--import ${pathToFileURL(path).href}` };
  const server = new ServerProcess(join(folder, 'data'), { variables });
  try {
    await server.listens();
    const answer = await fetch(`http://127.0.0.1:${port}`);
    const gauges = queues.map((queue) => `agentkeep_waiting{queue="${queue}"} 0\n`);
    // A server that has just started may still have something to do.
    expect((await answer.text()).replaceAll(/ \d+$/gmu, ' 0')).toBe(gauges.join(''));
    expect(await server.stop()).toBe(0);
  } finally {
    await server.kill();
    await rm(folder, { recursive: true });
  }
});

/** The module as it stands on the page, but for its port. */
function moduleOn(port: number): string {
  const [block] = blocksOf(section).filter(({ info }) => info === 'js');
  return (block?.text ?? '').replace('9464', String(port));
}
