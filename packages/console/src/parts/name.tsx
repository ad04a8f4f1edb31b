/** Names that somebody else chose, as people can tell them apart. */
import type { JSX } from 'preact';

/** What people don't see, or what changes the order of what they see. */
const UNSEEN = /[\u{16fe4}\p{C}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/gu;

/** Returns a name with what is not seen as escapes, such as `\u{200b}`. */
export function seenText(name: string): string {
  return name.replaceAll(UNSEEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Shows a name, whose direction has no effect on the text around it. */
export function Name({ of: name }: { readonly of: string }): JSX.Element {
  return <Cut text={seenText(name)} />;
}

/** Shows an id or a name that programs use. */
export function Id({ of: id }: { readonly of: string }): JSX.Element {
  return (
    <code>
      <Cut text={id} />
    </code>
  );
}

/**
 * Shows a text in one line. Where there is no room its middle is left out, as its end tells it from
 * others. It is read, copied, and shown by a pointer as a whole: what is cut is drawn by the style.
 */
export function Cut({ text }: { readonly text: string }): JSX.Element {
  const parts = partsOf(text);
  if (parts === undefined) return <bdi>{text}</bdi>;
  const [begin, end] = parts;
  return (
    <bdi class="cut" title={text} data-begin={begin} data-end={end}>
      <span class="only-read">{text}</span>
    </bdi>
  );
}

/** Characters of a text that is never cut, and of the end of another. */
const SHORT = 24;
const END = 12;

/** Returns what may be cut of a long text, and its end, which is always shown. */
export function partsOf(text: string): readonly [begin: string, end: string] | undefined {
  const characters = Array.from(graphemes.segment(text), ({ segment }) => segment);
  if (characters.length <= SHORT) return undefined;
  return [characters.slice(0, -END).join(''), characters.slice(-END).join('')];
}

const graphemes = new Intl.Segmenter();
