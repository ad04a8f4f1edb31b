/**
 * Reads the JSON body of a request: media type first, then size, then strict JSON.
 * @module
 */
import type { IncomingMessage } from 'node:http';
import { AgentkeepError, parseJson, type ParsedJson } from '@agentkeep/core';

/** Largest body, in bytes. */
const BODY_BYTES_MAX = 65_536;

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
  return parseJson(await readBytes(incoming ?? request.body ?? []));
}

/** Counts while it reads, whatever the declared length says, and stops at the bound. */
async function readBytes(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of chunks) {
    size += part.length;
    if (size > BODY_BYTES_MAX) throw new AgentkeepError('request_too_large');
    parts.push(part);
  }
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
}
