import { setTimeout as delay } from 'node:timers/promises';
import type { Snapshot } from 'ots-apiserver';
import type { Account } from 'ots-testing/tools';
import { OtsError } from '../../errors/ots-error.ts';
import type { MovableClock } from '../clock/movable-clock.ts';
import type { EmbeddedCluster } from '../cluster/embedded-cluster.ts';
import type { DevAction } from '../model/dev-action.ts';
import type { ClusterState } from '../model/dev-state.ts';
import type { Operator } from '../operator/operator.ts';
import type { DevStore } from '../store/dev-store.ts';

/** Into how many steps a move of the clock is divided at most, and the real time of each, in milliseconds. */
const maxSteps = 60;
const stepMs = 20;
/** For how long a pod fails: what replaces it is well. In milliseconds. */
const failureMs = 1000;

/** What the actions of a person are about. */
export interface ActionTargets {
  readonly store: DevStore;
  /** Absent for a cluster that runs elsewhere. */
  readonly embedded: EmbeddedCluster | undefined;
  readonly clock: MovableClock;
  readonly operator: Operator;
  /** Whom the operator connects as. */
  readonly account: () => Account;
  readonly restart: () => Promise<void>;
  readonly applySamples: () => Promise<unknown>;
}

/** Does what a person asks for. */
export class Actions {
  readonly #targets: ActionTargets;
  readonly #snapshots = new Map<string, Snapshot>();

  constructor(targets: ActionTargets) {
    this.#targets = targets;
  }

  /** @throws OtsError when the action is not possible */
  async act(action: DevAction): Promise<void> {
    const { operator, restart, applySamples } = this.#targets;
    switch (action.action) {
      case 'restart':
        return restart();
      case 'crash':
        return operator.crash();
      case 'apply-samples':
        return void (await applySamples());
      case 'pause':
      case 'resume':
      case 'step':
        return operator.hold(action);
      case 'advance':
        return this.#advance(action.seconds);
      case 'snapshot':
        return this.#snapshot();
      case 'restore':
        return this.#restore(action.snapshot);
      case 'conflict':
        return this.#addConflict();
      case 'evict-pod':
      case 'fail-pod':
        return this.#breakPod(action);
    }
  }

  /** Moves the time of the cluster and of the operator ahead. */
  skip(seconds: number): void {
    const { clock, operator } = this.#targets;
    clock.advance(seconds * 1000);
    operator.advance(seconds * 1000);
    this.#update({ ahead: clock.ahead / 1000 });
  }

  /** Moves time in steps: what becomes due happens in between. */
  async #advance(seconds: number): Promise<void> {
    this.#requireEmbedded();
    const step = Math.max(1, seconds / maxSteps);
    for (let left = seconds; left > 0; left -= step) {
      this.skip(Math.min(step, left));
      await delay(stepMs);
    }
  }

  #snapshot(): void {
    const name = new Date(this.#targets.clock.epoch()).toISOString();
    this.#snapshots.set(name, this.#requireEmbedded().snapshot());
    this.#update({ snapshots: [...this.#snapshots.keys()] });
  }

  async #restore(name: string): Promise<void> {
    const embedded = this.#requireEmbedded();
    const snapshot = this.#snapshots.get(name);
    if (!snapshot) {
      throw new OtsError('NO_SNAPSHOT', `There is no snapshot ${JSON.stringify(name)}`, {
        hint: `Choose one of: ${[...this.#snapshots.keys()].join(', ') || '(take one first)'}.`,
      });
    }
    await embedded.restore(snapshot);
  }

  #addConflict(): void {
    const user = this.#targets.account();
    const requests = { verbs: ['update', 'patch'] as ('update' | 'patch')[], user, times: 1 };
    this.#requireEmbedded().faults.add(requests, { answer: 'Conflict' });
  }

  #breakPod({ action, namespace, name }: Extract<DevAction, { action: 'fail-pod' | 'evict-pod' }>): void {
    const failure = this.#requireEmbedded().failures.add(
      { namespace, name },
      action === 'evict-pod' ? { evict: 'ots dev evicted it' } : { crashAfter: 0 },
    );
    setTimeout(() => failure.remove(), failureMs).unref();
  }

  /** @throws OtsError `NOT_EMBEDDED` */
  #requireEmbedded(): EmbeddedCluster {
    const { embedded } = this.#targets;
    if (embedded) return embedded;
    throw new OtsError('NOT_EMBEDDED', 'Only the embedded cluster can do this', {
      hint: 'Run ots dev without --kubeconfig and --context.',
    });
  }

  #update(changed: Partial<ClusterState>): void {
    const { store } = this.#targets;
    store.apply({ type: 'cluster', value: { ...store.state.cluster, ...changed } });
  }
}
