/** Reads a form that a browser sent, and refuses one that another site made it send. */
import { AgentkeepError } from '@agentkeep/core';
import { type BrowserCookies, isFormToken } from './browser-session.js';
import type { DoorRequest } from '../request/door-request.js';

const FORM = /^application\/x-www-form-urlencoded\b/i;

/** The member of a form that proves where it came from. */
export const FORM_TOKEN = 'form_token';

/**
 * Returns the members of a form.
 *
 * @throws {AgentkeepError} `forbidden` for a form of another site; `invalid_request` for no form.
 */
export async function sentForm(
  request: DoorRequest,
  { cookies, name, publicUrl }: FormRules,
): Promise<URLSearchParams> {
  const origin = request.header('origin');
  if (origin !== null && origin !== publicUrl) throw foreign();
  if (!FORM.test(request.header('content-type') ?? '')) throw new AgentkeepError('invalid_request');
  const form = new URLSearchParams(await request.body());
  const { secret } = cookies.formSecret(request.header('cookie'));
  if (!isFormToken(form.get(FORM_TOKEN), secret, name)) throw foreign();
  return form;
}

/** What a form is compared with. */
export interface FormRules {
  readonly cookies: BrowserCookies;
  /** Names the form, so that the token of another form does not fit. */
  readonly name: string;
  readonly publicUrl: string;
}

function foreign(): AgentkeepError {
  const message =
    'This form was not made by this server for this browser. Go back, load the page again, and ' +
    'send it once more.';
  return new AgentkeepError('forbidden', { message });
}
