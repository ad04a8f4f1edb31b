/** The text of an answer, up to the size that an answer of a server can have. */
import { AgentkeepError } from '@agentkeep/core/clients';

/**
 * Most bytes of an answer: twice the bound of the items of a page (docs/contract/load.md#loa-1),
 * for the members around them.
 */
const ANSWER_BYTES_MAX = 8_388_608;

/** Reads an answer to its end; returns `undefined` for one that is too large, and closes it. */
export async function boundedText(response: Response): Promise<string | undefined> {
  const { body } = response;
  if (body === null) return '';
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > ANSWER_BYTES_MAX) {
      // The rest is not needed, so it doesn't matter whether it can be cancelled.
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Returns the error of an answer that is too large. */
export function tooLarge({ status }: Response): AgentkeepError {
  const message = `The answer is larger than ${ANSWER_BYTES_MAX} bytes, which no answer of Agentkeep is. Check the address of the server.`;
  return new AgentkeepError('unexpected_answer', { message, details: { status } });
}
