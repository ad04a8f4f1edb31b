/** Tests where the links of pages lead on the site. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { repositoryAddress, targetOf } from './page-links.ts';

const root = mkdtempSync(join(tmpdir(), 'agentkeep-links-'));
mkdirSync(join(root, 'packages/core'), { recursive: true });
writeFileSync(join(root, 'packages/core/index.ts'), '');
afterAll(() => rmSync(root, { recursive: true }));

const pages = new Set(['README.md', 'docs/README.md', 'docs/guides/memory.md']);
const repository = { root, pages, address: undefined };
const published = { ...repository, address: 'https://example.org/agentkeep' };

test.each([
  ['#promises', '#promises'],
  ['https://example.org/a#b', 'https://example.org/a#b'],
  ['docs/guides/memory.md#safe-retries', '/docs/guides/memory.md#safe-retries'],
  ['docs/README.md#guides', '/docs/#guides'],
  ['docs/', '/docs/'],
])('%s leads to %s', (written, link) => {
  expect(targetOf(repository, 'README.md', written)).toEqual({ link });
});

test('a link goes up from the folder of its page', () => {
  expect(targetOf(repository, 'docs/guides/memory.md', '../../README.md')).toEqual({ link: '/' });
});

test('a source has no link until the repository has an address', () => {
  const written = '../../packages/core/index.ts';
  const page = 'docs/guides/memory.md';
  expect(targetOf(repository, page, written)).toEqual({ source: 'packages/core/index.ts' });
  const blob = 'https://example.org/agentkeep/blob/HEAD/packages/core/index.ts';
  expect(targetOf(published, page, written)).toEqual({ link: blob });
  const tree = 'https://example.org/agentkeep/tree/HEAD/packages';
  expect(targetOf(published, page, '../../packages/')).toEqual({ link: tree });
});

test.each(['docs/none.md', '../README.md'])('%s is refused, since it does not exist', (written) => {
  const message = `README.md links to ${written}, which does not exist.`;
  expect(() => targetOf(repository, 'README.md', written)).toThrow(message);
});

test.each([
  ['{}', undefined],
  ['{ "repository": "https://example.org/a" }', 'https://example.org/a'],
  ['{ "repository": { "url": "git+https://example.org/a.git" } }', 'https://example.org/a'],
])('the manifest %s names %s', (manifest, address) => {
  writeFileSync(join(root, 'package.json'), manifest);
  expect(repositoryAddress(root)).toBe(address);
});
