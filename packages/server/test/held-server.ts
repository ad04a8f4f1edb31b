/**
 * The server that modules get instead of `src/http/create-server.ts` while tests run: the answers
 * of each app are held against the published document. `vitest.workspace.ts` puts it there.
 *
 * With the `fetch` of every test held too (`holdFetch()`), what stays outside is received by raw
 * sockets, by Chromium, by Python and by other programs, from paths that the document lacks, and
 * what a stream says after its head.
 */
import { holding } from '@agentkeep/testkit/held-answers';
import { createServer as createOne } from '../src/http/create-server.js';

export * from '../src/http/create-server.js';

/** Creates a server as the real one does. A call fails where the document lacks its answer. */
export const createServer: typeof createOne = (...parts) => {
  const app = createOne(...parts);
  const { fetch } = app;
  const held = holding((request, _init, env?: object) => fetch(request as Request, env), ours);
  return {
    // With what sockets need.
    ...app,
    request: holding(app.request, ours),
    fetch: (request, env) => held(request, undefined, env),
  };
};

/** An answer that lacks the headers of a server is held, too. */
const ours = { isOurs: true };
