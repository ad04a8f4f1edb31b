/** The file that an import comes from. */
import { AgentkeepError } from '@agentkeep/client';
import { texts } from '../texts/en/english.js';

/** Bytes that are read at a time. */
const STEP = 1_048_576;

const HEAD = '{"line":"export"';

/** Returns whether a file begins as an export of Agentkeep does. */
export async function isExport(file: Blob): Promise<boolean> {
  return (await file.slice(0, HEAD.length).text()) === HEAD;
}

/**
 * Yields the texts of a file, and says before each how many bytes are read.
 *
 * @throws {AgentkeepError} `invalid_request` if it is no text, or can't be read any more
 */
export async function* textsOfFile(
  file: Blob,
  onRead: (bytes: number) => void,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < file.size; at += STEP) {
    const end = Math.min(file.size, at + STEP);
    let text: string;
    try {
      const bytes = await file.slice(at, end).arrayBuffer();
      text = decoder.decode(bytes, { stream: end < file.size });
    } catch (cause) {
      throw new AgentkeepError('invalid_request', { message: texts.imports.unreadable, cause });
    }
    onRead(end);
    yield text;
  }
}
