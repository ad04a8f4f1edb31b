/**
 * Judges an answer: is it one that the contract describes, and does it give nothing away.
 * @module
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { assertContractAnswer } from '../../../server/test/contract-check.js';
import type { FuzzRequest } from './draft.js';
import { leaksIn } from './secrets.js';
import type { Answer } from './transport.js';
import type { World } from './world.js';

/** Longest that a refusal may take, again and again, in milliseconds. */
export const REFUSAL_MS_MAX = 100;

/** What is wrong with answers; one sentence each, without anything random. */
export class Checker {
  readonly #ajv = new Ajv2020({ strict: false });
  readonly #bodies = new Map<string, ValidateFunction>();

  constructor(contractText: string) {
    formats.default(this.#ajv);
    this.#ajv.addSchema({ ...(JSON.parse(contractText) as object), $id: 'contract' }, 'contract');
  }

  /** Gives the complaints about an answer, and its body when it has one. */
  judge(world: World, request: FuzzRequest, answer: Answer): { complaints: string[]; body: unknown } {
    const { draft, wire } = request;
    const complaints: string[] = [];
    let body: unknown;
    if (answer.status >= 500 && !isBusy(answer)) complaints.push(`a ${answer.status}`);
    if (wire.raw === undefined) {
      try {
        body = assertContractAnswer(wire.method, pathOf(wire.target), answer);
      } catch (error) {
        complaints.push(error instanceof Error ? error.message : String(error));
      }
    }
    const isDone = answer.status < 300;
    if (isDone && request.kind !== 'hostile' && !this.#isAllowed(request)) {
      complaints.push('success for a document that the contract refuses');
    }
    const { authority } = draft.caller;
    const operationId = draft.operation.id;
    complaints.push(...leaksIn(world, { operationId, authority, text: answer.text }));
    return { complaints, body };
  }

  /** Whether the published schema allows the document of a request. */
  #isAllowed({ draft: { operation }, wire: { body, method } }: FuzzRequest): boolean {
    if (operation.body === undefined || body === undefined || method !== operation.method) return true;
    const known = this.#bodies.get(operation.id);
    const validate = known ?? this.#ajv.compile(located(operation.body));
    this.#bodies.set(operation.id, validate);
    if (body.length === 0) return true;
    return validate(JSON.parse(Buffer.from(body).toString()));
  }
}

function located(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/')) as object;
}

/** The one failure that the contract describes as such: password hashing has no room. */
function isBusy({ status, text }: Answer): boolean {
  return status === 503 && text.includes('login_busy');
}

/** The path as the router sees it: without its query, and with escapes decoded where they can be. */
function pathOf(target: string): string {
  const { pathname: path } = new URL(`http://localhost${target}`);
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
