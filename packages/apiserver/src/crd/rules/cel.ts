import type * as Cel from 'ots-cel';

const protobufMagic = Buffer.from('k8s\0');
const escapes = ['\\u', '\\x', '\\U'];
let loaded: typeof Cel | undefined;

/** Loads what rules need, once. It is large, and a server without rules does without it. */
async function loadCel(): Promise<void> {
  loaded ??= await import('ots-cel');
}

/**
 * Loads what rules need when a body may have some.
 *
 * @param name of the field that they are in: a body without it has none, unless names are written with escapes or not at all
 */
export async function loadCelFor(body: Buffer, name: string): Promise<void> {
  const isText = body[0] !== protobufMagic[0];
  if (!isText || [name, ...escapes].some((mark) => body.includes(mark))) await loadCel();
}

/** What {@link loadCel} has loaded: whatever brings rules into the server waits for that first. */
export function cel(): typeof Cel {
  if (!loaded) throw new Error('rules are looked at before they can be');
  return loaded;
}
