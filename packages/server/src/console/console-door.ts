/** The door of the console: keeps, renews and ends the session of a person in a browser. */
import { AgentkeepError } from '@agentkeep/core';
import type { OperationName } from '@agentkeep/core';
import type { OutputOf, PartsOf } from '@agentkeep/core/clients';
import * as v from 'valibot';
import { ConsoleCookie } from './console-cookie.js';
import type { ConsoleLinks } from './console-links.js';

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

const Sent = v.strictObject({
  refresh_token: v.optional(v.pipe(v.string(), v.maxLength(512), v.regex(/^[\w.-]+$/))),
  link: v.optional(v.pipe(v.string(), v.maxLength(128))),
});

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
    return answered({ success: true }, cookie.forget());
  }
  const { refresh_token: sent, link } = sentIn(await request.body());
  const refreshToken = sent ?? (link === undefined ? kept : links?.redeem(link));
  const session = refreshToken === undefined ? undefined : await refreshed(request, refreshToken);
  if (refreshToken === undefined || session === undefined) {
    return answered({ session: null }, cookie.forget());
  }
  return answered({ session }, cookie.keep(refreshToken, session.refresh_expires_in));
}

/**
 * Returns the origin of the page that sent a request, which must be this server's.
 *
 * @throws {AgentkeepError} `forbidden` for a request of another site, or of none.
 */
function requireOwnOrigin(request: ConsoleRequest, host: string | null): string {
  const origin = request.header('origin') ?? '';
  const site = request.header('sec-fetch-site') ?? 'same-origin';
  const isOwn = URL.canParse(origin) && new URL(origin).host === host && site === 'same-origin';
  if (isOwn && request.header(CONSOLE_HEADER) !== null) return origin;
  const message =
    'Only the page of the console may use its session. Open the console, and sign in there.';
  throw new AgentkeepError('forbidden', { message });
}

function sentIn(body: string): v.InferOutput<typeof Sent> {
  try {
    const sent: unknown = JSON.parse(body === '' ? '{}' : body);
    // An empty array would pass for an object without members.
    if (!Array.isArray(sent)) return v.parse(Sent, sent);
  } catch {
    // Broken JSON, or members that it does not take.
  }
  throw new AgentkeepError('invalid_request');
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

function answered(document: object, cookie: string): ConsoleAnswer {
  return { status: 200, headers: {}, cookies: [cookie], body: JSON.stringify(document) };
}
