import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Cache } from '../cache/cache.ts';
import type { EventDetails } from '../events/event-details.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { keyText } from '../objects/object-key.ts';
import type { Pause, PauseState } from './pause.ts';
import type { ReconcileContext, Reconciler, Request, Result } from './reconciler.ts';

export interface PausableOptions {
  /** Of the objects, which the cache has. */
  kind: Kind;
  cache: Pick<Cache, 'get'>;
  pause: Pause;
  recorder: Pick<EventRecorder, 'event'>;
}

/** What users read when the state of an object changes. */
interface Announcement extends Pick<EventDetails, 'type' | 'reason' | 'note'> {
  message: string;
}

/** An object that is not active, as it was last seen. */
interface Paused {
  uid: string | undefined;
  state: PauseState;
}

/** Reconciles objects that are not paused, and says when a pause begins and ends. */
export class PausableReconciler implements Reconciler {
  readonly #reconciler: Reconciler;
  readonly #options: PausableOptions;
  readonly #announcements: Record<PauseState, Announcement>;
  readonly #paused = new Map<string, Paused>();

  constructor(reconciler: Reconciler, options: PausableOptions) {
    this.#reconciler = reconciler;
    this.#options = options;
    this.#announcements = announcements(options.pause);
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result | void> {
    const { kind, cache, pause } = this.#options;
    const object = cache.get(kind, request);
    const state = pause.stateOf(object);
    this.#compare(keyText(request), object, state, context);
    if (state === 'active') return this.#reconciler.reconcile(request, context);
    context.logger.debug('the object is paused; not reconciled');
  }

  #compare(
    key: string,
    object: DeepReadonly<KubernetesObject> | undefined,
    state: PauseState,
    context: ReconcileContext,
  ): void {
    const last = this.#paused.get(key);
    const uid = object?.metadata.uid;
    const known = last?.uid === uid ? last : undefined;
    if (state === 'active') this.#paused.delete(key);
    else this.#paused.set(key, { uid, state });
    if (!object || state === (known?.state ?? 'active')) return;
    const { message, ...details } = this.#announcements[state];
    const { pause, recorder } = this.#options;
    context.logger.info({ annotation: pause.annotation }, message);
    // What was paused when this process began to watch has its event from the process before.
    const isOld = !known && context.reasons.some(({ type }) => type === 'start');
    if (!isOld) recorder.event(object, { ...details, action: 'Reconcile' });
  }
}

function announcements({ annotation }: Pause): Record<PauseState, Announcement> {
  const end = `until the annotation is removed or "false"`;
  return {
    active: {
      message: 'reconciliation resumed',
      type: 'Normal',
      reason: 'Resumed',
      note: 'Reconciliation continues',
    },
    paused: {
      message: 'reconciliation paused',
      type: 'Normal',
      reason: 'Paused',
      note: `${annotation} pauses reconciliation ${end}`,
    },
    'deletion paused': {
      message: 'deletion waits for the end of the pause',
      type: 'Warning',
      reason: 'DeletionPaused',
      note: `${annotation} pauses the deletion ${end}`,
    },
  };
}
