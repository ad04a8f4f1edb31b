/**
 * The values of lines that are shown as they are stored: documents as they are, and stored members
 * with their names in snake case.
 */
import type { LineName } from '../families/line-names.js';

/** Lines that are made in a way of their own. */
type SpecialLine = 'scope' | 'branch' | 'record' | 'revision';

/** All other lines. */
export type PlainLine = Exclude<LineName, SpecialLine>;

/** `document` for a document; else the members whose own members are renamed too. */
type Form = 'document' | readonly string[];

const forms: Readonly<Record<PlainLine, Form>> = {
  redacted_source: 'document',
  embedding_spaces: ['spaces'],
  policy: [],
  context: [],
  procedure: [],
  procedure_state: ['figures'],
  candidate: [],
  evaluation: [],
  executor: 'document',
  artifact: 'document',
  development: 'document',
  development_event: 'document',
  attempt: 'document',
  attempt_event: 'document',
};

/** Returns whether a line has a plain value. */
export function isPlain(line: LineName): line is PlainLine {
  return Object.hasOwn(forms, line);
}

/** Shows a stored value in a line. */
export function shownValue(line: PlainLine, value: unknown): unknown {
  return renamed(forms[line], value, snakeCase);
}

/** Returns the value that a line shows, as it is stored. */
export function valueOfLine(line: PlainLine, shown: unknown): unknown {
  return renamed(forms[line], shown, camelCase);
}

function renamed(form: Form, value: unknown, rename: (name: string) => string): unknown {
  if (form === 'document' || value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).map(([name, each]: [string, unknown]) => {
    const to = rename(name);
    return [to, form.includes(snakeCase(name)) ? deeply(each, rename) : each] as const;
  });
  return Object.fromEntries(members);
}

function deeply(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => deeply(each, rename));
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).map(([name, each]: [string, unknown]) => [
    rename(name),
    deeply(each, rename),
  ]);
  return Object.fromEntries(members);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
