/** Parses the few forms of curl in the documentation, to send its requests without a shell. */

/** The request of a curl command. */
export interface CurlRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

const word = /'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\.)*)"|(?<plain>[^\s'"]+)/gu;
const variable = /\$\{?(?<name>[A-Z_][A-Z0-9_]*)\}?/gu;

/**
 * Returns the requests of a shell block, in order. Comments and lines that set a variable are none.
 *
 * @throws {Error} on a line that is not a supported curl command.
 */
export function readCurls(
  text: string,
  variables: Readonly<Record<string, string>>,
): CurlRequest[] {
  return text
    .replaceAll('\\\n', ' ')
    .split(/\n(?=curl\b|[^\s{}"'])/u)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:#|export |[A-Z_]+=\$\()/u.test(line))
    .map((line) => readCurl(wordsOf(line, variables)));
}

function wordsOf(line: string, variables: Readonly<Record<string, string>>): string[] {
  const expand = (text: string): string =>
    text.replaceAll(variable, (_all, name: string) => {
      const value = variables[name];
      if (value === undefined) throw new Error(`the variable $${name} is unknown`);
      return value;
    });
  return Array.from(line.matchAll(word), ({ groups }) => {
    const { single, double, plain } = groups ?? {};
    if (single !== undefined) return single;
    return expand(double?.replaceAll(/\\(.)/gu, '$1') ?? plain ?? '');
  });
}

function readCurl([command, ...words]: readonly string[]): CurlRequest {
  if (command !== 'curl') throw new Error(`${String(command)} is not a curl command`);
  const headers: Record<string, string> = {};
  let url = '';
  let body: string | undefined;
  let method: string | undefined;
  for (let at = 0; at < words.length; at += 1) {
    const argument = words[at] ?? '';
    const value = words[at + 1] ?? '';
    if (argument === '-s' || argument === '-i') continue;
    if (!argument.startsWith('-')) {
      url = argument;
      continue;
    }
    at += 1;
    if (argument === '-H') setHeader(headers, value);
    else if (argument === '-X') method = value;
    else if (argument === '-d') body = value;
    else if (argument === '--json') {
      body = value;
      setHeader(headers, 'Content-Type: application/json');
    } else throw new Error(`the curl option ${argument} is not supported`);
  }
  method ??= body === undefined ? 'GET' : 'POST';
  return { url, method, headers, ...(body === undefined ? {} : { body }) };
}

function setHeader(headers: Record<string, string>, text: string): void {
  const colon = text.indexOf(':');
  headers[text.slice(0, colon).trim()] = text.slice(colon + 1).trim();
}
