import type { Delivery } from '../../simulation/delivery.ts';
import type { TimelineEntry } from '../report/torture-report.ts';

type Recorded = TimelineEntry | { readonly time: number; readonly event: Delivery };

/** Remembers what happened in a run. What an operator saw becomes text only on demand. */
export class Timeline {
  readonly #recorded: Recorded[] = [];

  add(entry: TimelineEntry): void {
    this.#recorded.push(entry);
  }

  /** An event of a watch that arrives at the operator. */
  saw(time: number, event: Delivery): void {
    this.#recorded.push({ time, event });
  }

  /** The entries in order, without what the operator did not have to see: bookmarks. */
  get entries(): TimelineEntry[] {
    return this.#recorded.flatMap((recorded) => ('event' in recorded ? seen(recorded) : [recorded]));
  }
}

interface WatchEvent {
  readonly type: string;
  readonly object?: { readonly metadata?: { readonly name?: string; readonly namespace?: string } };
}

const verbs: Readonly<Record<string, string>> = {
  ADDED: 'sees',
  MODIFIED: 'sees a change of',
  DELETED: 'sees the end of',
};

function seen({ time, event }: { readonly time: number; readonly event: Delivery }): TimelineEntry[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server sends events
  const { type, object } = JSON.parse(event.line ?? '{}') as WatchEvent;
  const verb = verbs[type];
  if (verb === undefined) return [];
  const { name = '', namespace } = object?.metadata ?? {};
  return [
    { time, actor: 'operator', what: `${verb} ${event.resource} ${namespace ? `${namespace}/` : ''}${name}` },
  ];
}
