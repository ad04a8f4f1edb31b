/** Names of files and folders that no file system confuses. */
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { foldersOf, pathPart, recordFile } from './file-names.js';

test('plain names stay as they are', () => {
  for (const plain of ['style', 'ann', '2026-01-31', 'a.b', 'user_1']) {
    expect(pathPart(plain)).toBe(plain);
  }
});

test('names that a file system would change have a digest', () => {
  const names = [
    '.env',
    '_env',
    '..',
    '...',
    'Style',
    'style.',
    'con',
    'NUL.txt',
    'a/b',
    'a\\b',
    '',
  ];
  const parts = names.map(pathPart);
  for (const part of parts) expect(part).toMatch(/^[\p{L}\p{N}-]*~[\da-f]{16}$/u);
  expect(new Set(parts).size).toBe(names.length);
});

test('CMD-29 two texts never share a name, in any letter case or normal form', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
  const folded = (part: string): string => part.normalize('NFD').toLowerCase();
  fc.assert(
    fc.property(text, text, (one, other) => {
      fc.pre(one !== other);
      expect(folded(pathPart(one))).not.toBe(folded(pathPart(other)));
      expect(Buffer.byteLength(pathPart(one))).toBeLessThanOrEqual(200);
      expect(pathPart(one)).toMatch(/^[^\p{Cc}/\\:*?"<>|]+$/u);
      expect(pathPart(one)).not.toMatch(/^\./);
    }),
    { seed: inject('seed'), numRuns: 500 },
  );
});

test('folders of two scopes never coincide', () => {
  const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' };
  const all = [
    { scope, subject: 'x', branch: undefined },
    { scope, subject: 'x', branch: 'b' },
    { scope: { ...scope, project_id: '_branches' }, subject: 'x', branch: undefined },
    { scope: { ...scope, mission_id: 'a', agent_id: 'private' }, subject: 'x', branch: undefined },
    { scope: { ...scope, mission_id: '_' }, subject: 'x', branch: undefined },
    { scope: { ...scope, visibility: 'shared' }, subject: null, branch: undefined },
  ];
  const paths = all.map((each) => foldersOf(each).join('/'));
  expect(new Set(paths).size).toBe(all.length);
  expect(paths[0]).toBe('p/_/a/private/x');
});

test('a record without a name never has the file of one with a name', () => {
  const id = '0199b3f0-0000-7000-8000-000000000000';
  expect(recordFile(undefined, id)).toBe(`_${id}.md`);
  expect(recordFile(id, id)).toBe(`${id}.md`);
  expect(recordFile(`_${id}`, id)).toContain('~');
});
