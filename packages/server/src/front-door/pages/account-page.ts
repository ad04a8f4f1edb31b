/** The page of an account: the programs that it connected, each of which one click ends. */
import { AgentkeepError } from '@agentkeep/core';
import type { OutputOf } from '@agentkeep/core/clients';
import { formToken } from './browser-session.js';
import type { DoorAnswer, DoorRequest } from '../request/door-request.js';
import { doorPaths } from '../request/door-paths.js';
import { html, isolated, joined, type Markup, pageAnswer, redirect } from './html.js';
import { consoleLink } from './console-link.js';
import { loginAddress, type LoginParts } from './login-page.js';
import { FORM_TOKEN, sentForm } from './sent-form.js';

const FORM = 'account';

type Connection = OutputOf<'listConnections'>['connections'][number];

/** Shows the connected programs. */
export async function showAccount(request: DoorRequest, parts: LoginParts): Promise<DoorAnswer> {
  const header = request.header('cookie');
  const token = parts.cookies.session(header);
  const principal = await request.calls.count(token);
  if (principal?.kind !== 'account' || token === undefined) {
    return redirect(loginAddress(doorPaths.account));
  }
  const { connections } = await request.calls.invoke('listConnections', {}, token);
  const proof = formToken(parts.cookies.formSecret(header).secret, FORM);
  const list =
    connections.length === 0
      ? html`<p>No programs are connected.</p>`
      : joined(connections.map((each) => connectionItem(each, proof)));
  const content = html`<h1>Connected programs</h1>
    <p>You are signed in as <strong>${isolated(principal.username)}</strong>.</p>
    <div class="list">${list}</div>
    <form method="post" action="${doorPaths.logout}">
      <input type="hidden" name="${FORM_TOKEN}" value="${proof}" />
      <button type="submit">Sign out</button>
    </form>
    ${consoleLink(parts)}`;
  return pageAnswer({ title: 'Connected programs', content });
}

/** Ends the connection that was sent. */
export async function endFromPage(request: DoorRequest, parts: LoginParts): Promise<DoorAnswer> {
  const token = parts.cookies.session(request.header('cookie'));
  await request.calls.count(token);
  const form = await sentForm(request, { ...parts, name: FORM });
  if (token === undefined) return redirect(loginAddress(doorPaths.account));
  try {
    await request.calls.invoke('endConnection', { id: form.get('connection') ?? '' }, token);
  } catch (error) {
    // It has ended already, or it is somebody else's.
    if (!(error instanceof AgentkeepError) || error.code !== 'target_not_found') throw error;
  }
  return redirect(doorPaths.account);
}

function connectionItem(connection: Connection, proof: string): Markup {
  const { id, client_name: name, client_host: host, access, expires_at: end } = connection;
  return html`<form class="item" method="post" action="${doorPaths.account}">
    <input type="hidden" name="${FORM_TOKEN}" value="${proof}" />
    <input type="hidden" name="connection" value="${id}" />
    <p>
      <strong>${isolated(name ?? host)}</strong> at <code>${isolated(host)}</code> may
      ${access.join(', ')} until ${end.slice(0, 10)}.
    </p>
    <button class="danger" type="submit">Disconnect</button>
  </form>`;
}
