/** The published contract as text. */

let loading: Promise<string> | undefined;

/**
 * Returns the contract as JSON text, as `GET /openapi.json` returns it. The first call loads it: it
 * is long, and most servers never need it.
 */
export function contractText(): Promise<string> {
  loading ??= load();
  return loading;
}

async function load(): Promise<string> {
  const { default: document } = await import('../../openapi.json', { with: { type: 'json' } });
  return JSON.stringify(document);
}
