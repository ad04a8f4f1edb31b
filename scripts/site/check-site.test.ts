/** Tests that faults of a built site are found. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { siteProblems } from './check-site.ts';

const root = mkdtempSync(join(tmpdir(), 'agentkeep-site-'));
const site = join(root, 'site');
mkdirSync(join(root, 'docs'));
mkdirSync(join(site, 'docs'), { recursive: true });
mkdirSync(join(site, 'assets'));
afterAll(() => rmSync(root, { recursive: true }));

writeFileSync(join(root, 'README.md'), '# A `b` & [c](docs/page.md)\n');
writeFileSync(join(root, 'docs/page.md'), '# Page\n');

const sidebar = '<a href="/site/">A</a><a href="/site/docs/page.html">Page</a>';
const heading = (html: string): string => `<h1 id="t">${html} <a class="header-anchor"></a></h1>`;
const home = `${sidebar}${heading('A <code>b</code> &amp; <a href="/site/docs/page.html#t">c</a>')}`;

function problemsOf(page: string, style = ''): readonly string[] {
  writeFileSync(join(site, 'index.html'), home);
  writeFileSync(join(site, 'docs/page.html'), page);
  writeFileSync(join(site, 'assets/style.css'), style);
  return siteProblems(root, site, '/site/').problems;
}

test('a whole site has no problems', () => {
  const page = `${sidebar}${heading('Page')}<a href="../index.html#t">A</a><a href="#t">Top</a>`;
  expect(problemsOf(page, '@font-face { src: url(/site/assets/a.woff2) }')).toEqual([]);
});

test('wrong titles, dead links and requests to other hosts are problems', () => {
  const links = '<a href="/site/none.html">1</a><a href="/site/#none">2</a><a href="/docs/">3</a>';
  const script = '<script src="https://example.org/a.js"></script>';
  const style = '@import "https://example.org/a.css"';
  expect(problemsOf(`<a href="/site/">A</a>${heading('Other')}${links}${script}`, style)).toEqual([
    'docs/page.md is shown with the title "Other"',
    'docs/page.md is not in the sidebar',
    'docs/page.md leads to /site/none.html, which is not on the site',
    'docs/page.md leads to /site/#none, which is not on the site',
    'docs/page.md leads to /docs/, which is not on the site',
    'docs/page.md fetches https://example.org/a.js from another host',
    'assets/style.css fetches https://example.org/a.css from another host',
  ]);
});

test('a page that was not built is a problem', () => {
  problemsOf('');
  rmSync(join(site, 'docs/page.html'));
  expect(siteProblems(root, site, '/site/').problems).toContain('docs/page.md is not on the site');
});
