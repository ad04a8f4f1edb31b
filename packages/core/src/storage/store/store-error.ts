/** Errors of stores. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { ErrorCode } from '../../contract/errors/catalogue.js';

/**
 * Makes an error of the catalogue. `detail` becomes its `cause`: one sentence for operators, which
 * may name paths but never contents.
 */
export function storeError(code: ErrorCode, detail: string, cause?: unknown): AgentkeepError {
  return new AgentkeepError(code, { cause: new Error(detail, { cause }) });
}
