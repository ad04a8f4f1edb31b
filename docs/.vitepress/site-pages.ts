/** The pages of the site: which files they come from, their titles, and their addresses. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A file of Markdown that the site shows. */
export interface SitePage {
  /** Relative to the root of the repository, with forward slashes. */
  readonly path: string;
  /** Plain text. */
  readonly title: string;
  readonly text: string;
}

/** A file to copy for new records, and reports of the API for reviews: no pages to read. */
const leftOut = ['docs/adr/template.md', 'docs/api/'];

function pathsUnder(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return entry.name.startsWith('.') || entry.name === 'node_modules'
      ? []
      : pathsUnder(root, path);
  });
}

function pageAt(root: string, path: string): SitePage {
  const text = readFileSync(join(root, path), 'utf8');
  const heading = /^# (?<title>.+)$/mu.exec(text)?.groups?.['title'];
  if (heading === undefined) throw new Error(`${path} has no title; start it with "# Title".`);
  const title = heading.replaceAll(/\[(?<words>[^[\]]*)\]\([^)]*\)/gu, '$<words>');
  return { path, title: title.replaceAll('`', '').trim(), text };
}

/**
 * Returns every page at the root and below `docs/`, ordered by path.
 * @throws {Error} if a page has no title.
 */
export function sitePages(root: string): SitePage[] {
  return [...readdirSync(root), ...pathsUnder(root, 'docs')]
    .filter((path) => path.endsWith('.md') && !leftOut.some((start) => path.startsWith(start)))
    .sort()
    .map((path) => pageAt(root, path));
}

/** Returns the file that the site builds a page from as it calls it: a README is an index. */
export function sitePath(path: string): string {
  return basename(path) === 'README.md' ? `${path.slice(0, -'README.md'.length)}index.md` : path;
}

/** Returns the link to a page, from the root of the site. */
export function pageLink(path: string): string {
  return `/${sitePath(path).replace(/(?<=^|\/)index\.md$/u, '')}`;
}
