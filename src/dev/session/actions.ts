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
  readonly cluster: EmbeddedCluster;
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

  /** Moves the time of the cluster and of the operator ahead, in steps: what becomes due happens in between. */
  async #advance(seconds: number): Promise<void> {
    const { clock, operator } = this.#targets;
    const step = Math.max(1000, (seconds * 1000) / maxSteps);
    for (let left = seconds * 1000; left > 0; left -= step) {
      const milliseconds = Math.min(step, left);
      clock.advance(milliseconds);
      operator.advance(milliseconds);
      this.#update({ ahead: clock.ahead / 1000 });
      await delay(stepMs);
    }
  }

  #snapshot(): void {
    const { cluster, clock } = this.#targets;
    this.#snapshots.set(new Date(clock.epoch()).toISOString(), cluster.snapshot());
    this.#update({ snapshots: [...this.#snapshots.keys()] });
  }

  async #restore(name: string): Promise<void> {
    const snapshot = this.#snapshots.get(name);
    if (!snapshot) {
      throw new OtsError('NO_SNAPSHOT', `There is no snapshot ${JSON.stringify(name)}`, {
        hint: `Choose one of: ${[...this.#snapshots.keys()].join(', ') || '(take one first)'}.`,
      });
    }
    await this.#targets.cluster.restore(snapshot);
  }

  #addConflict(): void {
    const { cluster, account } = this.#targets;
    const requests = { verbs: ['update', 'patch'] as ('update' | 'patch')[], user: account(), times: 1 };
    cluster.faults.add(requests, { answer: 'Conflict' });
  }

  #breakPod({ action, namespace, name }: Extract<DevAction, { action: 'fail-pod' | 'evict-pod' }>): void {
    const failure = this.#targets.cluster.failures.add(
      { namespace, name },
      action === 'evict-pod' ? { evict: 'ots dev evicted it' } : { crashAfter: 0 },
    );
    setTimeout(() => failure.remove(), failureMs).unref();
  }

  #update(changed: Partial<ClusterState>): void {
    const { store } = this.#targets;
    store.apply({ type: 'cluster', value: { ...store.state.cluster, ...changed } });
  }
}
