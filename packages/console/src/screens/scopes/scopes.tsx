/** The screen of all scopes, with their counts. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ExportDialog } from '../../exports/export-dialog.js';
import { mayExportAll } from '../../exports/exported-part.js';
import { ImportDialog } from '../../exports/import-dialog.js';
import { Screen } from '../../parts/screen.js';
import { pathOf } from '../../routing/address.js';
import { Link } from '../../routing/link.js';
import { type Caller, may } from '../../session/caller.js';
import { texts } from '../../texts/en.js';
import { ListedScopes } from './listed-scopes.js';
import { OpenScope } from './open-scope.js';

const words = texts.scopes;

/** Shows the scopes that the caller may see. */
export function ScopesScreen({ caller }: { readonly caller: Caller }): JSX.Element {
  const [open, setOpen] = useState<'export' | 'import'>();
  const [imports, setImports] = useState(0);
  const leave = (): void => setOpen(undefined);
  return (
    <Screen
      title={words.title}
      about={words.about}
      actions={
        <>
          {may(caller, 'memory_read') ? (
            <Link to={pathOf('find')} class="button">
              {texts.find.open}
            </Link>
          ) : undefined}
          {mayExportAll(caller) ? <Transfers onOpen={setOpen} /> : undefined}
        </>
      }
    >
      <ListedScopes caller={caller} imports={imports} />
      {open === 'export' ? (
        <ExportDialog caller={caller} shown={undefined} onLeave={leave} />
      ) : undefined}
      {open === 'import' ? (
        <ImportDialog onStored={() => setImports((count) => count + 1)} onLeave={leave} />
      ) : undefined}
      {caller.credential?.spec.scope_policy === undefined ? undefined : (
        <OpenScope screen="scope" />
      )}
    </Screen>
  );
}

function Transfers(props: { readonly onOpen: (dialog: 'export' | 'import') => void }): JSX.Element {
  return (
    <>
      <button type="button" onClick={() => props.onOpen('export')}>
        {texts.exports.open}
      </button>
      <button type="button" onClick={() => props.onOpen('import')}>
        {texts.imports.open}
      </button>
    </>
  );
}
