/** Divides a file of lines into parts that are imported at once. */

/** UTF-16 units of lines in one request. */
const PART_UNITS = 786_432;

const EXPORT = '{"line":"export"';
const SCOPE = '{"line":"scope"';
const BRANCH = '{"line":"branch"';
const isBranch = (line: string): boolean => line.startsWith(BRANCH);

/** A part of a file that is imported at once. */
interface Part {
  readonly text: string;
  /** Lines at its beginning that repeat those of the export, the branch and the scope. */
  readonly skipped: number;
  /** Number of lines of the file before it. */
  readonly firstLine: number;
}

/** Joins lines to parts, and repeats the lines that say what a part goes on with. */
export async function* partsOf(all: AsyncIterable<string>): AsyncGenerator<Part, void> {
  let lines: string[] = [];
  let units = 0;
  let origin: string[] = [];
  let place: string[] = [];
  let skipped = 0;
  let firstLine = 0;
  for await (const line of all) {
    lines.push(line);
    units += line.length + 1;
    if (line.startsWith(EXPORT)) origin = [line];
    else if (isBranch(line)) place = [line];
    else if (line.startsWith(SCOPE)) place = [...place.filter(isBranch), line];
    if (units < PART_UNITS) continue;
    yield { text: `${lines.join('\n')}\n`, skipped, firstLine };
    firstLine += lines.length - skipped;
    lines = [...origin, ...place];
    skipped = lines.length;
    units = 0;
  }
  if (lines.length > skipped) yield { text: `${lines.join('\n')}\n`, skipped, firstLine };
}

/** Divides texts, cut anywhere, into lines. */
export async function* linesOf(
  texts: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string, void> {
  let rest = '';
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
