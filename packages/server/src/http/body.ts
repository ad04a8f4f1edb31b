/**
 * Reads the JSON body of a request: media type first, then size, then strict JSON.
 * @module
 */
import type { IncomingMessage } from 'node:http';
import { AgentkeepError, DOCUMENT_BYTES_MAX, parseJson, type ParsedJson } from '@agentkeep/core';

const JSON_MEDIA_TYPE = /^application\/(?:[!#$%&'*+.^`|~\w-]+\+)?json$/i;

/**
 * The document in the body.
 * @throws {AgentkeepError} `invalid_request` for another media type, `request_too_large`.
 * @throws {InvalidJsonError} when it is not strict JSON.
 */
export async function readDocument(
  request: Request,
  incoming: IncomingMessage | undefined,
): Promise<ParsedJson> {
  const mediaType = request.headers.get('content-type')?.split(';', 1)[0]?.trim() ?? '';
  if (!JSON_MEDIA_TYPE.test(mediaType)) {
    throw new AgentkeepError('invalid_request', { members: ['content-type'] });
  }
  const bytes = incoming === undefined ? fromRequest(request) : fromSocket(incoming);
  return parseJson(await bytes);
}

/** Counts while it gathers, whatever the declared length says. */
class GatheredBytes {
  readonly #parts: Uint8Array[] = [];
  #size = 0;

  /** Takes the next part, unless it goes beyond the bound. */
  takes(part: Uint8Array): boolean {
    this.#size += part.length;
    if (this.#size > DOCUMENT_BYTES_MAX) return false;
    this.#parts.push(part);
    return true;
  }

  /** All that was taken. */
  bytes(): Uint8Array {
    const [only] = this.#parts;
    return this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts);
  }
}

/** Reads a body without a socket. */
async function fromRequest({ body }: Request): Promise<Uint8Array> {
  const gathered = new GatheredBytes();
  for await (const part of (body as AsyncIterable<Uint8Array> | null) ?? []) {
    if (!gathered.takes(part)) throw new AgentkeepError('request_too_large');
  }
  return gathered.bytes();
}

/** Reads from a socket, beyond the bound too, so that the client gets to see the refusal. */
function fromSocket(incoming: IncomingMessage): Promise<Uint8Array> {
  const gathered = new GatheredBytes();
  return new Promise((resolve, reject) => {
    const take = (part: Uint8Array): void => {
      if (gathered.takes(part)) return;
      incoming.off('data', take).resume();
      reject(new AgentkeepError('request_too_large'));
    };
    const interrupted = (cause?: Error): void => {
      reject(new AgentkeepError('invalid_request', { cause }));
    };
    incoming.on('data', take).on('error', interrupted).on('close', interrupted);
    incoming.on('end', () => {
      resolve(gathered.bytes());
    });
  });
}
