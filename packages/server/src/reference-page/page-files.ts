/** The files of the reference page, which the build writes beside the bundles. */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { sha256 } from '@agentkeep/core/store';

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** A file of the page: its name in the folder of the build, and its media type. */
export interface PageFile {
  readonly name: string;
  readonly contentType: string;
}

/** The files by the path that each is served at. */
export const pageFiles: ReadonlyMap<string, PageFile> = new Map([
  ['/docs', { name: 'index.html', contentType: HTML }],
  ['/docs/page.css', { name: 'page.css', contentType: CSS }],
  ['/docs/page.js', { name: 'page.js', contentType: SCRIPT }],
  ['/docs/swagger-ui.css', { name: 'swagger-ui.css', contentType: CSS }],
  ['/docs/swagger-ui-bundle.js', { name: 'swagger-ui-bundle.js', contentType: SCRIPT }],
]);

/** The content of a file. All answers share its bytes. */
export interface PageContent {
  /** A weak validator, since both forms have it. */
  readonly etag: string;
  readonly plain: Buffer<ArrayBuffer>;
  readonly gzipped: Buffer<ArrayBuffer>;
}

const loading = new Map<string, Promise<PageContent>>();

/**
 * Returns the content of a file. The first call reads it, since most servers are never asked; then
 * it is held: 2.5 MB for all files.
 *
 * @throws {Error} The file cannot be read; the next call tries again.
 */
export function contentOf({ name }: PageFile): Promise<PageContent> {
  const known = loading.get(name);
  if (known !== undefined) return known;
  const content = load(name);
  loading.set(name, content);
  content.catch(() => loading.delete(name));
  return content;
}

async function load(name: string): Promise<PageContent> {
  const folder = import.meta.url.endsWith('.ts') ? '../../dist/' : './';
  const plain = await readFile(new URL(`${folder}reference-page/${name}`, import.meta.url));
  const { gzip } = await import('node:zlib');
  const digest = Buffer.from(sha256(plain)).toString('base64url');
  return { etag: `W/"${digest}"`, plain, gzipped: await promisify(gzip)(plain) };
}
