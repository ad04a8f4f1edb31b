/** Judges answers: whether the contract describes them, and whether they leak data. */
import { type Contract, ContractCheck } from '@agentkeep/testkit/contract-check';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { FuzzRequest, WireRequest } from './draft.js';
import { faultsOfMembers } from './refused-members.js';
import { leaksIn } from './secrets.js';
import { bytesOf } from './socket-transport.js';
import type { Answer } from './transport.js';
import type { World } from './world.js';

/** The judgement of an answer. */
export interface Judgement {
  readonly complaints: string[];
  /** The JSON of the body; `undefined` if it is missing or wrong. */
  readonly body: unknown;
}

/** Finds errors in answers, as one deterministic sentence each. */
export class Checker {
  readonly #ajv = new Ajv2020({ strict: false });
  readonly #bodies = new Map<string, ValidateFunction>();
  readonly #contract: ContractCheck;
  readonly #contractText: string;

  constructor(contractText: string) {
    const contract = JSON.parse(contractText) as Contract;
    this.#contract = new ContractCheck(contract);
    this.#contractText = contractText;
    formats.default(this.#ajv);
    this.#ajv.addSchema({ ...contract, $id: 'contract' }, 'contract');
  }

  /** Returns the complaints about an answer to its sender, and its body if it has one. */
  judge(world: World, request: FuzzRequest, answer: Answer): Judgement {
    const { draft, wire } = request;
    const complaints: string[] = [];
    let body: unknown;
    try {
      body = bodyOf(this.#contract, wire, answer);
    } catch (error) {
      complaints.push(error instanceof Error ? error.message : String(error));
    }
    if (answer.status >= 500 && !isIssuerAway(body)) complaints.unshift(`a ${answer.status}`);
    const sent = Buffer.from(wire.body ?? '').toString();
    const operationId = draft.operation.id;
    const refusal = { operationId, status: answer.status, body, sent };
    complaints.push(...faultsOfMembers(refusal, this.#contractText));
    const isDone = answer.status >= 200 && answer.status < 300;
    if (isDone && request.kind !== 'hostile' && !this.#isAllowed(request)) {
      complaints.push('success for a document that the contract refuses');
    }
    const { authority } = world.senderOf(wire);
    complaints.push(...leaksIn(world, { operationId, authority, text: answer.text }));
    return { complaints, body };
  }

  /** Returns whether the published schema allows the document of a request. */
  #isAllowed({ draft: { operation }, wire: { body, method } }: FuzzRequest): boolean {
    if (operation.body === undefined || body === undefined || method !== operation.method)
      return true;
    const known = this.#bodies.get(operation.id);
    const validate = known ?? this.#ajv.compile(located(operation.body));
    this.#bodies.set(operation.id, validate);
    if (body.length === 0) return true;
    return validate(JSON.parse(Buffer.from(body).toString()));
  }
}

function located(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/'),
  ) as object;
}

/** Returns the body of an answer that the contract describes, or that refuses malformed HTTP. */
function bodyOf(contract: ContractCheck, wire: WireRequest, answer: Answer): unknown {
  const { status, headers, text } = answer;
  if (!isRequest(wire)) {
    // A connection may stay open without an answer until a whole request arrives.
    if (status === 0 && wire.raw !== undefined) return undefined;
    if (isRefusalOfConnection(answer)) return undefined;
    if (wire.raw !== undefined) return requireJson(headers, text);
  }
  return contract.answer(wire.method, pathOf(wire.target), answer);
}

/** Most bytes of a head that the server reads. */
const HEAD_BYTES_MAX = 16_384;

/** Returns whether a request is well-formed HTTP within the limits of a connection. */
function isRequest(wire: WireRequest): boolean {
  const { method, target, raw } = wire;
  const headBytes = bytesOf({ ...wire, body: undefined }).length;
  return (
    raw === undefined &&
    /^[A-Z]+$/.test(method) &&
    /^[/h][\x21-\x5b\x5d-\x7e]*$/.test(target) &&
    headBytes < HEAD_BYTES_MAX
  );
}

/**
 * Checks that an answer is the error envelope of a closing connection, not that of an operation.
 */
function isRefusalOfConnection({ status, headers, text }: Answer): boolean {
  if (![400, 408, 413, 431].includes(status)) return false;
  const { error } = requireJson(headers, text) as { error: { code?: string } };
  return error.code === 'invalid_request';
}

/** Whether an answer reports that an issuer, which the fuzzer makes up, could not be asked. */
function isIssuerAway(body: unknown): boolean {
  const { error } = (body ?? {}) as { error?: { code?: string } };
  return error?.code === 'issuer_unavailable';
}

function requireJson(headers: Headers, text: string): unknown {
  if (headers.get('content-type') !== 'application/json') throw new Error('an answer without JSON');
  if (headers.get('cache-control') !== 'no-store') throw new Error('an answer that may be cached');
  return text === '' ? undefined : JSON.parse(text);
}

/** Returns the path as the router sees it: without its query, with valid escapes decoded. */
function pathOf(target: string): string {
  const [sent = ''] = target.split(/[?#]/, 1);
  const path = sent.startsWith('/') ? sent : new URL(target).pathname;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
