import { errorMessage } from '../errors/error-message.ts';
import { maskCredentials } from '../logging/mask-credentials.ts';
import type { Cause, ObjectCause } from './cause.ts';
import { changedFields } from './changed-fields.ts';
import type { EventReason, ReasonObject, ReconcileReason } from './reason.ts';

const maxMessageLength = 500;

/** Describes the causes, without any contents of objects. Compares objects: not for every reconcile. */
export function reasonsOf(causes: readonly Cause[]): ReconcileReason[] {
  return causes.map(reasonOf);
}

function reasonOf(cause: Cause): ReconcileReason {
  switch (cause.type) {
    case 'source':
      return { type: 'source', ...(cause.source !== undefined && { source: cause.source }) };
    case 'requeue':
      return { type: 'requeue', afterSeconds: cause.after / 1000 };
    case 'backoff':
      return { type: 'backoff', attempt: cause.attempt, error: shortMessage(cause.error) };
    case 'omitted':
      return { type: 'omitted', count: cause.count };
    case 'start':
    case 'resync':
    case 'shard':
      return { type: cause.type, ...objectOf(cause) };
    default:
      return eventReason(cause, cause.type);
  }
}

function eventReason(cause: ObjectCause, event: EventReason['event']): EventReason {
  const { oldObject, object, events } = cause;
  const reason: EventReason = { type: 'event', event, ...objectOf(cause), events };
  if (event !== 'updated' || !oldObject) return reason;
  const { paths, hasMore } = changedFields(oldObject, object);
  return {
    ...reason,
    oldResourceVersion: oldObject.metadata.resourceVersion,
    changedFields: paths,
    ...(hasMore && { hasMoreChanges: true }),
  };
}

function objectOf({ kind: { apiVersion, kind }, object: { metadata }, cluster }: ObjectCause): ReasonObject {
  const { namespace, name = '', resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    resourceVersion,
    ...(cluster !== undefined && { cluster }),
  };
}

/** The message of an error for people, as the log has it. */
export function shortMessage(error: unknown): string {
  const message = maskCredentials(errorMessage(error));
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength - 1)}…` : message;
}
