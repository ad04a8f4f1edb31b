/** The page of errors: each code with its status and advice. */
import { AgentkeepError, errorCatalogue, type ErrorCode } from '../../packages/core/src/index.ts';
import type { ErrorEntry } from '../../packages/core/src/contract/errors/catalogue.ts';
import { statusOfKind } from '../../packages/server/src/http/status.ts';
import { code, page, type ReferencePage, table } from './page.ts';

const introduction = `Embedded callers and the typed client get an \`AgentkeepError\` with \
\`code\`, \
\`kind\`, \`retryable\` and a fixed \`message\`. Over HTTP the same failure is a status and a body:

\`\`\`json
{ "contract_version": 1, "error": { "code": "forbidden", "message": "…" } }
\`\`\`

A refusal by the rate limit has a flat body, the same on every path, and the header \`Retry-After\`:

\`\`\`json
{
  "error": "rate_limit_exceeded",
  "message": "…",
  "limit": 100000,
  "remaining": 0,
  "reset_in_seconds": 60
}
\`\`\`

Branch on status and code. Messages are for people and may change. Some codes are told apart in \
process only; the third column says what a client sees instead. Some are reported by the client \
itself, when it got no answer or one that is none of the contract. "Retry" means that the same \
call may succeed later without a change.`;

function isOfClient({ code }: AgentkeepError): boolean {
  const entry: ErrorEntry = errorCatalogue[code];
  return entry.isOfClient === true;
}

/** Returns the page of errors. */
export function errorsPage(): ReferencePage {
  const rows = (Object.keys(errorCatalogue) as ErrorCode[])
    .map((each) => new AgentkeepError(each))
    .map((error) => [
      code(error.code),
      code(error.kind),
      isOfClient(error) ? 'from the client' : `${statusOfKind[error.kind]} ${code(error.wireCode)}`,
      error.retryable ? 'yes' : 'no',
      error.message,
    ]);
  const list = table(['Code', 'Kind', 'Over HTTP', 'Retry', 'Message'], rows);
  return page('errors.md', 'Errors', '`errors/catalogue.ts`', [introduction, list]);
}
