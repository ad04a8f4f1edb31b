/**
 * Checks the documentation: links and cited clauses resolve, the reference is current, decisions
 * and guides are listed, every TypeScript block and `@example` type-checks and runs, every curl
 * command succeeds.
 */
import { typeProblems } from './docs/check-types.ts';
import { decisionProblems } from './docs/list-decisions.ts';
import { unlistedGuides } from './docs/list-guides.ts';
import { documentationPages } from './docs/page-blocks.ts';
import { readProject } from './tidy-files.ts';
import { extractPrograms } from './docs/programs.ts';
import { runProblems } from './docs/run-programs.ts';
import { sendRequests } from './docs/send-requests.ts';
import { staleReference } from './reference/pages.ts';
import { citesLiveClauses, hasLiveLinks } from './tidy-links.ts';

const programs = extractPrograms();
const requests = await sendRequests();
const problems = [
  ...documentationPages().flatMap(hasLiveLinks),
  ...readProject().flatMap(citesLiveClauses),
  ...(await decisionProblems()),
  ...unlistedGuides(),
  ...(await staleReference()),
  ...typeProblems(programs),
  ...(await runProblems(programs)),
  ...requests.problems,
];
for (const problem of problems) console.error(problem);
console.log(
  `docs: ${programs.length} programs, ${requests.sent} requests, ${problems.length} problems`,
);
// Exit even if a program left handles open.
process.exit(problems.length > 0 ? 1 : 0);
