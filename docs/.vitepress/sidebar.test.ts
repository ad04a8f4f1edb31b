/** Tests the sidebar of the site. */
import { expect, test } from 'vitest';
import { sidebarOf } from './sidebar.ts';
import type { SitePage } from './site-pages.ts';

const page = (path: string, title: string, text = ''): SitePage => ({ path, title, text });

const index = 'Read [Memory](guides/memory.md), then [Audit](guides/audit.md).';

test('sections follow the folders, and pages the index that names them', () => {
  const sections = sidebarOf([
    page('README.md', 'Agentkeep'),
    page('docs/README.md', 'Documentation', index),
    page('docs/guides/audit.md', 'Audit'),
    page('docs/guides/memory.md', 'Memory'),
    page('docs/guides/new.md', 'New'),
  ]);
  expect(sections).toEqual([
    {
      text: 'Overview',
      collapsed: false,
      items: [
        { text: 'Agentkeep', link: '/' },
        { text: 'Documentation', link: '/docs/' },
      ],
    },
    {
      text: 'Guides',
      collapsed: false,
      items: [
        { text: 'Memory', link: '/docs/guides/memory.md' },
        { text: 'Audit', link: '/docs/guides/audit.md' },
        { text: 'New', link: '/docs/guides/new.md' },
      ],
    },
  ]);
});

test('the index of a folder comes first and orders its pages', () => {
  const [section] = sidebarOf([
    page('docs/contract/README.md', 'Contract', '[Users](users.md) and [Audit](audit.md)'),
    page('docs/contract/audit.md', 'Audit'),
    page('docs/contract/users.md', 'Users'),
  ]);
  expect(section?.items.map(({ text }) => text)).toEqual(['Contract', 'Users', 'Audit']);
});

test('a page in a folder without a section is refused', () => {
  const message = 'docs/other/a.md has no section; add its folder in docs/.vitepress/sidebar.ts.';
  expect(() => sidebarOf([page('docs/other/a.md', 'A')])).toThrow(message);
});
