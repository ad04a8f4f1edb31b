/** Holds every answer of an operation that a test receives against the published document. */
import { readFileSync } from 'node:fs';
import { type Contract, ContractCheck } from './contract-check.js';

type Fetch = typeof globalThis.fetch;

/** Sends a request to an app in process. */
type Request<A extends readonly unknown[]> = (
  input: globalThis.Request | URL | string,
  init?: RequestInit,
  ...further: A
) => Response | Promise<Response>;

/** Headers that every answer of a server has, and that stand-ins for servers lack. */
const marks = ['x-request-id', 'x-ratelimit-limit'];

const original: Fetch = globalThis.fetch;

let known: ContractCheck | undefined;

/** The check, made when the first answer is held: most files of tests receive none. */
function check(): ContractCheck {
  const file = new URL('../../../server/openapi.json', import.meta.url);
  known ??= new ContractCheck(JSON.parse(readFileSync(file, 'utf8')) as Contract);
  return known;
}

/** Holds the answers that this process receives by `fetch`. A second call changes nothing. */
export function holdFetch(): void {
  const held = holding(original);
  globalThis.fetch = (input, init) => held(input, init);
}

/**
 * Returns a function that sends requests as the given one does, and fails where the document does
 * not describe the answer. Unless `isOurs`, only an answer with the marks of a server is held.
 */
export function holding<A extends readonly unknown[]>(
  send: Request<A>,
  { isOurs = false } = {},
): (...request: Parameters<Request<A>>) => Promise<Response> {
  return async (input, init, ...further) => {
    const response = await send(input, init, ...further);
    const method = init?.method ?? (input instanceof globalThis.Request ? input.method : 'GET');
    const address = input instanceof globalThis.Request ? input.url : String(input);
    const { pathname } = new URL(address, 'http://localhost');
    const isMarked = marks.every((name) => response.headers.has(name));
    if (!(isOurs || isMarked) || !check().describes(method, pathname)) return response;
    await check().response(method, pathname, response);
    return response;
  };
}
