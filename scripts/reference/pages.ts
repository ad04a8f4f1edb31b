/** Generates all reference pages and compares them with the committed ones. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CASES_PAGE } from './cases-page.ts';
import { dependenciesPage } from './dependencies-page.ts';
import { documentsPage } from './documents-page.ts';
import { errorsPage } from './errors-page.ts';
import { familiesPage } from './families-page.ts';
import { staleLayers } from './layers-picture.ts';
import { limitsPage } from './limits-page.ts';
import { operationsPage } from './operations-page.ts';
import { optionsPage } from './options-page.ts';
import { statesPage } from './states-page.ts';
import type { ReferencePage } from './page.ts';
import { pathsPage } from './paths-page.ts';
import { proceduresPage } from './procedures-page.ts';

/** Folder of the reference. */
export const referenceFolder = fileURLToPath(new URL('../../docs/reference/', import.meta.url));

/** Generates all pages. */
export async function referencePages(): Promise<ReferencePage[]> {
  return [
    operationsPage(),
    documentsPage(),
    errorsPage(),
    optionsPage(),
    statesPage(),
    familiesPage(),
    limitsPage(),
    proceduresPage(),
    pathsPage(),
    await dependenciesPage(),
  ];
}

/** Returns one problem for each stale, missing or unexpected page. */
export async function staleReference(): Promise<string[]> {
  const pages = new Map((await referencePages()).map(({ name, text }) => [name, text]));
  const present = readdirSync(referenceFolder).filter((name) => name !== CASES_PAGE);
  const advice = 'run `npm run docs:reference`';
  return [
    ...[...pages]
      .filter(([name, text]) => !present.includes(name) || readPage(name) !== text)
      .map(([name]) => `docs/reference/${name} is stale; ${advice}`),
    ...staleLayers(),
    ...present
      .filter((name) => !pages.has(name))
      .map((name) => `docs/reference/${name} is not a page of the reference; remove it`),
  ];
}

function readPage(name: string): string {
  return readFileSync(join(referenceFolder, name), 'utf8');
}
