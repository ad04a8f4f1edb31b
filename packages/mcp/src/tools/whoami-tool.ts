/** The tool that names the caller and its scopes. */
import { objectOf } from '../json-schema.js';
import { defineTool, type Tool } from './tool.js';

/** Returns the credential of the caller. */
export const whoami: Tool = defineTool<object>({
  name: 'whoami',
  title: 'Who am I',
  description: 'Returns the credential of the calls: its subject, its capabilities and its scopes.',
  effect: 'reads',
  isIdempotent: true,
  input: objectOf({}),
  run: async (_given, { agent, signal }) => ({ credential: await agent.whoAmI({ signal }) }),
});
