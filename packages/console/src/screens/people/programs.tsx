/** The programs that the signed-in account connected. */
import type { Agent } from '@agentkeep/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/confirm.js';
import { Name, seenText } from '../../parts/name.js';
import { Empty, FailureNote, Loading } from '../../parts/notes.js';
import { Table } from '../../parts/table.js';
import { Tags } from '../../parts/tags.js';
import { Time } from '../../parts/time.js';
import { scopeText } from '../../scopes/scope-query.js';
import { useAction, useLoaded } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';

const words = texts.programs;

type Connection = Awaited<ReturnType<Agent['connections']['list']>>[number];

/** Shows the programs, and lets the person end them. */
export function Programs(): JSX.Element {
  const [ended, setEnded] = useState(0);
  const { value, failure } = useLoaded(
    (agent, signal) => agent.connections.list({ signal }),
    [ended],
  );
  if (failure !== undefined) return <FailureNote failure={failure} />;
  if (value === undefined) return <Loading />;
  if (value.length === 0) return <Empty title={words.empty} text={words.emptyText} />;
  return (
    <Table
      columns={[
        words.name,
        words.access,
        { label: words.scopes, wideOnly: true },
        { label: words.expires, wideOnly: true },
        words.actions,
      ]}
    >
      {value.map((each) => (
        <ProgramRow key={each.id} program={each} onEnded={() => setEnded(ended + 1)} />
      ))}
    </Table>
  );
}

function ProgramRow(props: {
  readonly program: Connection;
  readonly onEnded: () => void;
}): JSX.Element {
  const { program, onEnded } = props;
  const { id, client_name: named, client_host: host, access, grants } = program;
  const name = seenText(named ?? host);
  const [isOpen, setOpen] = useState(false);
  const act = useAction(async (agent) => {
    await agent.connections.end(id);
    setOpen(false);
    onEnded();
  });
  return (
    <tr>
      <td>
        <Name of={name} />
        <div class="soft small">
          <Name of={host} />
        </div>
      </td>
      <td>
        <Tags words={access.map((each) => words.accesses[each])} />
      </td>
      <td class="wide-only">{grants.map(scopeText).join(', ')}</td>
      <td class="wide-only">
        <Time millis={new Date(program.expires_at).getTime()} />
      </td>
      <td>
        <button type="button" aria-label={words.endName(name)} onClick={() => setOpen(true)}>
          {words.end}
        </button>
        {isOpen ? (
          <Confirm
            title={words.endTitle(name)}
            verb={words.end}
            act={act}
            onLeave={() => setOpen(false)}
          >
            <p>{words.endText}</p>
          </Confirm>
        ) : undefined}
      </td>
    </tr>
  );
}
