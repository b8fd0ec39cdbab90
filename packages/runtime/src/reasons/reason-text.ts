import type { EventReason, ReasonObject, ReconcileReason } from './reason.ts';

/**
 * A reason in a few words, such as `Deployment default/web updated: spec.replicas`.
 * @returns one line, as logs and spans have it.
 */
export function reasonText(reason: ReconcileReason): string {
  switch (reason.type) {
    case 'event':
      return `${objectText(reason)} ${reason.event}${changesText(reason)}`;
    case 'start':
      return `${objectText(reason)} existed at the start`;
    case 'resync':
      return `${objectText(reason)} may own objects of a kind that appeared or disappeared`;
    case 'shard':
      return `${objectText(reason)} belongs to this replica now`;
    case 'source':
      return reason.source === undefined ? 'controller.enqueue' : `source ${reason.source}`;
    case 'requeue':
      return `requeueAfter ${reason.afterSeconds} s`;
    case 'backoff':
      return `attempt ${reason.attempt} failed: ${reason.error}`;
    default:
      return `${reason.count} more`;
  }
}

function objectText({ kind, namespace, name, cluster }: ReasonObject): string {
  const where = cluster === undefined ? '' : ` of ${cluster}`;
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}${where}`;
}

function changesText({ events, changedFields = [], hasMoreChanges }: EventReason): string {
  const times = events > 1 ? ` (${events} events)` : '';
  if (changedFields.length === 0) return times;
  return `${times}: ${changedFields.join(', ')}${hasMoreChanges ? ', …' : ''}`;
}
