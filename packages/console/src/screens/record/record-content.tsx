/** What a record says. */
import type { MemoryRecord } from '@agentkeep/client';
import type { JSX } from 'preact';
import { texts } from '../../texts/en/english.js';

const words = texts.record;

/** Shows the texts and the data of a record. Nothing in it is ever markup. */
export function RecordContent({ record }: { readonly record: MemoryRecord }): JSX.Element {
  const { content, metadata, tags } = record.payload;
  const hasMetadata = Object.keys(metadata).length > 0;
  return (
    <section class="card" aria-label={words.content}>
      <p class="main-text" dir="auto">
        {content.primary || texts.memory.noText}
      </p>
      <Further label={words.secondary} text={content.secondary} />
      <Further label={words.context} text={content.context} />
      {tags.length === 0 ? undefined : (
        <p class="row">
          {tags.map((tag) => (
            <span key={tag} class="tag">
              {tag}
            </span>
          ))}
        </p>
      )}
      {hasMetadata ? <Json label={words.metadata} value={metadata} /> : undefined}
      {(content.data ?? null) === null ? undefined : (
        <Json label={words.data} value={content.data} />
      )}
    </section>
  );
}

function Further(props: {
  readonly label: string;
  readonly text: string | null | undefined;
}): JSX.Element | null {
  const { label, text } = props;
  if (text === null || text === undefined || text === '') return null;
  return (
    <div class="stack-tight">
      <h2 class="small soft">{label}</h2>
      <p class="prose" dir="auto">
        {text}
      </p>
    </div>
  );
}

function Json({ label, value }: { readonly label: string; readonly value: unknown }): JSX.Element {
  return (
    <div class="stack-tight">
      <h2 class="small soft">{label}</h2>
      <pre dir="auto">{JSON.stringify(value, null, 2)}</pre>
    </div>
  );
}
