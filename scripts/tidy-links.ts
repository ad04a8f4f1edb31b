/** Checks that pages have one title, and that links and cited clauses resolve. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { headingSlug } from './docs/heading-slug.ts';
import { root } from './tidy-files.ts';
import { type Rule } from './tidy-rules.ts';

const fence = /^(?:```|~~~)[\s\S]+?^(?:```|~~~)/gmu;
const link = /\]\((?<target>[^()\s]+)(?:\s+"[^"]*")?\)/gu;
const heading = /^#{1,6}\s+(?<title>\S.*)$/gmu;
const explicitAnchor = /<a id="(?<id>[^"]+)"><\/a>/gu;

/** A citation of a clause: the path from the root, then the anchor. */
const citation = /\bdocs\/contract\/[\w-]+\.md(?:#[\w-]+)?/gu;

function prose(text: string): string {
  return text.replaceAll(fence, '');
}

function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const { groups } of prose(text).matchAll(heading)) {
    anchors.add(headingSlug((groups?.['title'] ?? '').replaceAll(/\]\([^)]*\)/gu, ']')));
  }
  for (const { groups } of text.matchAll(explicitAnchor)) anchors.add(groups?.['id'] ?? '');
  return anchors;
}

function isDead(pagePath: string, target: string): boolean {
  if (/^[a-z][a-z+.-]*:/iu.test(target)) return false;
  const [path = '', anchor] = decodeURIComponent(target).split('#');
  const file = path === '' ? join(root, pagePath) : join(root, dirname(pagePath), path);
  if (!existsSync(file)) return true;
  if (anchor === undefined || !file.endsWith('.md') || !statSync(file).isFile()) return false;
  return !anchorsOf(readFileSync(file, 'utf8')).has(anchor);
}

/** Every cited clause of the contract exists. */
export const citesLiveClauses: Rule = (file) => {
  if (!/\.(?:ts|mjs)$/u.test(file.path)) return [];
  return Array.from(file.text.matchAll(citation), ([target]) => target)
    .filter((target) => isDead('README.md', target))
    .map((target) => `${file.path} cites ${target}, which does not exist`);
};

/** Every relative link of a page resolves, including its anchor. */
export const hasLiveLinks: Rule = (file) => {
  if (!file.path.endsWith('.md')) return [];
  return Array.from(prose(file.text).matchAll(link), ({ groups }) => groups?.['target'] ?? '')
    .filter((target) => isDead(file.path, target))
    .map((target) => `${file.path} links to ${target}, which does not exist`);
};

/** A page has one title. */
export const hasOneTitle: Rule = (file) => {
  if (!file.path.endsWith('.md') || file.path.startsWith('.changeset/')) return [];
  const titles = Array.from(prose(file.text).matchAll(/^# /gmu)).length;
  return titles === 1 ? [] : [`${file.path} has ${titles} titles`];
};
