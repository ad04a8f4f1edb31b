/** Errors of Agentkeep as errors of the protocol. */
import { AgentkeepError } from '@agentkeep/client';
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';

/** Turns errors of Agentkeep into errors of the protocol, with their stable code. */
export async function translated<T>(call: Promise<T>, uri?: string): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof AgentkeepError)) throw error;
    const { wireCode: code, kind, message, retryable } = error;
    if (code === 'record_not_found' && uri !== undefined) throw new ResourceNotFoundError(uri);
    const isOurs = kind === 'internal' || kind === 'unavailable' || kind === 'busy';
    const number = isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
    throw new ProtocolError(number, `${code}: ${message}`, { code, retryable });
  }
}
