/** An export of skills that is killed at any of its steps: the next one ends as if nothing was. */
import type * as files from 'node:fs/promises';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { renewSkills } from './skill-folder.js';

/** Steps that change a folder until the process is killed; the one of the kill is done in part. */
const life = vi.hoisted(() => ({ steps: Infinity }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof files>();
  const killed = (): Promise<never> => Promise.reject(new Error('killed'));
  const step = (done: () => Promise<unknown>, inPart: () => Promise<unknown>) => {
    life.steps -= 1;
    if (life.steps > 0) return done();
    return life.steps === 0 ? inPart().then(killed) : killed();
  };
  const nothing = () => Promise.resolve();
  return {
    ...real,
    mkdir: (path: string, options: { recursive: true }) =>
      step(() => real.mkdir(path, options), nothing),
    rename: (from: string, to: string) => step(() => real.rename(from, to), nothing),
    rm: (path: string, options: { force: true }) => step(() => real.rm(path, options), nothing),
    rmdir: (path: string) => step(() => real.rmdir(path), nothing),
    writeFile: (path: string, text: string, options?: { flag: string }) =>
      step(
        () => real.writeFile(path, text, options),
        () => real.writeFile(path, text.slice(0, text.length / 2), options),
      ),
  };
});

const first = [
  { name: 'changed', text: 'Ask first.\n' },
  { name: 'withdrawn', text: 'Guess.\n' },
];
const second = [
  { name: 'changed', text: 'Ask first, then answer.\n' },
  { name: 'new', text: 'Say who said it.\n' },
];

/** What is exported next may have changed again. */
const third = [{ name: 'changed', text: 'Ask twice.\n' }];

async function contentOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  const texts = await Promise.all(
    paths.map((path) => readFile(path, 'utf8').catch(() => '(a folder)')),
  );
  return Object.fromEntries(paths.map((path, at) => [path.slice(folder.length), texts[at]!]));
}

test.each([
  ['the same', second],
  ['another', third],
  ['the one before', first],
])('SKL-C4 an export that is killed at any step is finished by %s', async (_next, next) => {
  const home = await mkdtemp(join(tmpdir(), 'agentkeep-skills-'));
  const [before, whole] = [join(home, 'before'), join(home, 'whole')];
  await renewSkills(before, first);
  await cp(before, whole, { recursive: true });
  await renewSkills(whole, next);
  const expected = await contentOf(whole);
  let kills = 0;
  for (let isKilled = true; isKilled; kills += 1) {
    const folder = join(home, String(kills));
    await cp(before, folder, { recursive: true });
    life.steps = kills + 1;
    isKilled = await renewSkills(folder, second).then(
      () => false,
      () => true,
    );
    life.steps = Infinity;
    const { left } = await renewSkills(folder, next);
    expect(left, `killed at step ${kills + 1}`).toEqual([]);
    expect(await contentOf(folder), `killed at step ${kills + 1}`).toEqual(expected);
  }
  expect(kills).toBeGreaterThan(12);
  await rm(home, { recursive: true });
});
