/** Files for browsers, which the build writes beside the bundles. */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { sha256 } from '@agentkeep/core/store';

/** A file, and how it is served. */
export interface StaticFile {
  /** Its folder in the folder of the build. */
  readonly folder: 'console' | 'reference-page';
  /** Its name in the folder. */
  readonly name: string;
  readonly contentType: string;
  /** The value of `Content-Security-Policy`. */
  readonly policy: string;
  /** The value of `Cache-Control`. */
  readonly caching: string;
}

/** The content of a file. All answers share its bytes. */
export interface FileContent {
  /** A weak validator, since both forms have it. */
  readonly etag: string;
  readonly plain: Buffer<ArrayBuffer>;
  readonly gzipped: Buffer<ArrayBuffer>;
}

const loading = new Map<string, Promise<FileContent>>();

/**
 * Returns the content of a file. The first call reads it, since most servers are never asked; then
 * it is held: 3 MB for all files.
 *
 * @throws {Error} The file cannot be read; the next call tries again.
 */
export function contentOf({ folder, name }: StaticFile): Promise<FileContent> {
  const path = `${folder}/${name}`;
  const known = loading.get(path);
  if (known !== undefined) return known;
  const content = load(path);
  loading.set(path, content);
  content.catch(() => loading.delete(path));
  return content;
}

/** Returns where the build puts a file or a folder. */
export function builtUrl(path: string): URL {
  const folder = import.meta.url.endsWith('.ts') ? '../../dist/' : './';
  return new URL(folder + path, import.meta.url);
}

async function load(path: string): Promise<FileContent> {
  const plain = await readFile(builtUrl(path));
  const { gzip } = await import('node:zlib');
  const digest = Buffer.from(sha256(plain)).toString('base64url');
  return { etag: `W/"${digest}"`, plain, gzipped: await promisify(gzip)(plain) };
}

/** Returns a policy: whatever it does not name is refused. */
export function policyOf(directives: Readonly<Record<string, string>>): string {
  return Object.entries({ 'default-src': "'none'", ...directives })
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}
