import type * as Cel from 'ots-cel';

const protobufMagic = Buffer.from('k8s\0');
const escapes = ['\\u', '\\x', '\\U'];
let loaded: typeof Cel | undefined;

/** Loads the CEL implementation, once. It is large, and a server without rules does not need it. */
async function loadCel(): Promise<void> {
  loaded ??= await import('ots-cel');
}

/** Uses a CEL implementation that the caller has already imported. */
export function provideCel(implementation: typeof Cel): void {
  loaded = implementation;
}

/**
 * Loads the CEL implementation if a body may have rules.
 *
 * @param name the field that has them: a body without it has none, unless names are escaped or absent
 */
export async function loadCelFor(body: Buffer, name: string): Promise<void> {
  const isText = body[0] !== protobufMagic[0];
  if (!isText || [name, ...escapes].some((mark) => body.includes(mark))) await loadCel();
}

/** The module that {@link loadCel} has loaded, or {@link provideCel} received. Everything that adds rules to the server awaits that first. */
export function cel(): typeof Cel {
  if (!loaded) throw new Error('rules are looked at before they can be');
  return loaded;
}
