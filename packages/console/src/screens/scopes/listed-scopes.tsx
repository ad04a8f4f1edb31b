/** The list of scopes: which are shown, in which order, and how much is stored in each. */
import type { JSX } from 'preact';
import { ChoiceField, Field } from '../../parts/field.js';
import { Empty } from '../../parts/notes.js';
import { type ColumnSort, Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { address, changeQuery } from '../../routing/router.js';
import type { CountedScope, ListedScopes as Listed } from '../../scopes/listed-scopes.js';
import { ScopeLink, ScopeName, Visibility } from '../../scopes/scope-name.js';
import { mayOpen } from '../../scopes/scope-rights.js';
import type { Caller } from '../../session/caller.js';
import { texts } from '../../texts/en/english.js';
import { chosenScopes, type ScopeChoice, scopeChoiceOf, type ScopeOrder } from './scope-choice.js';

const words = texts.scopes;

/** Shows the list; `onMore` loads more of it. */
export function ListedScopes(props: {
  readonly caller: Caller;
  readonly listed: Listed;
  readonly onMore: () => void;
}): JSX.Element {
  const { caller, onMore } = props;
  const { scopes, hasMore } = props.listed;
  if (scopes.length === 0) return <Empty title={words.empty} text={words.emptyText} />;
  const choice = scopeChoiceOf(address.value.query);
  const shown = chosenScopes(scopes, choice);
  return (
    <>
      <div class="fields fields-top">
        <WithText choice={choice} />
        <ChoiceField
          {...{ label: words.shows, name: 'shows', value: choice.visibility }}
          choices={{
            ...{ '': words.anyVisibility, shared: words.onlyShared, private: words.onlyPrivate },
          }}
          onChange={(shows) => changeQuery({ shows })}
        />
      </div>
      <p class="soft small" role="status">
        {words.shownOf(shown.length, scopes.length, !hasMore)}
      </p>
      {shown.length === 0 ? (
        <Empty title={words.noneShown} text={words.noneShownText} />
      ) : (
        <ScopeTable caller={caller} scopes={shown} choice={choice} />
      )}
      {hasMore ? (
        <div class="row">
          <button type="button" onClick={onMore}>
            {texts.more}
          </button>
        </div>
      ) : undefined}
    </>
  );
}

function WithText({ choice }: { readonly choice: ScopeChoice }): JSX.Element {
  return (
    <Field
      label={words.filter}
      hint={words.filterHint}
      field={(id) => (
        <input
          id={id}
          type="search"
          dir="auto"
          autocomplete="off"
          value={choice.text}
          onInput={(event) => changeQuery({ with: event.currentTarget.value })}
        />
      )}
    />
  );
}

function ScopeTable(props: {
  readonly caller: Caller;
  readonly scopes: readonly CountedScope[];
  readonly choice: ScopeChoice;
}): JSX.Element {
  const { caller, scopes, choice } = props;
  const sort = (order: ScopeOrder): ColumnSort => sortOf(choice, order);
  return (
    <Table
      columns={[
        { label: words.scope, sort: sort('name') },
        words.visibility,
        { label: words.records, isNumber: true, sort: sort('records') },
        { label: words.deleted, isNumber: true, wideOnly: true, sort: sort('deleted') },
        { label: words.lastChange, wideOnly: true, sort: sort('changed') },
      ]}
    >
      {scopes.map((each) => (
        <ScopeRow key={JSON.stringify([each.scope, each.subject_id])} caller={caller} each={each} />
      ))}
    </Table>
  );
}

/** A head sorts by its column, and turns the order of the column that is sorted by already. */
function sortOf({ order: now, direction }: ScopeChoice, order: ScopeOrder): ColumnSort {
  const isTurned = address.value.query.get('turned') !== null;
  const turned = now === order && !isTurned ? '1' : undefined;
  return {
    now: now === order ? direction : 'none',
    onSort: () => changeQuery({ order, turned }),
  };
}

function ScopeRow(props: { readonly caller: Caller; readonly each: CountedScope }): JSX.Element {
  const { caller, each } = props;
  const shown = { scope: each.scope, subjectId: each.subject_id ?? undefined };
  const { last_change_at_millis: changed } = each;
  return (
    <tr>
      <td>
        {mayOpen(caller, shown) ? <ScopeLink {...shown} /> : <ScopeName scope={shown.scope} />}
      </td>
      <td>
        <Visibility {...shown} />
      </td>
      <td class="number">{each.records.toLocaleString(texts.locale)}</td>
      <td class="number wide-only">{each.deleted_records.toLocaleString(texts.locale)}</td>
      <td class="wide-only">{changed === null ? texts.none : <Time millis={changed} />}</td>
    </tr>
  );
}
