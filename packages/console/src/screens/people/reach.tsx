/** The section that says who reaches what: by subject, and by scope. */
import type { JSX } from 'preact';
import { TextField, textsOf } from '../../parts/field.js';
import { pathOf } from '../../routing/address.js';
import { address, go } from '../../routing/router.js';
import { ScopeFields } from '../../scopes/scope-fields.js';
import { scopeOfQuery } from '../../scopes/scope-query.js';
import { texts } from '../../texts/en/english.js';
import { ScopeHolders } from './scope-holders.js';
import { SubjectReach } from './subject-reach.js';

const words = texts.reach;

/** Shows both questions, and the answer to that of the address. */
export function Reach(): JSX.Element {
  const { query } = address.value;
  const key = query.toString();
  const of = query.get('of');
  const scope = scopeOfQuery(query);
  return (
    <>
      <Question key={`subject ${key}`} title={words.bySubject}>
        <TextField label={words.subject} name="of" value={of ?? ''} required />
      </Question>
      <Question key={`scope ${key}`} title={words.byScope}>
        <ScopeFields values={Object.fromEntries(query)} />
        <TextField label={words.privateTo} name="subject" value={query.get('subject') ?? ''} />
      </Question>
      {of === null ? undefined : <SubjectReach key={of} subject={of} />}
      {of === null && scope !== undefined ? <ScopeHolders key={key} shown={scope} /> : undefined}
    </>
  );
}

function Question(props: {
  readonly title: string;
  readonly children: JSX.Element | JSX.Element[];
}): JSX.Element {
  const { title, children } = props;
  return (
    <form
      class="card"
      aria-label={title}
      onSubmit={(event) => {
        go(pathOf('access', { show: 'reach', ...textsOf(event) }));
      }}
    >
      <h2>{title}</h2>
      <div class="fields">
        {children}
        <button type="submit">{words.show}</button>
      </div>
    </form>
  );
}
