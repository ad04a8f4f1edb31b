/** Lines of the log for people at a terminal. */

interface Line {
  readonly time: string;
  readonly level: string;
  readonly message: string;
}

/** Returns lines of JSON as lines such as `12:00:01 info listening url=http://127.0.0.1:7474`. */
export function readableLines(text: string): string {
  return text.replace(/^.+$/gm, (line) => {
    const { time, level, message, ...fields } = JSON.parse(line) as Line;
    const shown = Object.entries(fields).map(([name, value]) => `${name}=${textOf(value)}`);
    return [time.slice(11, 19), level, message, ...shown].join(' ');
  });
}

function textOf(value: unknown): string {
  if (typeof value === 'string' && /^[\x21\x23-\x7e]+$/.test(value)) return value;
  // Texts may hold characters that hide or reorder others.
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
