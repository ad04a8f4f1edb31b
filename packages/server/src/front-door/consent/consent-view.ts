/** The markup of the consent page: who asks, for whom, for what, and until when. */
import { ACCESS_NAMES, givableAccess, type ProgramAccess } from '@agentkeep/core/operator';
import { requestedAccess } from '../request/requested-access.js';
import type { AskedConsent, Person } from './asked-consent.js';
import { DAYS, DAYS_DEFAULT, type Grant } from './consent-choice.js';
import type { OfferedScope } from './offered-scopes.js';
import { doorPaths } from '../request/door-paths.js';
import { shownAddress } from '../provider/redirect-address.js';
import { html, isolated, joined, type Markup } from '../pages/html.js';
import { FORM_TOKEN } from '../pages/sent-form.js';

const words: Readonly<Record<ProgramAccess, string>> = {
  read: 'Read memory',
  write: 'Store, change and delete memory',
  learn: 'Propose and evaluate procedures',
};

/** What the page shows. */
export interface ConsentView {
  readonly asked: AskedConsent;
  readonly person: Person;
  readonly offered: readonly OfferedScope[];
  readonly token: string;
  readonly problem: string | undefined;
  /** The way to the console, if there is one. */
  readonly way: Markup | '';
}

/** Returns the content of the page. */
export function consentContent(view: ConsentView): Markup {
  const { asked, person, offered, token, problem, way } = view;
  const { client, interaction, redirectUri } = asked;
  const address = shownAddress(redirectUri);
  const name = client.clientName ?? address;
  return html`<h1>Connect ${isolated(name)}?</h1>
    ${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
    <p>
      A program that calls itself <strong>${isolated(name)}</strong> wants to use the memory of
      <strong>${isolated(person.username)}</strong>. The answer is sent to
      <code>${isolated(address)}</code>.
    </p>
    <p class="soft small">Program id: <code>${isolated(shortened(client.clientId))}</code></p>
    <form method="post" action="${doorPaths.consent}${interaction.uid}">
      <input type="hidden" name="${FORM_TOKEN}" value="${token}" />
      <fieldset>
        <legend>Allow it to</legend>
        ${accessChoices(asked, person)}
      </fieldset>
      <fieldset>
        <legend>In these scopes</legend>
        ${scopeChoices(offered, person)}
      </fieldset>
      <div class="field">
        <label for="days">For</label>
        <select id="days" name="days">
          ${dayChoices()}
        </select>
      </div>
      <div class="row">
        <button class="main" type="submit" name="answer" value="allow">Allow</button>
        <button type="submit" name="answer" value="deny" formnovalidate>Deny</button>
      </div>
    </form>
    <p class="soft small">
      You can disconnect it at any time under
      <a href="${doorPaths.account}">Connected programs</a>.
    </p>
    ${way}`;
}

function accessChoices({ scope }: AskedConsent, { credential }: Person): Markup {
  const givable = credential === null ? [] : givableAccess(credential);
  const requested = requestedAccess(scope);
  const offered = ACCESS_NAMES.filter((each) => givable.includes(each) && requested.includes(each));
  if (offered.length === 0) {
    return html`<p>Your account has none of the access that the program asks for.</p>`;
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
function scopeChoices(offered: readonly OfferedScope[], person: Person): Markup {
  const listed = offered.map(
    ({ value, scope, records }, index) =>
      html`<label class="choice"
        ><input
          type="checkbox"
          name="scope"
          value="${value}"
          ${index === 0 && scope.visibility === 'private' ? 'checked' : ''}
        />
        <span>
          ${pathOf(scope)}
          <span class="soft small">${seenBy(scope)}${counted(records)}</span>
        </span></label
      >`,
  );
  const hasPolicy = person.credential?.spec.scope_policy !== undefined;
  return joined(hasPolicy ? [...listed, anotherScope(person, offered.length === 0)] : listed);
}

function pathOf({ project_id, mission_id, agent_id }: Grant): Markup {
  const names = [project_id, mission_id ?? [], agent_id].flat();
  return joined(names.map((name, index) => html`${index === 0 ? '' : ' / '}${isolated(name)}`));
}

function seenBy({ visibility }: Grant): string {
  return visibility === 'private' ? 'private to you' : 'shared';
}

function counted(records: number | undefined): string {
  if (records === undefined) return '';
  const number = records.toLocaleString('en');
  return records === 1 ? ' · 1 record' : ` · ${number} records`;
}

/** Where a policy decides, there may be scopes in which nothing is stored yet. */
function anotherScope({ credential }: Person, isOnly: boolean): Markup {
  const visibilities = credential?.spec.scope_policy?.visibilities ?? [];
  const options = ['private', 'shared'].filter((each) => visibilities.some((it) => it === each));
  return html`<details ${isOnly ? 'open' : ''}>
    <summary>Another scope</summary>
    ${textField('project', 'Project')} ${textField('mission', 'Mission, if it has one')}
    ${textField('agent', 'Agent')}
    <div class="field">
      <label for="visibility">Visible to</label>
      <select id="visibility" name="visibility">
        ${joined(options.map((each) => html`<option value="${each}">${each}</option>`))}
      </select>
    </div>
  </details>`;
}

function textField(name: string, label: string): Markup {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" />
  </div>`;
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
