/** States what a schema expected of a member that it refuses, never the value that was sent. */
import type * as v from 'valibot';
import type { RefusedMember } from '../errors/agentkeep-error.js';
import { DUPLICATE_MARK } from './json-duplicates.js';
import { redactSecrets } from './escaped-text.js';

/** Names of members that a path repeats. Callers choose names, so others are left out. */
const SHOWN_NAME = /^[\w-]{1,64}$/;

/** Returns the path of an issue and what was expected there. */
export function refusedMember(issue: v.BaseIssue<unknown>): RefusedMember {
  let path = '';
  for (const { type, key } of issue.path ?? []) {
    if (type === 'array') path += `[${String(key)}]`;
    else if (key === DUPLICATE_MARK) return { path, expected: 'each member once' };
    else if (!isShown(key)) return { path, expected: expectedInside(issue) };
    else path += path === '' ? key : `.${key}`;
  }
  return { path, expected: expectedOf(issue) };
}

/** Returns the path of these names and indexes; it ends before a name that is not shown. */
export function pathTo(value: unknown, keys: readonly string[]): string {
  let path = '';
  let at = value;
  for (const key of keys) {
    if (!isShown(key)) return path;
    if (Array.isArray(at)) path += `[${key}]`;
    else path += path === '' ? key : `.${key}`;
    at = (at as Record<string, unknown>)[key];
  }
  return path;
}

/** Returns a refused member by the name that a caller sent; a strange name is left out. */
export function memberNamed(name: string, expected: string): RefusedMember {
  return { path: isShown(name) ? name : '', expected };
}

function isShown(key: unknown): key is string {
  return typeof key === 'string' && SHOWN_NAME.test(key) && redactSecrets(key) === key;
}

function expectedInside(issue: v.BaseIssue<unknown>): string {
  return isUnknownMember(issue) ? 'known members only' : `in each member: ${expectedOf(issue)}`;
}

function expectedOf(issue: v.BaseIssue<unknown>): string {
  switch (issue.type) {
    case 'strict_object':
      if (isUnknownMember(issue)) return 'no such member';
      return issue.expected === 'Object' ? 'an object' : 'a value, since this member is required';
    case 'string':
      return 'a string';
    case 'boolean':
      return 'true or false';
    case 'number':
      return 'a number';
    case 'array':
    case 'strict_tuple':
      return 'an array';
    case 'record':
      return 'an object';
    case 'min_length':
    case 'max_length':
      return lengthOf(issue);
    case 'union':
      return isOwnText(issue) ? issue.message : alternativesOf(issue.expected ?? '');
    // Their messages are the words of the schema; those of other types quote the value.
    case 'check':
    case 'custom':
    case 'regex':
      return issue.message;
    default:
      return alternativesOf(issue.expected ?? 'another value');
  }
}

/** Whether a schema states its own message; valibot's begins so, and quotes the value. */
function isOwnText({ message }: v.BaseIssue<unknown>): boolean {
  return !message.startsWith('Invalid type:');
}

function isUnknownMember({ type, expected }: v.BaseIssue<unknown>): boolean {
  return type === 'strict_object' && expected === 'never';
}

function lengthOf({ type, input, requirement }: v.BaseIssue<unknown>): string {
  const unit = Array.isArray(input) ? 'item' : 'character';
  const count = `${String(requirement)} ${unit}${requirement === 1 ? '' : 's'}`;
  return `at ${type === 'min_length' ? 'least' : 'most'} ${count}`;
}

/** Valibot writes alternatives as `("a" | "b")`. */
function alternativesOf(expected: string): string {
  const plain = expected.replace(/^\((.*)\)$/, '$1');
  return plain.split(' | ').join(' or ');
}
