/** The answers of tool calls: a document, or the reason of a failure. */
import { AgentkeepError } from '@agentkeep/client';
import type { CallToolResult } from '@modelcontextprotocol/server';

/** The member of `_meta` with the code of a failed call. */
const ERROR_META_KEY = 'agentkeep/error';

/** Returns a document as an answer: structured, and `shown` as text. */
export function documentAnswer(document: object, shown: unknown = document): CallToolResult {
  const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
  return {
    content: [{ type: 'text', text }],
    structuredContent: { ...document },
  };
}

/** Returns the answer to a call that failed: the stable code, what happened and what to do next. */
export function failureAnswer(cause: unknown): CallToolResult {
  const error =
    cause instanceof AgentkeepError ? cause : new AgentkeepError('internal_error', { cause });
  const { wireCode: code, message, members, retryable } = error;
  // A message begins with the first member, unless it is one of its own.
  const others = message === error.advice ? members : members.slice(1);
  const refused = others.map(({ path, expected }) => `${path || 'the input'}: ${expected}`);
  const lines = [`${code}: ${message}`, ...refused];
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    isError: true,
    _meta: { [ERROR_META_KEY]: { code, message, retryable, members: [...members] } },
  };
}
