/** The screen of learning: its scopes, and what one of them has. */
import type { JSX } from 'preact';
import { Empty } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { address } from '../../routing/router.js';
import { Visibility } from '../../scopes/scope-name.js';
import { scopeOfQuery, scopeQuery, scopeText, type ShownScope } from '../../scopes/scope-query.js';
import { type Caller, may } from '../../session/caller.js';
import { texts } from '../../texts/en/english.js';
import { AttemptDetail } from './attempt-detail.js';
import { Attempts } from './attempts.js';
import { ContextDetail } from './context-detail.js';
import { DevelopmentDetail } from './development-detail.js';
import { Overview, seesEntries, seesScopes } from './overview.js';
import { PolicyDetail } from './policy-detail.js';
import { ProcedureDetail } from './procedure-detail.js';
import { Procedures } from './procedures.js';
import { Tools } from './tools.js';

const words = texts.learning;

/** The sections, with the right that each needs. */
const sections = [
  { name: 'procedures', right: 'memory_read', Shown: Procedures },
  { name: 'attempts', right: 'experience_read', Shown: Attempts },
  { name: 'tools', right: 'tool_read', Shown: Tools },
] as const;

/** What has a page of its own, by its name in the address, with the right that it needs. */
const details = [
  { name: 'procedure', right: 'memory_read', Shown: ProcedureDetail },
  { name: 'attempt', right: 'experience_read', Shown: AttemptDetail },
  { name: 'development', right: 'tool_read', Shown: DevelopmentDetail },
] as const;

/** Returns whether a caller may see any learning. */
export function seesLearning(caller: Caller): boolean {
  return seesEntries(caller) || seesScopes(caller);
}

/** Shows what the address names: a policy, a context, a scope or what a scope has, or all. */
export function LearningScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  const { query } = address.value;
  const shown = scopeOfQuery(query);
  const [policy, context] = [query.get('policy'), query.get('context')];
  if (policy !== null && seesEntries(caller)) return <PolicyDetail key={policy} id={policy} />;
  if (context !== null && seesEntries(caller)) {
    return <ContextDetail key={context} caller={caller} id={context} shown={shown} />;
  }
  if (shown === undefined) return <Overview caller={caller} />;
  const detail = details.find(({ name, right }) => query.has(name) && may(caller, right));
  if (detail !== undefined) {
    const id = query.get(detail.name) ?? '';
    return <detail.Shown key={id} caller={caller} shown={shown} id={id} />;
  }
  return <ScopeLearning caller={caller} shown={shown} />;
}

function ScopeLearning(props: {
  readonly caller: Caller;
  readonly shown: ShownScope;
}): JSX.Element {
  const { caller, shown } = props;
  const offered = sections.filter(({ right }) => may(caller, right));
  const chosen = offered.find(({ name }) => name === address.value.query.get('show')) ?? offered[0];
  return (
    <Screen
      title={scopeText(shown.scope)}
      above={<Link to={pathOf('learning')}>{words.title}</Link>}
      about={<Visibility {...shown} />}
    >
      <nav class="tabs" aria-label={words.sections}>
        {offered.map(({ name }) => (
          <Link
            key={name}
            to={pathOf('learning', { ...scopeQuery(shown), show: name })}
            current={name === chosen?.name}
          >
            {words[name]}
          </Link>
        ))}
      </nav>
      {chosen === undefined ? (
        <Empty title={words.noRights} text={words.noRightsText} />
      ) : (
        <chosen.Shown caller={caller} shown={shown} />
      )}
    </Screen>
  );
}
