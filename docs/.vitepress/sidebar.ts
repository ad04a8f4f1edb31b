/** The sidebar of the site: a section for each folder, with a link to each of its pages. */
import { dirname, relative } from 'node:path/posix';
import { pageLink, type SitePage } from './site-pages.ts';

/** A link of the sidebar. */
export interface SidebarLink {
  readonly text: string;
  readonly link: string;
}

/** A heading of the sidebar, with what stands under it. */
export interface SidebarSection {
  readonly text: string;
  readonly collapsed: boolean;
  readonly items: readonly SidebarLink[];
}

/** In the order of the sidebar. A section without pages is left out. */
const sections = [
  { text: 'Overview', folder: '.', collapsed: false },
  { text: 'By job', folder: 'docs/jobs', collapsed: false },
  { text: 'Guides', folder: 'docs/guides', collapsed: false },
  { text: 'Contract', folder: 'docs/contract', collapsed: true },
  { text: 'Reference', folder: 'docs/reference', collapsed: true },
  { text: 'Background', folder: 'docs', collapsed: true },
  { text: 'Decisions', folder: 'docs/adr', collapsed: true },
];

/** What newcomers read first stands beside the README of the project. */
const first = new Set(['docs/README.md', 'docs/parts.md']);

function folderOf({ path }: SitePage): string {
  return first.has(path) ? '.' : dirname(path);
}

/** Pages come in the order in which the index of their folder names them, then by path. */
function inOrder(pages: readonly SitePage[], folder: string): SitePage[] {
  const own = pages.filter((page) => folderOf(page) === folder);
  const textOf = (path: string): string | undefined =>
    pages.find((page) => page.path === path)?.text;
  const index = textOf(`${folder}/README.md`);
  const indexFolder = index === undefined ? 'docs' : folder;
  const text = index ?? textOf('docs/README.md') ?? '';
  const rank = ({ path }: SitePage): number => {
    if (path.endsWith('README.md')) return -1;
    const place = text.indexOf(`(${relative(indexFolder, path)}`);
    return place === -1 ? text.length : place;
  };
  return own.sort((one, other) => rank(one) - rank(other));
}

/**
 * Returns the sidebar for pages that are ordered by path.
 * @throws {Error} if a page is in a folder that has no section.
 */
export function sidebarOf(pages: readonly SitePage[]): SidebarSection[] {
  for (const page of pages) {
    if (sections.some(({ folder }) => folder === folderOf(page))) continue;
    throw new Error(`${page.path} has no section; add its folder in docs/.vitepress/sidebar.ts.`);
  }
  return sections
    .map(({ text, folder, collapsed }) => {
      const items = inOrder(pages, folder);
      return {
        text,
        collapsed,
        items: items.map(({ path, title }) => ({ text: title, link: pageLink(path) })),
      };
    })
    .filter(({ items }) => items.length > 0);
}
