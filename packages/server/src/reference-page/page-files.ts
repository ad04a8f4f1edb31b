/** The files of the reference page. */
import { policyOf, type StaticFile } from '../files/static-file.js';

const HTML = 'text/html; charset=utf-8';
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

/** The page runs only its own scripts, and calls only this server. Its icons are data URLs. */
const POLICY = policyOf({
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': 'data:',
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
});

/** A browser keeps the files, and asks each time whether they have changed. */
const fileOf = (name: string, contentType: string): StaticFile => ({
  folder: 'reference-page',
  ...{ name, contentType, policy: POLICY, caching: 'no-cache' },
});

/** The files by the path that each is served at. */
export const pageFiles: ReadonlyMap<string, StaticFile> = new Map([
  ['/docs', fileOf('index.html', HTML)],
  ['/docs/page.css', fileOf('page.css', CSS)],
  ['/docs/page.js', fileOf('page.js', SCRIPT)],
  ['/docs/swagger-ui.css', fileOf('swagger-ui.css', CSS)],
  ['/docs/swagger-ui-bundle.js', fileOf('swagger-ui-bundle.js', SCRIPT)],
]);
