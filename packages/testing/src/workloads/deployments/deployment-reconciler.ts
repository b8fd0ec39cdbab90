import { labelMatcher } from 'ots-apimachinery/selectors/label-matcher';
import { selectorRequirements } from 'ots-apimachinery/selectors/selector-requirements';
import { type Client, type Reconciler, type Request, type Result, findCondition } from 'ots-runtime';
import { Deployment, ReplicaSet } from 'ots-kubernetes/apps/v1';
import { Pod } from 'ots-kubernetes/core/v1';
import type { EventSink } from '../event-sink.ts';
import { claim } from '../pods/claim.ts';
import { controlledBy, orphansBeside } from '../pods/controlled.ts';
import { isPodTerminal } from '../pods/pod-state.ts';
import type { WorkloadContext } from '../workload-context.ts';
import {
  type Sets,
  countedStatus,
  deadlineOf,
  hasDeadline,
  isComplete,
  rolloutStatus,
} from './deployment-status.ts';
import { findNewest } from './newest-replica-set.ts';
import { type CachedDeployment, type CachedReplicaSet, sumStatus } from './replica-set-list.ts';
import { isRollingUpdate, recreate, rollOver } from './roll-over.ts';
import { Rollout } from './rollout.ts';
import { isScaled, scaleProportionally } from './scale-proportionally.ts';

const name = 'deployment-controller';

/** Lets the ReplicaSets of a Deployment follow its template and size. */
export class DeploymentReconciler implements Reconciler {
  readonly #context: WorkloadContext;
  readonly #client: Client;
  readonly #events: EventSink;

  constructor(context: WorkloadContext) {
    this.#context = context;
    this.#client = context.clientOf(name);
    this.#events = context.eventsOf(name);
  }

  async reconcile(request: Request): Promise<Result | void> {
    const { cache } = this.#context.manager;
    const deployment = cache.get(Deployment, { name: request.name, namespace: request.namespace });
    if (!deployment?.spec) return;
    const all = await this.#claim(deployment);
    const parts = { context: this.#context, client: this.#client, events: this.#events };
    const rollout = new Rollout(parts, deployment);
    if (deployment.metadata.deletionTimestamp !== undefined) {
      await this.#writeCounts(rollout, await findNewest(rollout, all));
      return;
    }
    await notePause(rollout);
    const found = await findNewest(rollout, all);
    if (deployment.spec.paused || isScaled(deployment, found)) return this.#scale(rollout, found);
    const current = found.newest ? [...found.old, found.newest] : found.old;
    const sets = isRollingUpdate(deployment)
      ? await rollOver(rollout, current)
      : await recreate(rollout, current, (of) => this.#isOldRunning(of));
    return finish(rollout, sets);
  }

  #claim(deployment: CachedDeployment): Promise<CachedReplicaSet[]> {
    const { manager } = this.#context;
    const { cache } = manager;
    const candidates = [
      ...controlledBy(cache, ReplicaSet, deployment),
      ...orphansBeside(cache, ReplicaSet, deployment),
    ];
    const selects = labelMatcher(selectorRequirements(deployment.spec?.selector ?? {}));
    const clients = { client: this.#client, live: manager.apiReader };
    return claim(clients, {
      kind: ReplicaSet,
      candidates,
      ownerKind: Deployment,
      owner: deployment,
      selects,
    });
  }

  async #scale(rollout: Rollout, sets: Sets): Promise<void> {
    await scaleProportionally(rollout, sets);
    if (rollout.deployment.spec?.paused) await rollout.cleanUp(sets.old);
    await this.#writeCounts(rollout, sets);
  }

  async #writeCounts(rollout: Rollout, sets: Sets): Promise<void> {
    await rollout.write(countedStatus(rollout.deployment, sets, rollout.now));
  }

  #isOldRunning({ old }: Sets): boolean {
    const { cache } = this.#context.manager;
    return (
      sumStatus(old, 'replicas') > 0 ||
      old.some((set) => controlledBy(cache, Pod, set).some((pod) => !isPodTerminal(pod)))
    );
  }
}

/** A pause must not count as lack of progress. */
async function notePause(rollout: Rollout): Promise<void> {
  const { deployment } = rollout;
  const progress = findCondition(deployment.status?.conditions, 'Progressing');
  if (!hasDeadline(deployment) || progress?.reason === 'ProgressDeadlineExceeded') return;
  const isPaused = deployment.spec?.paused ?? false;
  if (isPaused === (progress?.reason === 'DeploymentPaused')) return;
  const what = isPaused ? 'paused' : 'resumed';
  const reason = isPaused ? 'DeploymentPaused' : 'DeploymentResumed';
  const message = `Deployment is ${what}`;
  await rollout.write(rollout.statusWith({ type: 'Progressing', status: 'Unknown', reason, message }));
}

/** Writes the status. If nothing changes any more, the deadline of an unfinished rollout is the next thing to happen. */
async function finish(rollout: Rollout, sets: Sets): Promise<Result | void> {
  const status = rolloutStatus(rollout.deployment, sets, rollout.now);
  if (await rollout.write(status)) return;
  const { deployment, now } = rollout;
  const progress = findCondition(status.conditions, 'Progressing');
  const isDecided = isComplete(deployment, status) || progress?.reason === 'ProgressDeadlineExceeded';
  if (!hasDeadline(deployment) || !progress || isDecided) return;
  const left = deadlineOf(deployment, progress) - now;
  // A rollout that was complete once has no deadline any more, also when its pods are lost later.
  if (left < 0) return;
  // As in Kubernetes, a second later, unless it is close.
  return { requeueAfter: left < 1000 ? left + 1 : left + 1000 };
}
