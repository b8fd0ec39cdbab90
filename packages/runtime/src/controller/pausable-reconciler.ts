import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { EventDetails } from '../events/event-details.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { ControllerCluster } from './controller-host.ts';
import type { Pause, PauseState } from './pause.ts';
import type { ReconcileContext, Reconciler, Request, Result } from './reconciler.ts';
import { requestKey } from './request-key.ts';

export interface PausableOptions {
  /** Of the objects, which the caches have. */
  kind: Kind;
  /** Its name, for events. */
  controller: string;
  /** See ControllerHost. */
  clusterOf: (name: string | undefined) => ControllerCluster | undefined;
  pause: Pause;
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
    const { kind, clusterOf, pause } = this.#options;
    const object = clusterOf(request.cluster)?.cache.get(kind, request);
    const state = pause.stateOf(object);
    this.#compare(request, object, state, context);
    if (state === 'active') return this.#reconciler.reconcile(request, context);
    context.logger.debug('the object is paused; not reconciled');
  }

  #compare(
    request: Request,
    object: DeepReadonly<KubernetesObject> | undefined,
    state: PauseState,
    context: ReconcileContext,
  ): void {
    const key = requestKey(request);
    const last = this.#paused.get(key);
    const uid = object?.metadata.uid;
    const known = last?.uid === uid ? last : undefined;
    if (state === 'active') this.#paused.delete(key);
    else this.#paused.set(key, { uid, state });
    if (!object || state === (known?.state ?? 'active')) return;
    const { message, ...details } = this.#announcements[state];
    const { pause, controller, clusterOf } = this.#options;
    context.logger.info({ annotation: pause.annotation }, message);
    // What was paused when this process began to watch has its event from the process before.
    const isOld = !known && context.reasons.some(({ type }) => type === 'start');
    if (isOld) return;
    const recorder = clusterOf(request.cluster)?.eventRecorder(controller);
    recorder?.event(object, { ...details, action: 'Reconcile' });
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
