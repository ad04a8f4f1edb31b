/** The dialog that makes a rate limit, or changes one. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.js';
import { ChoiceField, TextField, textsOf } from '../../parts/field.js';
import { FormEnd } from '../../parts/form-end.js';
import { useWork } from '../../session/use-loaded.js';
import { texts } from '../../texts/en/english.js';
import type { Limit, LimitedPart } from './limit-facts.js';

const words = texts.limits;

/** Asks for the limit. What it is for stays as it was made. */
export function LimitForm(props: {
  /** Absent for a new one. */
  readonly limit?: Limit;
  readonly onPut: () => void;
  readonly onLeave: () => void;
}): JSX.Element {
  const { limit, onPut, onLeave } = props;
  const [part, setPart] = useState<LimitedPart>('GeneralApi');
  const act = useWork(async ({ administrator }, form: Record<string, string>) => {
    const { name = '', path = '', requests, seconds } = form;
    const counts = { maxRequests: Number(requests), windowSecs: Number(seconds) };
    const { rateLimits } = administrator;
    const endpointType = part === 'Custom' ? { Custom: path } : part;
    await (limit === undefined
      ? rateLimits.create({ name, endpointType, ...counts })
      : rateLimits.update(limit.id, { name, ...counts }));
    onPut();
    onLeave();
  });
  const title = limit === undefined ? words.create : words.changeName(limit.name);
  return (
    <Dialog title={title} onLeave={onLeave}>
      <form class="stack" onSubmit={(event) => act.run(textsOf(event))}>
        <p class="soft">{limit === undefined ? words.about : words.changeText}</p>
        <TextField label={words.name} name="name" value={limit?.name ?? ''} required />
        {limit === undefined ? <PartFields part={part} onChoose={setPart} /> : undefined}
        <TextField
          label={words.requests}
          name="requests"
          type="number"
          value={limit?.max_requests.toString() ?? ''}
          hint={words.low}
          required
        />
        <TextField
          label={words.seconds}
          name="seconds"
          type="number"
          value={limit?.window_secs.toString() ?? '60'}
          required
        />
        <FormEnd verb={limit === undefined ? words.go : texts.save} act={act} onLeave={onLeave} />
      </form>
    </Dialog>
  );
}

function PartFields(props: {
  readonly part: LimitedPart;
  readonly onChoose: (part: LimitedPart) => void;
}): JSX.Element {
  const { part, onChoose } = props;
  return (
    <>
      <ChoiceField
        label={words.part}
        name="part"
        value={part}
        choices={words.parts}
        onChange={(value) => onChoose(value as LimitedPart)}
      />
      {part === 'Custom' ? (
        <TextField label={words.path} name="path" hint={words.pathHint} required />
      ) : undefined}
    </>
  );
}
