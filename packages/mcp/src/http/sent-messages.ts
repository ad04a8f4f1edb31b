/** Reads the messages of a request, and refuses content that is no message of the protocol. */
import { replaceInexactNumbers } from '@agentkeep/client';
import {
  classifyInboundRequest,
  isJsonContentType,
  isJSONRPCRequest,
  readRequestBody,
} from '@modelcontextprotocol/server';

/** Most messages of a batch. */
const BATCH_MAX = 100;

/** The only revision with batches; requests without a revision belong to it. */
const BATCH_REVISION = '2025-03-26';

/** The codes of JSON-RPC. */
const codes = { parse: -32_700, invalid: -32_600, other: -32_000 } as const;

/** Returns a refusal of a whole request, as JSON-RPC has it. */
function refusal(status: number, code: keyof typeof codes, message: string): Response {
  const error = { code: codes[code], message };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status });
}

/**
 * Returns what a request sent: one JSON value, or a batch of messages that may be answered. Returns
 * `undefined` for a request that sends no JSON, and a refusal for one that cannot be read.
 */
export async function sentMessages(
  request: Request,
  bytesMax: number,
): Promise<
  { readonly one: unknown } | { readonly batch: readonly unknown[] } | Response | undefined
> {
  const { headers, method } = request;
  if (method !== 'POST' || !isJsonContentType(headers.get('content-type'))) return undefined;
  const body = await readRequestBody(request, bytesMax);
  if (body.tooLarge) {
    return refusal(413, 'other', `The request is longer than ${bytesMax} bytes.`);
  }
  let sent: unknown;
  try {
    sent = JSON.parse(replaceInexactNumbers(body.text));
  } catch {
    return refusal(400, 'parse', 'Parse error: the request body is not valid JSON');
  }
  if (!Array.isArray(sent)) return { one: sent };
  return refusalOfBatch(sent, headers) ?? { batch: sent };
}

function refusalOfBatch(batch: readonly unknown[], headers: Headers): Response | undefined {
  const accept = headers.get('accept') ?? '';
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) {
    return refusal(406, 'other', 'Accept both application/json and text/event-stream.');
  }
  const revision = headers.get('mcp-protocol-version') ?? BATCH_REVISION;
  if (revision !== BATCH_REVISION) {
    const message = `Only revision ${BATCH_REVISION} has batches. Send each message by itself.`;
    return refusal(400, 'invalid', message);
  }
  if (batch.length > BATCH_MAX) {
    return refusal(400, 'invalid', `A batch has ${BATCH_MAX} messages at most.`);
  }
  const found = classifyInboundRequest({ httpMethod: 'POST', body: batch });
  if (found.kind === 'reject') return refusal(found.httpStatus, 'invalid', found.message);
  if (batch.some((message) => isJSONRPCRequest(message) && message.method === 'initialize')) {
    return refusal(400, 'invalid', 'initialize is no message of a batch. Send it by itself.');
  }
  return undefined;
}
