import type { ObjectState, ReconcileState } from '../../model/dev-state.ts';
import { nameOf } from '../objects/session-index.ts';
import { hrefOf } from '../route.ts';
import { formatClock } from './format-time.ts';

export function ObjectLink({ object }: { object: ObjectState }) {
  return (
    <a href={hrefOf('objects', object.uid)}>
      <span class="muted">{object.kind}</span> {nameOf(object)}
    </a>
  );
}

/** What a controller reconciles: a link if the session knows the object. */
export function RequestName({
  of,
  object,
}: {
  of: { controller: string; namespace?: string; name: string };
  object: ObjectState | undefined;
}) {
  return object ? (
    <ObjectLink object={object} />
  ) : (
    <>
      <span class="muted">{of.controller}</span> {nameOf(of)}
    </>
  );
}

export function ReconcileLink({ reconcile }: { reconcile: ReconcileState }) {
  return (
    <a href={hrefOf('reconciles', reconcile.id)}>
      <Clock at={reconcile.startedAt} />
    </a>
  );
}

export function Clock({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {formatClock(at)}
    </time>
  );
}
