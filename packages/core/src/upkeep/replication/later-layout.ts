/** What a later version of the software wrote is refused with what to do (REP-79). */
import * as v from 'valibot';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { isJsonObject } from '../../contract/schema/json-value.js';
import { CONTRACT_DOCUMENT_VERSION } from '../../contract/version.js';

/** A form of documents, and the newest versions that are known, by the members that state them. */
interface Layout<S extends v.GenericSchema> {
  readonly schema: S;
  readonly known: Readonly<Record<string, number>>;
}

/**
 * Parses a document that states its version. `what` names it in the error for a later one.
 * @throws {AgentkeepError} `store_incompatible` if a later version wrote it.
 * @throws {SyntaxError} if it is not JSON.
 * @throws {v.ValiError} if it has another form.
 */
export function parseLayout<S extends v.GenericSchema>(
  text: string,
  { schema, known }: Layout<S>,
  what: string,
): v.InferOutput<S> {
  const stated: unknown = JSON.parse(text);
  const isLater =
    isJsonObject(stated) &&
    Object.entries(known).some(([member, newest]) => Number(stated[member]) > newest);
  if (isLater) throw laterLayout(what);
  return v.parse(schema, stated);
}

/** Makes the error for what a later version of the software wrote, which this one cannot read. */
export function laterLayout(what: string): AgentkeepError {
  const message =
    `A later version of Agentkeep wrote ${what}, in a layout that this version, ` +
    `${CONTRACT_DOCUMENT_VERSION}, does not know. Upgrade this program first, then try again.`;
  return new AgentkeepError('store_incompatible', { message });
}
