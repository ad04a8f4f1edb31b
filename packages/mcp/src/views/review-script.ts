/**
 * The script of the review view, in plain JavaScript: a host runs it in a frame without network,
 * and passes its calls of tools on. Texts of records become text nodes, never markup.
 */
export const reviewScript = String.raw`
'use strict';
const waiting = new Map();
let requests = 0;
let loads = 0;
const changed = 'The proposal has changed. Ask for the review again.';
let caller = { subject: '', mayCorrect: false };

const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');

function request(method, params) {
  requests += 1;
  const id = requests;
  send({ id, method, params });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

async function call(name, given) {
  const { isError, content, structuredContent } = await request('tools/call', {
    name,
    arguments: given,
  });
  const text = content?.[0]?.text ?? '';
  if (isError) throw new Error(text);
  return structuredContent ?? JSON.parse(text);
}
const review = (action, given) => call('memory_review', { action, ...given });

addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return;
  const { id, method, params, result, error } = data;
  if (method === 'ui/notifications/tool-result') void load();
  else if (method === 'ui/notifications/host-context-changed') dress(params);
  else if (method !== undefined && id !== undefined) send({ id, result: {} });
  if (method !== undefined) return;
  const asked = waiting.get(id);
  waiting.delete(id);
  if (error === undefined) asked?.resolve(result);
  else asked?.reject(new Error(error.message));
});

function dress({ theme, styles } = {}) {
  const { style } = document.documentElement;
  if (theme !== undefined) style.colorScheme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith('--') && value) style.setProperty(name, value);
  }
}

function make(tag, members = {}, ...children) {
  const element = Object.assign(document.createElement(tag), members);
  element.append(...children);
  return element;
}
const say = (text) => document.querySelector('#said').replaceChildren(text);
const button = (text, onclick) => make('button', { type: 'button', onclick }, text);

/** Runs what a button starts; meanwhile no button of the proposal can be pressed. */
function acts(part, run) {
  return async () => {
    const buttons = [...part.querySelectorAll('button')].filter(({ disabled }) => !disabled);
    for (const each of buttons) each.disabled = true;
    try {
      await run();
    } catch (error) {
      say(error.message);
    }
    for (const each of buttons) each.disabled = false;
  };
}

async function load() {
  loads += 1;
  const turn = loads;
  const list = document.querySelector('#proposals');
  try {
    const { page } = await review('list');
    if (turn !== loads) return;
    list.replaceChildren();
    say(page.items.length === 0 ? 'Nothing waits for review.' : '');
    add(list, page);
    list.querySelector('details')?.setAttribute('open', '');
  } catch (error) {
    say(error.message);
  }
}

function add(list, { items, next_cursor: cursor }) {
  list.append(...items.map(proposalOf));
  if (!cursor) return;
  const more = button('More proposals');
  more.onclick = acts(list, async () => {
    const { page } = await review('list', { cursor });
    more.remove();
    add(list, page);
  });
  list.append(more);
}

function proposalOf(proposal) {
  const { author, purpose, proposed_at_millis: at } = proposal;
  const when = new Date(at).toLocaleString();
  const head = make('summary', {}, make('bdi', {}, author.subject_id), ', ' + when);
  const part = make('details', {}, head);
  if (purpose !== null) part.append(make('p', { dir: 'auto' }, purpose));
  const body = make('div');
  part.append(body);
  let isShown = false;
  part.ontoggle = () => {
    if (!part.open || isShown) return;
    isShown = true;
    void show({ proposal, part, body }).catch((error) => {
      isShown = false;
      say(error.message);
    });
  };
  return part;
}

/** Shows what a proposal changes. It is decided once all of that was shown, by its digest. */
async function show(at, before = [], cursor) {
  const { digest, page } = await review('show', { id: at.proposal.id, cursor });
  if ((at.digest ?? digest) !== digest) throw new Error(changed);
  const differences = [...before, ...page.items];
  const seen = { ...at, digest, differences };
  at.body.replaceChildren(...differences.map(differenceOf));
  if (page.next_cursor) {
    const more = button('More changes');
    more.onclick = acts(at.part, () => show(seen, differences, page.next_cursor));
    at.body.append(more);
  } else if (at.proposal.author.subject_id === caller.subject) {
    at.body.append(make('p', {}, 'Another person decides about what you proposed.'));
  } else at.body.append(decisionOf(seen));
}

function differenceOf(difference) {
  const { scope, base, branch, conflict, redacted_revision: redacted } = difference;
  const where = [scope.project_id, scope.mission_id, scope.agent_id].filter(Boolean).join(' / ');
  const what =
    redacted !== null
      ? 'Takes away revision ' + redacted
      : branch === null
        ? 'Deletes'
        : base === null
          ? 'Adds'
          : 'Changes';
  const rows = changedMembers(difference).map(([name, one, other]) =>
    make(
      'tr',
      {},
      make('th', { scope: 'row' }, name),
      make('td', { dir: 'auto' }, one === '' ? '' : make('del', {}, one)),
      make('td', { dir: 'auto' }, other === '' ? '' : make('ins', {}, other)),
    ),
  );
  const part = make('section', {}, make('h2', {}, what, ' in ', make('bdi', {}, where)));
  part.append(make('table', {}, make('tbody', {}, ...rows)));
  if (conflict !== null) part.append(make('p', { className: 'bad' }, 'Conflict: ' + conflict));
  return part;
}

function changedMembers({ base, branch }) {
  const [before, after] = [membersOf(base), membersOf(branch)];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => [name, shown(name, before[name]), shown(name, after[name])])
    .filter(([, one, other]) => one !== other);
}

function membersOf(record) {
  if (record === null) return {};
  const { content, ...members } = record.payload;
  const { primary, ...others } = content;
  return { text: primary, name: record.name, ...others, ...members };
}

function shown(name, value) {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (name.endsWith('_millis')) return new Date(value).toISOString();
  return Object.keys(value).length === 0 && typeof value === 'object' ? '' : JSON.stringify(value);
}

function decisionOf(seen) {
  const { part, differences } = seen;
  const [only] = differences;
  const row = make('div', { className: 'row' });
  const reason = make('input', { placeholder: 'Why', ariaLabel: 'Why it is forgotten' });
  row.append(
    button('Accept', acts(part, () => accept(seen))),
    reason,
    button('Forget', acts(part, () => forget(seen, reason.value.trim()))),
  );
  if (!caller.mayCorrect || differences.length !== 1 || only.branch === null) return row;
  const text = make('textarea', { ariaLabel: 'Corrected text', rows: 3, dir: 'auto' });
  text.value = only.branch.payload.content.primary;
  const given = { isStored: false };
  const correct = acts(part, () => store(seen, text.value, given));
  return make('div', {}, row, text, button('Store this text instead', correct));
}

async function accept({ part, proposal, digest }) {
  const { merge } = await review('accept', { id: proposal.id, digest });
  if (merge.state !== 'merged') throw new Error('Nothing was accepted: ' + merge.state + '.');
  done(part, 'Accepted.');
}

async function forget({ part, proposal }, reason) {
  if (reason === '') throw new Error('Say why it is forgotten.');
  const { proposal: now } = await review('reject', { id: proposal.id, reason });
  done(part, now.reason === reason ? 'Forgotten.' : 'It was forgotten before: ' + now.reason);
}

/** Stores another text where the proposal changes a record, then forgets the proposal. */
async function store(seen, text, given) {
  const { part, proposal, digest, differences } = seen;
  if (!given.isStored) {
    const { digest: now } = await review('show', { id: proposal.id });
    if (now !== digest) throw new Error(changed);
    await write(differences[0], text, 'corrected/' + proposal.id);
    given.isStored = true;
  }
  await review('reject', { id: proposal.id, reason: 'Another text was stored.' });
  done(part, 'Stored with your text.');
}

function write({ scope, base, branch }, primary, key) {
  const { superseded_by: _ended, ...payload } = branch.payload;
  const record = { ...payload, content: { ...payload.content, primary, embedding: null } };
  const given = { scope, record, idempotency_key: key };
  if (base !== null) {
    const at = { record_id: base.record_id, expected_revision: base.revision };
    return call('memory_update', { ...given, ...at });
  }
  if (branch.name === undefined) return call('memory_create', given);
  return call('memory_put', { ...given, name: branch.name, expected_revision: 0 });
}

function done(part, text) {
  part.replaceWith(make('p', { className: 'done' }, part.querySelector('summary').textContent));
  say(text);
}

async function start() {
  const appInfo = { name: 'agentkeep-review', version: '1' };
  const protocolVersion = '2026-01-26';
  const { hostContext } = await request('ui/initialize', {
    ...{ appInfo, appCapabilities: {}, protocolVersion },
  });
  dress(hostContext);
  send({ method: 'ui/notifications/initialized' });
  new ResizeObserver(() => {
    const { scrollWidth: width, scrollHeight: height } = document.documentElement;
    send({ method: 'ui/notifications/size-changed', params: { width, height } });
  }).observe(document.body);
  const { credential } = await call('whoami', {});
  const { subject_id: subject, capabilities } = credential.spec;
  caller = { subject, mayCorrect: capabilities.includes('memory_write') };
  await load();
}
void start().catch((error) => say(error.message));
`;
