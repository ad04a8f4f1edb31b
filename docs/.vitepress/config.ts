/** The site of the documentation, which `npm run docs:site` builds from the files themselves. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { headingSlug } from '../../scripts/docs/heading-slug.ts';
import { adaptMarkdown, type Markdown } from './markdown.ts';
import { repositoryAddress } from './page-links.ts';
import { sidebarOf } from './sidebar.ts';
import { sitePages, sitePath } from './site-pages.ts';

const root = join(import.meta.dirname, '../..');
const pages = sitePages(root);
const paths = new Set(pages.map(({ path }) => path));
const repository = { root, pages: paths, address: repositoryAddress(root) };

const otherFolders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'docs')
  .map(({ name }) => `${name}/**`);

/** Pages outside of `docs/` find no Vue beside them. The program that renders them does. */
const foundVue = {
  name: 'agentkeep:found-vue',
  enforce: 'pre',
  resolveId: (id: string, _importer: string | undefined, options: { readonly ssr?: boolean }) =>
    options.ssr === true && /^vue(?:\/server-renderer)?$/u.test(id)
      ? { id, external: true }
      : undefined,
};

// VitePress is installed only to build the site, so its types are not there for the other checks.
export default {
  title: 'Agentkeep',
  description: 'Durable identity, memory and learning for software agents.',
  lang: 'en',
  // Without an icon, browsers ask for one.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: '..',
  srcExclude: [...otherFolders, 'docs/adr/template.md', 'docs/api/**'],
  outDir: '../.cache/site',
  cacheDir: '../.cache/vitepress',
  rewrites: Object.fromEntries(
    pages.filter(({ path }) => sitePath(path) !== path).map(({ path }) => [path, sitePath(path)]),
  ),
  markdown: {
    anchor: { slugify: headingSlug },
    // Braces are parts of paths here, and hosts and file names are no links.
    attrs: { disable: true },
    linkify: false,
    languageAlias: { 'sh-session': 'shellsession' },
    config: (markdown: Markdown) => adaptMarkdown(markdown, repository),
  },
  vite: {
    // The index of the search, which is loaded when a reader first searches.
    build: { chunkSizeWarningLimit: 2_000 },
    plugins: [foundVue],
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Documentation', link: '/docs/' },
      { text: 'Contract', link: '/docs/contract/' },
      { text: 'Decisions', link: '/docs/adr/' },
    ],
    sidebar: sidebarOf(pages),
  },
};
