/** The door of the console: keeps, renews and ends the session of a person in a browser. */
import { AgentkeepError, type OperationName } from '@agentkeep/core';
import { InvalidJsonError, parseJson } from '@agentkeep/core/operator';
import { type OutputOf, parsedUrl, type PartsOf } from '@agentkeep/core/clients';
import * as v from 'valibot';
import { ConsoleCookie } from './console-cookie.js';
import type { ConsoleLinks, LinkedAccount } from './console-links.js';

/** A header that no form can send, and no script of another site without a preflight. */
const CONSOLE_HEADER = 'x-agentkeep-console';

/** A request of a page. */
interface ConsoleRequest {
  readonly method: string;
  header(name: string): string | null;
  /** Returns the body as text. */
  body(): Promise<string>;
  readonly calls: {
    count(token: string | undefined): Promise<unknown>;
    invoke<N extends OperationName>(
      name: N,
      parts: PartsOf<N>,
      token?: string,
    ): Promise<OutputOf<N>>;
    /** Opens a session without a password, and returns its refresh token if there may be one. */
    openSession(account: LinkedAccount): Promise<string | undefined>;
  };
}

/** An answer to it. */
interface ConsoleAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: string;
}

/** What the door compares requests with. */
interface ConsoleDoor {
  /** The host that the request names. */
  readonly host: string | null;
  readonly links: ConsoleLinks | undefined;
}

/** What is sent: a session that was just opened, a link, or neither. */
const Sent = v.union([
  v.strictObject({
    refresh_token: v.pipe(v.string(), v.maxLength(512), v.regex(/^[\w.-]+$/)),
  }),
  v.strictObject({ link: v.pipe(v.string(), v.maxLength(128)) }),
  v.strictObject({}),
]);

interface SentToDoor {
  readonly refresh_token?: string;
  readonly link?: string;
}

const JSON_MEDIA_TYPE = /^application\/json$/i;

/** Answers a request at the door. */
export async function answerConsole(
  request: ConsoleRequest,
  { host, links }: ConsoleDoor,
): Promise<ConsoleAnswer> {
  const { calls } = request;
  await calls.count(undefined);
  const cookie = new ConsoleCookie(requireOwnOrigin(request, host));
  const kept = cookie.read(request.header('cookie'));
  if (request.method === 'DELETE') {
    if (kept !== undefined) await endSession(request, kept);
    return answered({ success: true }, [cookie.forget()]);
  }
  const sent = sentIn(request, await request.body());
  const { link, refresh_token: refreshToken = kept } = sent;
  if (link !== undefined) return openedByLink(request, { link, links, cookie });
  if (refreshToken !== undefined) {
    const session = await refreshed(request, refreshToken);
    if (session !== undefined) return keptSession(session, refreshToken, cookie);
  }
  // What was sent may be wrong, and then it says nothing of the session that the browser keeps.
  return answered({ session: null }, refreshToken === kept ? [cookie.forget()] : []);
}

/**
 * Opens the session of a link. The one that the browser keeps is left alone if it is refused.
 *
 * @throws {AgentkeepError} `console_link_used`, `console_link_expired`, `console_link_unknown`
 */
async function openedByLink(
  request: ConsoleRequest,
  { link, links, cookie }: FollowedLink,
): Promise<ConsoleAnswer> {
  const account = links?.redeem(link);
  const refreshToken = account && (await request.calls.openSession(account));
  if (refreshToken === undefined) throw new AgentkeepError('console_link_unknown');
  const session = await refreshed(request, refreshToken);
  if (session === undefined) throw new AgentkeepError('console_link_unknown');
  return keptSession(session, refreshToken, cookie);
}

interface FollowedLink {
  readonly link: string;
  readonly links: ConsoleLinks | undefined;
  readonly cookie: ConsoleCookie;
}

/**
 * Returns the origin of the page that sent a request, which must be this server's.
 *
 * @throws {AgentkeepError} `forbidden` for a request of another site, or of none.
 */
function requireOwnOrigin(request: ConsoleRequest, host: string | null): string {
  const origin = request.header('origin') ?? '';
  const site = request.header('sec-fetch-site') ?? 'same-origin';
  const isOwn = parsedUrl(origin)?.host === host && site === 'same-origin';
  if (isOwn && request.header(CONSOLE_HEADER) !== null) return origin;
  const message =
    'Only the page of the console may use its session. Open the console, and sign in there.';
  throw new AgentkeepError('forbidden', { message });
}

/**
 * Reads what the page sent.
 *
 * @throws {AgentkeepError} `invalid_request` for another media type, broken JSON or other members.
 */
function sentIn(request: ConsoleRequest, body: string): SentToDoor {
  if (body === '') return {};
  const mediaType = request.header('content-type')?.split(';', 1)[0]?.trim() ?? '';
  if (!JSON_MEDIA_TYPE.test(mediaType)) {
    const members = [{ path: 'content-type', expected: 'application/json' }];
    throw new AgentkeepError('invalid_request', { members });
  }
  const sent = v.safeParse(Sent, documentIn(body));
  if (sent.success) return sent.output;
  const message = 'Send a `refresh_token`, a `link`, or an empty object for the kept session.';
  throw new AgentkeepError('invalid_request', { message });
}

/** Returns a document; `undefined` for broken JSON, and for what only looks like an object. */
function documentIn(body: string): unknown {
  try {
    const { value, withDuplicatesMarked = value } = parseJson(Buffer.from(body));
    return Array.isArray(withDuplicatesMarked) ? undefined : withDuplicatesMarked;
  } catch (error) {
    if (error instanceof InvalidJsonError) return undefined;
    throw error;
  }
}

/** Returns a new access token of a session, or `undefined` if the session has ended. */
async function refreshed(
  { calls }: ConsoleRequest,
  refreshToken: string,
): Promise<OutputOf<'authRefresh'> | undefined> {
  try {
    return await calls.invoke('authRefresh', { document: { refresh_token: refreshToken } });
  } catch (error) {
    if (error instanceof AgentkeepError && error.kind === 'unauthenticated') return undefined;
    throw error;
  }
}

async function endSession(request: ConsoleRequest, refreshToken: string): Promise<void> {
  const session = await refreshed(request, refreshToken);
  if (session !== undefined) await request.calls.invoke('authLogout', {}, session.access_token);
}

function keptSession(
  session: OutputOf<'authRefresh'>,
  refreshToken: string,
  cookie: ConsoleCookie,
): ConsoleAnswer {
  return answered({ session }, [cookie.keep(refreshToken, session.refresh_expires_in)]);
}

function answered(document: object, cookies: readonly string[]): ConsoleAnswer {
  return { status: 200, headers: {}, cookies, body: JSON.stringify(document) };
}
