/** The markup of the consent page: who asks, for whom, for what, and until when. */
import { ACCESS_NAMES, givableAccess, type ProgramAccess } from '@agentkeep/core/operator';
import { requestedAccess } from '../request/requested-access.js';
import type { AskedConsent, Person } from './asked-consent.js';
import { DAYS, DAYS_DEFAULT, listedScopes } from './consent-choice.js';
import { doorPaths } from '../request/door-paths.js';
import { shownAddress } from '../provider/redirect-address.js';
import { html, joined, type Markup } from '../pages/html.js';
import { FORM_TOKEN } from '../pages/sent-form.js';

const words: Readonly<Record<ProgramAccess, string>> = {
  read: 'Read what is remembered',
  write: 'Store, change and delete memory',
  learn: 'Propose and evaluate procedures',
};

/** What the page shows. */
export interface ConsentView {
  readonly asked: AskedConsent;
  readonly person: Person;
  readonly token: string;
  readonly problem: string | undefined;
}

/** Returns the content of the page. */
export function consentContent({ asked, person, token, problem }: ConsentView): Markup {
  const { client, interaction, redirectUri } = asked;
  const address = shownAddress(redirectUri);
  const name = client.clientName ?? address;
  return html`<h1>Connect ${name}?</h1>
    ${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
    <p>
      A program that calls itself <strong>${name}</strong> wants to use the memory of
      <strong>${person.username}</strong>. Its answers go to <code>${address}</code>.
    </p>
    <p class="hint">Its id is <code>${shortened(client.clientId)}</code>.</p>
    <form method="post" action="${doorPaths.consent}${interaction.uid}">
      <input type="hidden" name="${FORM_TOKEN}" value="${token}" />
      <fieldset>
        <legend>It may</legend>
        ${accessChoices(asked, person)}
      </fieldset>
      <fieldset>
        <legend>In this memory</legend>
        ${scopeChoices(person)}
      </fieldset>
      <label
        >For
        <select name="days">
          ${dayChoices()}
        </select></label
      >
      <button type="submit" name="answer" value="allow">Allow</button>
      <button type="submit" name="answer" value="deny" formnovalidate>Deny</button>
    </form>
    <p class="hint">
      You can end it at any time under
      <a href="${doorPaths.account}">connected programs</a>.
    </p>`;
}

function accessChoices({ scope }: AskedConsent, { credential }: Person): Markup {
  const givable = credential === null ? [] : givableAccess(credential);
  const requested = requestedAccess(scope);
  const offered = ACCESS_NAMES.filter((each) => givable.includes(each) && requested.includes(each));
  if (offered.length === 0) {
    return html`<p>Your own account may do nothing of what the program asks for.</p>`;
  }
  return joined(
    offered.map(
      (each) =>
        html`<label class="choice"
          ><input type="checkbox" name="access" value="${each}" checked /> ${words[each]}</label
        >`,
    ),
  );
}

/** Private memory is chosen at first, shared memory is not. */
function scopeChoices(person: Person): Markup {
  const listed = listedScopes(person).map(
    ({ project_id, mission_id, agent_id, visibility }, index) =>
      html`<label class="choice"
        ><input
          type="checkbox"
          name="scope"
          value="${index}"
          ${index === 0 && visibility === 'private' ? 'checked' : ''}
        />
        ${[project_id, mission_id, agent_id].filter(Boolean).join(' / ')} (${visibility})</label
      >`,
  );
  const hasPolicy = person.credential?.spec.scope_policy !== undefined;
  return joined(hasPolicy ? [...listed, statedScope(person)] : listed);
}

function statedScope({ credential }: Person): Markup {
  const visibilities = credential?.spec.scope_policy?.visibilities ?? [];
  const options = ['private', 'shared'].filter((each) => visibilities.some((it) => it === each));
  return html`<label>Project <input name="project" required /></label>
    <label>Mission, if it has one <input name="mission" /></label>
    <label>Agent <input name="agent" required /></label>
    <label
      >Visible to
      <select name="visibility">
        ${joined(options.map((each) => html`<option value="${each}">${each}</option>`))}
      </select></label
    >`;
}

function dayChoices(): Markup {
  return joined(
    DAYS.map(
      (days) =>
        html`<option value="${days}" ${days === DAYS_DEFAULT ? 'selected' : ''}>
          ${days === 1 ? '1 day' : `${days} days`}
        </option>`,
    ),
  );
}

const SHOWN_MAX = 200;

function shortened(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
