/** The files of the console, which the build writes beside the bundles. */
import { readdir } from 'node:fs/promises';
import { AgentkeepError } from '@agentkeep/core';
import { builtUrl, policyOf, type StaticFile } from '../files/static-file.js';

/** The page runs and shows what is served here and nothing else; no site may frame it. */
const POLICY = policyOf({
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'font-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
});

/** The page itself. It names the assets, so no browser keeps it. */
export const consolePage: StaticFile = {
  folder: 'console',
  name: 'index.html',
  contentType: 'text/html; charset=utf-8',
  policy: POLICY,
  caching: 'no-store',
};

const TYPES: Readonly<Partial<Record<string, string>>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

let listing: Promise<readonly string[]> | undefined;

/**
 * Returns an asset by its name. A name has the digest of the content, so that a browser may keep
 * the file for good.
 *
 * @throws {AgentkeepError} `not_found`
 */
export async function consoleAsset(name = ''): Promise<StaticFile> {
  listing ??= readdir(builtUrl('console/assets'));
  const names = await listing.catch((error: unknown) => {
    listing = undefined;
    throw error;
  });
  const contentType = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  if (contentType === undefined || !names.includes(name)) throw new AgentkeepError('not_found');
  const caching = 'public, max-age=31536000, immutable';
  return { folder: 'console', name: `assets/${name}`, contentType, policy: POLICY, caching };
}
