import { mergePatchBetween } from 'ots-runtime';

/** What a step of a story has found. */
export interface Found {
  /** By resource and name. */
  readonly objects: Readonly<Record<string, unknown>>;
  readonly events: readonly unknown[];
}

/** What differs between two steps: a merge patch of the objects (null is one that is gone), and the events that are new. */
export function changesBetween(before: Found, now: Found): object {
  const known = new Set(before.events.map((event) => JSON.stringify(event)));
  return {
    changes: mergePatchBetween(before.objects, now.objects) ?? {},
    events: now.events.filter((event) => !known.has(JSON.stringify(event))),
  };
}
