/** The texts that commands answer with, which Claude was trained to read. */

/** Most lines of a file that can be shown. */
const LINES_MAX = 999_999;

/** The size that usual file systems show for a directory. */
const DIRECTORY_SIZE = '4K';

/** A file or a directory of a listing. */
export interface Listed {
  readonly segments: readonly string[];
  /** Bytes of a file; undefined for a directory. */
  readonly bytes?: number | undefined;
}

/** Shows a file with the numbers of its lines. */
export function shownFile(path: string, text: string, range: readonly number[] = []): string {
  const lines = text.split('\n');
  if (lines.length > LINES_MAX) {
    const most = LINES_MAX.toLocaleString('en-US');
    throw new Error(`File ${path} has too many lines (${lines.length}). Maximum is ${most} lines.`);
  }
  const [from, to] = range;
  const isPart = range.length === 2 && from !== undefined && to !== undefined;
  const first = isPart ? Math.max(1, from) : 1;
  const last = isPart && to !== -1 ? to : lines.length;
  const shown = numbered(lines.slice(first - 1, last), first);
  return `Here's the content of ${path} with line numbers:\n${shown}`;
}

/** Shows where a file was changed, with two lines before and after. */
export function shownChange(text: string, line: number): string {
  const first = Math.max(1, line - 2);
  const shown = numbered(text.split('\n').slice(first - 1, line + 2), first);
  return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${shown}`;
}

/** Shows the entries up to two levels below a directory. */
export function shownDirectory(path: string, all: readonly Listed[]): string {
  const lines = [...shownBelow(all, [])].map(([size, below]) => `${size}\t${path}/${below}`);
  return [
    `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`,
    `${DIRECTORY_SIZE}\t${path}`,
    ...lines,
  ].join('\n');
}

function* shownBelow(
  all: readonly Listed[],
  above: readonly string[],
): Generator<[string, string]> {
  const depth = above.length;
  const inside = all.filter(({ segments }) => above.every((each, at) => segments[at] === each));
  const names = new Set(inside.flatMap(({ segments }) => segments.slice(depth, depth + 1)));
  for (const name of [...names].sort()) {
    if (name.startsWith('.') || name === 'node_modules') continue;
    const segments = [...above, name];
    const path = segments.join('/');
    const entries = inside.filter((each) => each.segments[depth] === name);
    const file = entries.find((each) => each.segments.length === segments.length);
    if (file?.bytes !== undefined) yield [shownSize(file.bytes), path];
    if (entries.some((each) => each.bytes === undefined || each !== file)) {
      yield [DIRECTORY_SIZE, `${path}/`];
      if (depth === 0) yield* shownBelow(entries, segments);
    }
  }
}

/** Returns a number of bytes in the largest unit that it fills. */
function shownSize(bytes: number): string {
  const units = ['B', 'K', 'M', 'G'];
  let size = bytes;
  let unit = 0;
  for (; size >= 1_024 && unit < units.length - 1; unit += 1) size /= 1_024;
  return `${Number.isInteger(size) ? String(size) : size.toFixed(1)}${units[unit] ?? ''}`;
}

function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, at) => `${String(at + first).padStart(6)}\t${line}`).join('\n');
}
