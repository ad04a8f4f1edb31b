/** A folder of skills holds ours as they are now, and everything else as it was. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { renewSkills } from './skill-folder.js';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agentkeep-skills-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const one = { name: 'one', text: 'First.\n' };
const two = { name: 'two', text: 'Second.\n' };
const fileOf = (name: string) => join(folder, name, 'SKILL.md');
const nothing = { written: [], unchanged: [], removed: [], left: [] };

test('SKL-C4, SKL-10 skills are written, left unchanged, replaced and removed', async () => {
  expect(await renewSkills(folder, [one, two])).toEqual({ ...nothing, written: ['one', 'two'] });
  expect(await readFile(fileOf('one'), 'utf8')).toBe('First.\n');
  expect(await renewSkills(folder, [one, two])).toEqual({ ...nothing, unchanged: ['one', 'two'] });
  const later = { name: 'one', text: 'First, later.\n' };
  const changes = { ...nothing, written: ['one'], removed: ['two'] };
  expect(await renewSkills(folder, [later])).toEqual(changes);
  expect(await readFile(fileOf('one'), 'utf8')).toBe('First, later.\n');
  expect((await readdir(folder)).toSorted()).toEqual(['.agentkeep-skills.json', 'one']);
});

test('SKL-C4 what others made or changed stays', async () => {
  await renewSkills(folder, [one, two]);
  await writeFile(fileOf('one'), 'Changed by hand.\n');
  await writeFile(join(folder, 'two', 'notes.md'), 'Mine.');
  await mkdir(join(folder, 'mine'));
  await writeFile(fileOf('mine'), 'My own skill.\n');
  const mine = { name: 'mine', text: 'Another skill of this name.\n' };
  expect(await renewSkills(folder, [mine])).toEqual({
    ...{ ...nothing, removed: ['two'] },
    left: ['one', 'mine'],
  });
  expect(await readFile(fileOf('one'), 'utf8')).toBe('Changed by hand.\n');
  expect(await readFile(fileOf('mine'), 'utf8')).toBe('My own skill.\n');
  expect(await readdir(join(folder, 'two'))).toEqual(['notes.md']);
});

test('SKL-C4 no link is followed', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'agentkeep-outside-'));
  await writeFile(join(outside, 'SKILL.md'), 'Elsewhere.\n');
  await symlink(outside, join(folder, 'one'));
  await mkdir(join(folder, 'two'));
  await symlink(join(outside, 'SKILL.md'), fileOf('two'));
  const changes = await renewSkills(folder, [one, two]);
  expect(changes).toEqual({ ...nothing, left: ['one', 'two'] });
  expect(await readFile(join(outside, 'SKILL.md'), 'utf8')).toBe('Elsewhere.\n');
  expect(await readdir(outside)).toEqual(['SKILL.md']);
  await symlink(outside, join(folder, 'linked'));
  await expect(renewSkills(join(folder, 'linked'), [one])).rejects.toThrow('is a link or a file');
  await rm(outside, { recursive: true });
});

test('SKL-C4 an interrupted export is finished by the next one', async () => {
  await renewSkills(folder, [one]);
  const list = join(folder, '.agentkeep-skills.json');
  const before = await readFile(list, 'utf8');
  const later = { name: 'one', text: 'First, later.\n' };
  await renewSkills(folder, [later]);
  const after = await readFile(list, 'utf8');
  const digests = [before, after].flatMap((text) => (JSON.parse(text) as { one: string[] }).one);
  // Stopped before and after the file was replaced, and beside a partial file.
  for (const text of [one.text, later.text]) {
    await writeFile(list, JSON.stringify({ one: digests }));
    await writeFile(fileOf('one'), text);
    await writeFile(`${fileOf('one')}.part`, 'Fir');
    await renewSkills(folder, [later]);
    expect(await readFile(fileOf('one'), 'utf8')).toBe('First, later.\n');
    expect(await readFile(list, 'utf8')).toBe(after);
  }
  await writeFile(list, '{"../one": []}');
  await expect(renewSkills(folder, [one])).rejects.toThrow('is no list that');
});
