/** What is known of one operation's calls, and how a table of routes states it. */

/** A part of the API with one shape of errors. Only answers of `platform` name their version. */
export type Surface = 'platform' | 'account';

/** How calls of an operation may be treated. */
interface CallTraits {
  /** The status of a success. Default: 200. */
  readonly status: 200 | 201;
  /**
   * Whether the same call has the same effect however often it is sent, so that it may be sent
   * again when its answer was lost. Default: whether it is a GET. A POST that only reads is
   * repeatable, and so is a write whose document names its intent by an idempotency key or an id.
   */
  readonly isRepeatable: boolean;
  /** Whether a client may ask for a stream of events instead of a page. Default: false. */
  readonly hasEvents: boolean;
  /** Whether a client may ask for all pages as one stream of lines of JSON. Default: false. */
  readonly hasLines: boolean;
  /** Whether a change may wait for review, which 202 says. Default: false. */
  readonly mayWait: boolean;
}

/** What is known of an operation without its schemas: where it is, and how its calls behave. */
export interface Route extends CallTraits {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** At most one segment is a parameter in braces; it holds the id of the input. */
  readonly path: string;
  readonly surface: Surface;
}

const defaults: CallTraits = {
  status: 200,
  isRepeatable: false,
  hasEvents: false,
  hasLines: false,
  mayWait: false,
};

function routesOf(surface: Surface) {
  const by =
    (method: Route['method']) =>
    (path: string, traits: Partial<CallTraits> = {}): Route =>
      Object.freeze({
        ...defaults,
        isRepeatable: method === 'GET',
        ...traits,
        method,
        path,
        surface,
      });
  return { get: by('GET'), post: by('POST'), put: by('PUT'), delete: by('DELETE') };
}

/** Makes routes of the platform. */
export const platform = routesOf('platform');

/** Makes routes of accounts. */
export const account = routesOf('account');
