/**
 * Builds the site of the documentation in `.cache/site`, as static files, and checks its pages.
 *
 * `--base /path/` builds it for a path of its host. Installs VitePress into `docs/` when needed.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pnpm } from './package-installs/installers.ts';
import { output } from './package-installs/packed-packages.ts';
import { casesPage } from './reference/cases-page.ts';
import { siteProblems } from './site/check-site.ts';

const root = join(import.meta.dirname, '..');
const docs = join(root, 'docs');
const site = join(root, '.cache/site');

const { values } = parseArgs({ options: { base: { type: 'string', default: '/' } } });
const { base } = values;
if (!/^\/(?:[^?#]*\/)?$/u.test(base)) {
  console.error(`agentkeep: --base is ${base}; it must start and end with a slash.`);
  process.exit(1);
}

// Apart from the workspace, since it is large and nothing else needs it.
const [command, ...words] = pnpm();
const install = ['install', '--ignore-workspace', '--ignore-scripts', '--frozen-lockfile'];
output(command, [...words, ...install], docs, { ...process.env, CI: 'true' });

const { name, text } = casesPage();
writeFileSync(join(docs, 'reference', name), text);

const program = join(docs, 'node_modules/vitepress/bin/vitepress.js');
const build = [program, 'build', docs, '--base', base];
const { status } = spawnSync(process.execPath, build, { cwd: root, stdio: 'inherit' });
if (status !== 0) {
  console.error('agentkeep: VitePress did not build the site; the reason stands above.');
  process.exit(1);
}

const { pages, links, problems } = siteProblems(root, site, base);
for (const problem of problems) console.error(problem);
console.log(
  `site: ${pages} pages, ${links} links, ${problems.length} problems in ${join('.cache', 'site')}`,
);
process.exitCode = problems.length > 0 ? 1 : 0;
