import type * as Cel from 'ots-cel';

let loaded: typeof Cel | undefined;

/** Loads what rules need, once. It is large, and a server without rules does without it. */
export async function loadCel(): Promise<void> {
  loaded ??= await import('ots-cel');
}

/** What {@link loadCel} has loaded: whatever brings rules into the server waits for that first. */
export function cel(): typeof Cel {
  if (!loaded) throw new Error('rules are looked at before they can be');
  return loaded;
}
