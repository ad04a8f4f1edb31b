/** Where the links of a page lead on the site, which shows the pages but not the sources. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { pageLink } from './site-pages.ts';

/** A link on the site, or the path of a source that the site has no address for. */
export type Target = { readonly link: string } | { readonly source: string };

/** What links are judged by. */
export interface Repository {
  readonly root: string;
  /** Paths of the pages, relative to the root. */
  readonly pages: ReadonlySet<string>;
  /** Where its files are published. */
  readonly address: string | undefined;
}

/** Returns the address that a manifest names as its repository. */
export function repositoryAddress(root: string): string | undefined {
  const text = readFileSync(join(root, 'package.json'), 'utf8');
  const { repository } = JSON.parse(text) as { repository?: string | { url: string } };
  const url = typeof repository === 'string' ? repository : repository?.url;
  return url?.replace(/^git\+/u, '').replace(/\.git$/u, '');
}

function sourceTarget(repository: Repository, path: string): Target {
  const { root, address } = repository;
  if (address === undefined) return { source: path };
  const kind = statSync(join(root, path)).isDirectory() ? 'tree' : 'blob';
  return { link: `${address}/${kind}/HEAD/${path}` };
}

/**
 * Returns where a link of a page leads. Links inside a page and to other hosts stay; links to pages
 * lead to them; other files are sources.
 * @throws {Error} if there is no such file.
 */
export function targetOf(repository: Repository, page: string, written: string): Target {
  if (written.startsWith('#') || /^[a-z][a-z+.-]*:/iu.test(written)) return { link: written };
  const [target = '', anchor] = decodeURIComponent(written).split('#');
  const path = join(dirname(page), target).replace(/\/$/u, '');
  const end = anchor === undefined ? '' : `#${anchor}`;
  for (const candidate of [path, join(path, 'README.md')]) {
    if (repository.pages.has(candidate)) return { link: `${pageLink(candidate)}${end}` };
  }
  if (path.startsWith('..') || !existsSync(join(repository.root, path))) {
    throw new Error(`${page} links to ${written}, which does not exist.`);
  }
  return sourceTarget(repository, path);
}
