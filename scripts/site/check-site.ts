/** Checks the site as built: titles, links with their anchors, and no other host. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pageLink, sitePages, sitePath } from '../../docs/.vitepress/site-pages.ts';

/** What was checked, and what is wrong. */
export interface SiteReport {
  readonly pages: number;
  readonly links: number;
  readonly problems: readonly string[];
}

const title = /<h1[^>]*>(?<html>[\s\S]*?)<a class="header-anchor"/u;
const link = /<a\b[^>]*?\shref="(?<target>[^"]*)"/gu;
const anchor = /\sid="(?<id>[^"]+)"/gu;

/** What a browser fetches for a page by itself. */
const fetched = /<(?:link|script|img|iframe)\b[^>]*?\s(?:href|src)="(?<address>[^"]*)"/gu;
const fetchedByStyle = /(?:url\(["']?|@import\s*["'])(?<address>(?:https?:)?\/\/[^"')]*)/gu;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

function textOf(html: string): string {
  return html
    .replaceAll(/<[^<>]+>/gu, '')
    .replaceAll(/&(?<name>amp|lt|gt|quot);/gu, (_all, name: string) => entities[name] ?? '')
    .replaceAll(/&#(?<code>\d+);/gu, (_all, code: string) => String.fromCodePoint(Number(code)))
    .trim();
}

function matches(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ({ groups }) => Object.values(groups ?? {})[0] ?? '');
}

/** The pages as built, by their path below the site. */
class BuiltSite {
  readonly #texts = new Map<string, string | undefined>();
  readonly #anchors = new Map<string, ReadonlySet<string>>();

  constructor(
    readonly folder: string,
    readonly base: string,
  ) {}

  /** Returns the HTML of a page, or `undefined`. */
  page(path: string): string | undefined {
    if (!this.#texts.has(path)) {
      const file = join(this.folder, path);
      this.#texts.set(path, existsSync(file) ? readFileSync(file, 'utf8') : undefined);
    }
    return this.#texts.get(path);
  }

  /** Tells whether a link of a page leads nowhere. */
  isDead(path: string, target: string): boolean {
    if (/^[a-z][a-z+.-]*:/iu.test(target)) return false;
    const [before = '', id] = decodeURIComponent(target).split('#');
    if (before.startsWith('/') && !before.startsWith(this.base)) return true;
    const below = before.startsWith('/')
      ? before.slice(this.base.length)
      : join(dirname(path), before);
    const page = before === '' ? path : below;
    const file = page === '' || page.endsWith('/') ? `${page}index.html` : page;
    if (this.page(file) === undefined) return true;
    return id !== undefined && id !== '' && !this.#anchorsOf(file).has(id);
  }

  #anchorsOf(path: string): ReadonlySet<string> {
    const known = this.#anchors.get(path);
    if (known !== undefined) return known;
    const anchors = new Set(matches(this.page(path) ?? '', anchor).map(textOf));
    this.#anchors.set(path, anchors);
    return anchors;
  }
}

function foreignStyles(folder: string): string[] {
  const assets = join(folder, 'assets');
  return readdirSync(assets)
    .filter((name) => name.endsWith('.css'))
    .flatMap((name) =>
      matches(readFileSync(join(assets, name), 'utf8'), fetchedByStyle).map(
        (address) => `assets/${name} fetches ${address} from another host`,
      ),
    );
}

/** Checks the site that was built of the repository at `root` into `folder`. */
export function siteProblems(root: string, folder: string, base: string): SiteReport {
  const site = new BuiltSite(folder, base);
  const pages = sitePages(root);
  let links = 0;
  const problems = pages.flatMap((page) => {
    const path = sitePath(page.path).replace(/\.md$/u, '.html');
    const html = site.page(path);
    if (html === undefined) return [`${page.path} is not on the site`];
    const address = `${base}${pageLink(page.path).slice(1)}`.replace(/\.md$/u, '.html');
    const shown = textOf(title.exec(html)?.groups?.['html'] ?? '');
    const targets = matches(html, link).map(textOf);
    links += targets.length;
    return [
      ...(shown === page.title ? [] : [`${page.path} is shown with the title "${shown}"`]),
      ...(html.includes(`href="${address}"`) ? [] : [`${page.path} is not in the sidebar`]),
      ...targets
        .filter((target) => site.isDead(path, target))
        .map((target) => `${page.path} leads to ${target}, which is not on the site`),
      ...matches(html, fetched)
        .filter((address) => /^(?:[a-z][a-z+.-]*:)?\/\//iu.test(address))
        .map((address) => `${page.path} fetches ${address} from another host`),
    ];
  });
  return { pages: pages.length, links, problems: [...problems, ...foreignStyles(folder)] };
}
