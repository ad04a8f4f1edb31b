/**
 * The values of lines that are shown as they are stored: documents as they are, and stored members
 * with their names in snake case.
 */

/** `document` for a document; else the members whose own members are renamed too. */
export type LineForm = 'document' | readonly string[];

/** Shows a stored value in a line. */
export function shownValue(form: LineForm, value: unknown): unknown {
  return renamed(form, value, snakeCase);
}

/** Returns the value that a line shows, as it is stored. */
export function valueOfLine(form: LineForm, shown: unknown): unknown {
  return renamed(form, shown, camelCase);
}

function renamed(form: LineForm, value: unknown, rename: (name: string) => string): unknown {
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
