/** Reads the query string: strict percent-encoding, every parameter at most once. */
import { AgentkeepError } from '@agentkeep/core';
import { memberNamed } from '@agentkeep/core/operator';

/**
 * Parses a query string without its `?`.
 * @throws {AgentkeepError} `invalid_request` for a repeated parameter or a broken escape.
 */
export function readQuery(query: string): Record<string, string> {
  const parameters: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (Object.hasOwn(parameters, name)) {
      throw new AgentkeepError('invalid_request', {
        members: [memberNamed(name, 'a parameter only once')],
      });
    }
    parameters[name] = equals === -1 ? '' : decode(pair.slice(equals + 1));
  }
  return parameters;
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    const members = [{ path: '', expected: 'percent-encoded UTF-8 in the query string' }];
    throw new AgentkeepError('invalid_request', { members, cause });
  }
}
