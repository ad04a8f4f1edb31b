/**
 * Lists the clauses that no test cites, of the pages that its arguments name or of all, then their
 * numbers by page: `npx tsx scripts/contract/list-uncited.ts memory`.
 */
import cases from '../../packages/contract-cases/cases.json' with { type: 'json' };
import rules from '../../packages/contract-cases/citations.json' with { type: 'json' };
import { readProject } from '../tidy-files.ts';
import { findUncited } from './citations.ts';
import { readCases, readClauses } from './clauses.ts';

const pages = process.argv.slice(2);
const files = readProject().filter(({ path }) => path !== 'scripts/contract/citations.test.ts');
const all = [...readClauses(files), ...readCases(cases)];
const clauses = all.filter(({ page }) => pages.length === 0 || pages.includes(page));
const found = findUncited(clauses, files, rules);
for (const { page, id } of found) console.log(`docs/contract/${page}.md#${id.toLowerCase()}`);
console.log(`${found.length} of ${clauses.length} clauses are cited by no test.`);
