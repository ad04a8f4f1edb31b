/** The screen of one scope: what is remembered there. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ExportDialog } from '../../exports/export-dialog.js';
import { mayExport } from '../../exports/exported-part.js';
import { Empty } from '../../parts/notes.js';
import { Screen } from '../../parts/screen.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { address } from '../../routing/router.js';
import { Visibility } from '../../scopes/scope-name.js';
import { scopeOfQuery, scopeQuery, scopeText } from '../../scopes/scope-query.js';
import { mayChange } from '../../scopes/scope-rights.js';
import { useSelection } from '../../selection/use-selection.js';
import { type Caller, may } from '../../session/caller.js';
import { texts } from '../../texts/en/english.js';
import { RecordForm } from '../record/record-form.js';
import { AskBox } from './ask-box.js';
import { Filters } from './filters.js';
import { FoundRecords } from './found-records.js';
import { Moment } from './moment.js';
import { RecordList } from './record-list.js';
import type { ScopeProps } from './scope-props.js';
import { searchOfQuery } from './search-query.js';

/** Shows the scope of the address. */
export function MemoryScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  const shown = scopeOfQuery(address.value.query);
  if (shown === undefined) {
    return (
      <Screen title={texts.menu.scopes}>
        <Empty title={texts.memory.noScope} text={texts.unknown.text} />
      </Screen>
    );
  }
  return <ScopeMemory caller={caller} shown={shown} />;
}

function ScopeMemory({ caller, shown }: ScopeProps): JSX.Element {
  const [open, setOpen] = useState<'create' | 'export'>();
  const leave = (): void => setOpen(undefined);
  const search = searchOfQuery(address.value.query);
  const isChangeable = mayChange(caller, shown);
  const selected = useSelection(caller, shown);
  const isSelectable = search.atMillis === undefined && isChangeable;
  const list = { caller, shown, search, selection: isSelectable ? selected : undefined };
  return (
    <Screen
      title={scopeText(shown.scope)}
      above={<Link to={pathOf('')}>{texts.menu.scopes}</Link>}
      about={<Visibility {...shown} />}
      actions={
        <>
          {isChangeable ? (
            <button type="button" onClick={() => setOpen('create')}>
              {texts.memory.create}
            </button>
          ) : undefined}
          {mayExport(caller, shown) ? (
            <button type="button" onClick={() => setOpen('export')}>
              {texts.exports.open}
            </button>
          ) : undefined}
          {caller.tenantId !== undefined && may(caller, 'credential_admin') ? (
            <Link class="button" to={pathOf('system', { show: 'retention', ...scopeQuery(shown) })}>
              {texts.retention.title}
            </Link>
          ) : undefined}
        </>
      }
    >
      <AskBox question={search.question} />
      <div class="stack-tight">
        <Filters />
        <Moment {...{ caller, shown }} atMillis={search.atMillis} />
      </div>
      {search.question === '' ? (
        <RecordList key={address.value.query.toString()} {...list} />
      ) : (
        <FoundRecords {...list} />
      )}
      {open === 'create' ? (
        <RecordForm caller={caller} shown={shown} record={undefined} onLeave={leave} />
      ) : undefined}
      {open === 'export' ? <ExportDialog {...{ caller, shown, onLeave: leave }} /> : undefined}
    </Screen>
  );
}
