/**
 * Tells calls so that a reader sees at a glance what does not fit.
 * @module
 */
import type { Answer, Call, Request } from './call.js';
import type { Observed } from './observed.js';
import { smallestContradiction } from './shrink-history.js';

/** Enough of an id to tell it from others of one history. */
const TAIL = 8;

/** What is wrong with one thing, in the fewest calls that show it, a line for each. */
export function tellContradiction(observed: Observed): string {
  if (observed.judge(observed.calls) === 'undecided') {
    return `${observed.name}: ${observed.calls.length} calls allow too many orders to try them all`;
  }
  const calls = smallestContradiction(observed);
  const lines = calls.map((call) => `  ${tellCall(call)}`);
  const of = `${calls.length} of ${observed.calls.length} calls`;
  return [`${observed.name}: no order of these ${of} explains them`, ...lines].join('\n');
}

function tellCall({ client, credential, request, answer, calledAt, returnedAt }: Call): string {
  const when = `${calledAt} to ${returnedAt}`;
  const who = `${client} (${tail(credential)})`;
  return `[${when}] ${who}: ${tellRequest(request)} -> ${tellAnswer(answer)}`;
}

function tellRequest(request: Request): string {
  switch (request.type) {
    case 'query':
      return 'query';
    case 'read':
      return `read ${tail(request.recordId)}`;
    case 'revoke':
      return `revoke ${tail(request.credentialId)}`;
    case 'command': {
      const { change, key, subject, text } = request;
      const target =
        change.type === 'create'
          ? ''
          : ` ${tail(change.recordId)} at revision ${change.expectedRevision}`;
      return `${change.type}${target} under ${key} of ${subject}, text "${text}"`;
    }
  }
}

function tellAnswer(answer: Answer): string {
  switch (answer.type) {
    case 'unknown':
    case 'revoked':
      return answer.type;
    case 'refused':
      return answer.code;
    case 'receipt': {
      const { action, record_id, revision, author } = answer.receipt;
      return `${action} ${tail(record_id)}, revision ${revision} by ${tail(author.credential_id)}`;
    }
    case 'shown': {
      const shown = answer.records.map(
        ({ recordId, revision, text, author }) =>
          `${tail(recordId)} revision ${revision} "${text}" by ${tail(author)}`,
      );
      return shown.join(', ') || 'nothing';
    }
  }
}

function tail(id: string): string {
  return id.slice(-TAIL);
}
