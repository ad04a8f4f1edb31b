/** Ends the session of a browser. */
import { AgentkeepError } from '@agentkeep/core';
import type { DoorAnswer, DoorRequest } from '../request/door-request.js';
import { doorPaths } from '../request/door-paths.js';
import { redirect } from './html.js';
import type { LoginParts } from './login-page.js';
import { sentForm } from './sent-form.js';

/** Ends the session with all its tokens. */
export async function logOut(request: DoorRequest, parts: LoginParts): Promise<DoorAnswer> {
  const token = parts.cookies.session(request.header('cookie'));
  await request.calls.count(token);
  await sentForm(request, { ...parts, name: 'account' });
  try {
    await request.calls.invoke('authLogout', {}, token);
  } catch (error) {
    // It has ended already.
    if (!(error instanceof AgentkeepError) || error.code !== 'unauthorized') throw error;
  }
  return redirect(doorPaths.login, [parts.cookies.endSession()]);
}
