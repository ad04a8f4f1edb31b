/** Reads the JSON body of a request: media type first, then size, then strict JSON. */
import type { IncomingMessage } from 'node:http';
import { AgentkeepError } from '@agentkeep/core';
import {
  DOCUMENT_BYTES_MAX,
  type DocumentRule,
  type ParsedJson,
  parseJson,
} from '@agentkeep/core/operator';
import type { Received } from './received.js';

const JSON_MEDIA_TYPE = /^application\/(?:[!#$%&'*+.^`|~\w-]+\+)?json$/i;

/**
 * Returns the document in the body; `undefined` if it is ignored, or if it is optional and absent.
 *
 * @throws {AgentkeepError} `invalid_request` for another media type, `request_too_large`.
 * @throws {InvalidJsonError} if the body is not strict JSON.
 */
export async function readDocument(
  received: Received,
  { bytesMax = DOCUMENT_BYTES_MAX, presence }: DocumentRule,
): Promise<ParsedJson | undefined> {
  // A required document with a wrong media type is refused before its body is read.
  if (presence === undefined) requireJson(received);
  const bytes = await readBytes(received, bytesMax).catch((error: unknown) => {
    // A body that is too large is not empty, so its media type is checked first too.
    if (presence === 'optional') requireJson(received);
    throw error;
  });
  if (presence === 'ignored' || (presence === 'optional' && bytes.length === 0)) return undefined;
  requireJson(received);
  return parseJson(bytes);
}

/** The cause of a refusal that reaches no client: its connection ended within the body. */
export class InterruptedBody extends Error {}

/**
 * Returns the body of a request, of any media type.
 * @throws {AgentkeepError} `request_too_large`; `invalid_request` with the cause
 * {@link InterruptedBody} if the client left.
 */
export function readBytes(received: Received, bytesMax: number): Promise<Uint8Array> {
  const gathered = new GatheredBytes(bytesMax);
  const { incoming } = received;
  return incoming === undefined ? fromRequest(received, gathered) : fromSocket(incoming, gathered);
}

function requireJson(received: Received): void {
  const mediaType = received.header('content-type')?.split(';', 1)[0]?.trim() ?? '';
  if (JSON_MEDIA_TYPE.test(mediaType)) return;
  throw new AgentkeepError('invalid_request', {
    members: [{ path: 'content-type', expected: 'application/json' }],
  });
}

/** Collects bytes up to a bound. The declared length is not trusted. */
class GatheredBytes {
  readonly #bytesMax: number;
  readonly #parts: Uint8Array[] = [];
  #size = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Adds the next part; returns false if it exceeds the bound. */
  takes(part: Uint8Array): boolean {
    this.#size += part.length;
    if (this.#size > this.#bytesMax) return false;
    this.#parts.push(part);
    return true;
  }

  /** Returns all collected bytes. */
  bytes(): Uint8Array {
    const [only] = this.#parts;
    return this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts);
  }
}

/** Reads a body without a socket. */
async function fromRequest({ body }: Received, gathered: GatheredBytes): Promise<Uint8Array> {
  for await (const part of body ?? []) {
    if (!gathered.takes(part)) throw new AgentkeepError('request_too_large');
  }
  return gathered.bytes();
}

/** Reads from a socket, even past the bound, so that the client can read the refusal. */
function fromSocket(incoming: IncomingMessage, gathered: GatheredBytes): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const take = (part: Uint8Array): void => {
      if (gathered.takes(part)) return;
      incoming.off('data', take).resume();
      reject(new AgentkeepError('request_too_large'));
    };
    const interrupted = (error?: Error): void => {
      const members = [{ path: '', expected: 'the whole body' }];
      const cause = new InterruptedBody('The connection ended within the body.', { cause: error });
      reject(new AgentkeepError('invalid_request', { members, cause }));
    };
    // A destroyed socket emits no further event.
    if (incoming.destroyed) interrupted(incoming.errored ?? undefined);
    incoming.on('data', take).on('error', interrupted).on('close', interrupted);
    incoming.on('end', () => {
      // Every message closes in the end, and an error with its stack takes long to create.
      incoming.off('close', interrupted);
      resolve(gathered.bytes());
    });
  });
}
