/** Sessions of the OpenAI Agents SDK that keep their history in Agentkeep. */
export { AgentkeepSession, type AgentkeepSessionOptions } from './agentkeep-session.js';
export { SessionLimitError } from './session-limits.js';
