/**
 * What a client of a server is built from, beside the classes of `@agentkeep/core/clients`. It
 * loads no store, no validator and no module of Node.js. Programs need none of it.
 */
export { batchesOf } from './clients/batches-of.js';
export { Embeddings } from './clients/embeddings.js';
export type { CallOperation, OutputOf, PartsOf } from './clients/call.js';
export { personOf } from './clients/logged-in.js';
export { platformLogin } from './clients/platform-login.js';
export { loginDocument } from './clients/session-client.js';
export { requireArguments } from './contract/errors/arguments.js';
export { looksLikeApiKey } from './people/api-key/api-key-start.js';
