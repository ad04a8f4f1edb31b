/**
 * The API of agents and administrators, and what a client that reaches them another way is built
 * from. It loads no store, no validator and no module of Node.js.
 */
export * from './api.js';
export { Embeddings } from './client/embeddings.js';
export { personOf } from './client/logged-in.js';
export { platformLogin } from './client/logged-in.js';
export { loginDocument } from './client/session-client.js';
export { refuseUnknownOptions, requireArguments } from './contract/errors/arguments.js';
export { cutText } from './contract/texts/cut-text.js';
export { replaceInexactNumbers } from './contract/texts/exact-numbers.js';
export { parsedUrl } from './contract/texts/parsed-url.js';
export { rfc3339Millis } from './contract/texts/rfc3339.js';
export { jsonDocument } from './contract/schema/json-assert.js';
export { looksLikeApiKey } from './domains/people/api-key/api-key-start.js';
