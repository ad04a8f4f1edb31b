/** Markdown with front matter in YAML, as editors and sites write it. */
import { type Document, isMap, LineCounter, parseDocument, stringify, visit } from 'yaml';

/** What a text has. One with line ends of Windows is read as if it had others. */
export interface MarkdownParts {
  /** The members of the front matter; `undefined` for a text without any. */
  readonly members: Readonly<Record<string, unknown>> | undefined;
  /** What follows the front matter, unchanged. */
  readonly body: string;
}

const FRONT_MATTER = /^---[ \t]*\n(?<matter>(?:[\s\S]*?\n)??)---[ \t]*(?:\n|$)/u;

/** The first line of a file that an editor of Windows wrote. */
const WINDOWS_LINE = /^[^\n]*\r\n/u;

/** Aliases of one anchor that are followed; more are taken for an attack. */
const ALIASES_MAX = 100;

/**
 * Divides a text into front matter and body. A text that begins with a rule, but has no members
 * between it and the next one, is all body.
 * @throws {SyntaxError} for front matter that isn't YAML 1.2, with the line in the file.
 */
export function readFrontMatter(text: string): MarkdownParts {
  const marked = text.replace(/^\u{feff}/u, '');
  const plain = WINDOWS_LINE.test(marked) ? marked.replaceAll('\r\n', '\n') : marked;
  const match = FRONT_MATTER.exec(plain);
  const matter = match?.groups?.['matter'];
  if (match === null || matter === undefined) return { members: undefined, body: plain };
  const lines = new LineCounter();
  const document = parseDocument(matter, {
    schema: 'core',
    intAsBigInt: true,
    lineCounter: lines,
    prettyErrors: false,
  });
  const isProse = document.contents !== null && !isMap(document.contents);
  if (isProse && document.errors.length === 0) return { members: undefined, body: plain };
  refuseFaults(document, lines);
  keepLeadingZeros(document);
  const members = document.toJS({ maxAliasCount: ALIASES_MAX }) as Record<string, unknown> | null;
  return { members: exactNumbers(members ?? {}), body: plain.slice(match[0].length) };
}

/** Returns front matter and what follows it. */
export function printFrontMatter(members: Readonly<Record<string, unknown>>, body: string): string {
  return `---\n${stringify(members, { lineWidth: 0, aliasDuplicateObjects: false })}---\n${body}`;
}

function refuseFaults({ errors, warnings }: Document.Parsed, lines: LineCounter): void {
  const [fault] = [...errors, ...warnings];
  if (fault === undefined) return;
  // The first line of the file is the one of the fence.
  const line = lines.linePos(fault.pos[0]).line + 1;
  throw new SyntaxError(`line ${line}: ${fault.message}`);
}

/** YAML takes 01067 for the number 1067, which no postcode or telephone number survives. */
function keepLeadingZeros(document: Document.Parsed): void {
  visit(document, {
    Scalar(_, node) {
      const { source, type } = node;
      if (type === 'PLAIN' && source !== undefined && /^[-+]?0\d+$/.test(source)) {
        node.value = source;
      }
    },
  });
}

/** Returns a value with numbers instead of integers of any size. */
function exactNumbers<T>(value: T): T {
  if (typeof value === 'bigint') {
    const number = Number(value);
    if (String(number) === String(value)) return number as T;
    throw new SyntaxError(`${value} is not exact as a number. Write it in quotes, as a text.`);
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new SyntaxError(`${value} is no number of JSON. Write it in quotes, as a text.`);
  }
  if (Array.isArray(value)) return value.map(exactNumbers) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, exactNumbers(each)]),
  ) as T;
}
