/** How the site reads Markdown: as GitHub does, where the site's own way would differ. */
import { relative } from 'node:path';
import { targetOf, type Repository } from './page-links.ts';

/** What this file uses of a token of markdown-it. */
export interface Token {
  type: string;
  tag: string;
  content: string;
  attrs: [string, string][] | null;
  readonly children: Token[] | null;
  readonly attrGet: (name: string) => string | null;
}

interface State {
  readonly tokens: readonly Token[];
  readonly env: { readonly path: string; readonly realPath?: string };
}

type RenderRule = (tokens: readonly Token[], index: number, ...rest: unknown[]) => string;

/** What this file uses of markdown-it. */
export interface Markdown {
  readonly core: {
    readonly ruler: {
      readonly after: (rule: string, name: string, added: (state: State) => void) => void;
    };
  };
  readonly renderer: { readonly rules: Record<string, RenderRule | undefined> };
  readonly disable: (rule: string, ignoresUnknown: boolean) => void;
}

const allowedHtml = /^(?:<\/?(?:a|br|details|kbd|sub|summary|sup)\b[^>]*>|<!--[\s\S]*-->|\s)*$/u;

/** Other elements are more likely a placeholder that was meant as text, and both get lost. */
function requireKnownHtml({ type, content }: Token, page: string): void {
  if (!type.startsWith('html_') || allowedHtml.test(content)) return;
  throw new Error(`${page} has HTML that the site does not show: ${content.trim()}. Quote it.`);
}

/** Links to sources without an address become text that shows the path when pointed at. */
function leadOn(tokens: readonly Token[], repository: Repository, page: string): void {
  let isSource = false;
  for (const token of tokens) {
    const written = token.type === 'link_open' ? token.attrGet('href') : null;
    if (written !== null) {
      const target = targetOf(repository, page, written);
      isSource = 'source' in target;
      token.attrs =
        'source' in target
          ? [
              ['class', 'source'],
              ['title', target.source],
            ]
          : [['href', target.link]];
    }
    if (isSource && token.type.startsWith('link_')) token.tag = 'span';
  }
}

/**
 * Adapts a renderer of pages: links follow `targetOf()`, unknown HTML is refused, and braces and
 * colons are text, not templates and emoji.
 * @throws {Error} in rendering, naming the page and what is wrong with it.
 */
export function adaptMarkdown(markdown: Markdown, repository: Repository): void {
  markdown.disable('emoji', true);
  markdown.core.ruler.after('inline', 'site', ({ tokens, env }) => {
    const page = relative(repository.root, env.realPath ?? env.path);
    for (const token of tokens) {
      const inner = token.children ?? [];
      for (const each of [token, ...inner]) requireKnownHtml(each, page);
      leadOn(inner, repository, page);
    }
  });
  const text = markdown.renderer.rules['text'];
  if (text === undefined) throw new Error('The renderer has no rule for text.');
  markdown.renderer.rules['text'] = (...all) => text(...all).replaceAll('{{', '&#123;&#123;');
}
