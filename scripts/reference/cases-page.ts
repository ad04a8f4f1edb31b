/** The page of cases, for the site only: what the tests of the contract show, by their titles. */
import cases from '../../packages/contract-cases/cases.json' with { type: 'json' };
import { type CaseTitle, caseTitles } from '../contract/case-titles.ts';
import { type Clause, readCases, readClauses } from '../contract/clauses.ts';
import { readProject } from '../tidy-files.ts';
import { page, type ReferencePage, table } from './page.ts';

/** Its file name within `docs/reference/`; it is not committed. */
export const CASES_PAGE = 'cases.md';

const introduction =
  'What the tests of [the contract](../contract/README.md) show. A case has a `C` before its ' +
  'number; the clauses beside it say what must hold.';

/** Returns the page of cases. */
export function casesPage(): ReferencePage {
  const files = readProject();
  const pages = new Map(readClauses(files).map(({ id, page }) => [id, page]));
  const titles = caseTitles(files);
  return page(CASES_PAGE, 'Cases', '`cases.json` and the titles of tests', [
    introduction,
    ...Object.entries(cases).map(([name, ofPage]) =>
      partOf(name, readCases({ [name]: ofPage }), titles, pages),
    ),
  ]);
}

function partOf(
  name: string,
  rows: readonly Clause[],
  titles: readonly CaseTitle[],
  pages: ReadonlyMap<string, string>,
): string {
  const lines = rows.map(({ id, shows }) => [
    `<a id="${id.toLowerCase()}"></a>${id}`,
    titles
      .filter((each) => each.id === id)
      .map(({ title }) => plain(title))
      .join('; '),
    shows.map((each) => linkTo(each, pages.get(each) ?? name)).join(', '),
  ]);
  return `## ${name}\n\n${table(['Case', 'Tests', 'Clauses'], lines)}`;
}

function linkTo(id: string, page: string): string {
  return `[${id}](../contract/${page}.md#${id.toLowerCase()})`;
}

/** Returns a title as text: no part of it is markup. */
function plain(title: string): string {
  return title.replaceAll(/[\\`*_[\]<>{}]/gu, '\\$&');
}
