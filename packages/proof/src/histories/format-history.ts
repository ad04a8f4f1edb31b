/**
 * Formats calls so that a reader sees the contradiction at a glance.
 */
import type { Answer, Call, Change, Request } from './call.js';
import type { Observed } from './observed.js';
import { smallestContradiction } from './shrink-history.js';

/** Shortens an id to a tail that is unique within a history. */
const TAIL = 8;

/** Describes the contradiction of an object, with a line for each of the fewest calls. */
export function formatContradiction(observed: Observed): string {
  if (observed.judge(observed.calls) === 'undecided') {
    return `${observed.name}: ${observed.calls.length} calls allow too many orders to try them all`;
  }
  const calls = smallestContradiction(observed);
  const lines = calls.map((call) => `  ${formatCall(call)}`);
  const of = `${calls.length} of ${observed.calls.length} calls`;
  return [`${observed.name}: no order of these ${of} explains them`, ...lines].join('\n');
}

function formatCall({ client, credential, request, answer, calledAt, returnedAt }: Call): string {
  const when = `${calledAt} to ${returnedAt}`;
  const who = `${client} (${tail(credential)})`;
  return `[${when}] ${who}: ${formatRequest(request)} -> ${formatAnswer(answer)}`;
}

function formatRequest(request: Request): string {
  switch (request.type) {
    case 'query':
      return 'query';
    case 'read':
      return `read ${tail(request.recordId)}`;
    case 'revoke':
      return `revoke ${tail(request.credentialId)}`;
    case 'list names':
      return 'list names';
    case 'look up':
      return `look up ${request.name}`;
    case 'named': {
      const changes = request.changes.map(
        ({ type, name, expectedRevision = 'any', text }) =>
          `${type} ${name} at revision ${expectedRevision}, text "${text}"`,
      );
      return `${changes.join('; ')} under ${request.key} of ${request.subject}`;
    }
    case 'command': {
      const { change, key, subject, text } = request;
      const target = change.type === 'create' ? '' : ` ${tail(change.recordId)}${placeOf(change)}`;
      return `${change.type}${target} under ${key} of ${subject}, text "${text}"`;
    }
  }
}

function formatAnswer(answer: Answer): string {
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
    case 'outcomes': {
      const outcomes = answer.outcomes.map(
        ({ action, recordId, revision }) => `${action} ${tail(recordId)}, revision ${revision}`,
      );
      return outcomes.join('; ');
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

/** The revisions that a change names. */
function placeOf(change: Exclude<Change, { readonly type: 'create' }>): string {
  const old = 'revision' in change ? ` revision ${change.revision}` : '';
  return 'expectedRevision' in change ? `${old} at revision ${change.expectedRevision}` : old;
}
