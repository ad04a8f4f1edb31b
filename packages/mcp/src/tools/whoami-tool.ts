/** The tool that names the caller and its scopes. */
import { objectOf, refTo } from '../json-schema.js';
import { defineTool, type Tool } from './tool.js';

/** Returns the credential of the caller. */
export const whoami: Tool = defineTool<object>({
  name: 'whoami',
  title: 'Who am I',
  description:
    'Returns the credential that the calls act with: its tenant, subject, capabilities and the ' +
    'scopes that it may use.',
  effect: 'reads',
  isIdempotent: true,
  input: objectOf({}),
  output: objectOf({ credential: refTo('Credential') }),
  run: async (_given, { agent, signal }) => ({ credential: await agent.whoAmI({ signal }) }),
});
