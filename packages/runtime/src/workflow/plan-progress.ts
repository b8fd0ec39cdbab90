import { sameJson } from '../objects/merge-patch.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { type PlanStatus, type StepStatus, planStatus } from './plan-status.ts';

/** The states of the steps of one run, and which of them have been saved. */
export class PlanProgress {
  readonly #revision: string;
  readonly #steps: Map<string, StepStatus>;
  readonly #save: (status: PlanStatus) => unknown;
  #saved: DeepReadonly<PlanStatus> | undefined;
  #saving: Promise<void> = Promise.resolve();

  constructor(
    names: readonly string[],
    revision: string,
    saved: DeepReadonly<PlanStatus> | undefined,
    save: (status: PlanStatus) => unknown,
  ) {
    const known = saved?.revision === revision ? saved.steps : [];
    this.#revision = revision;
    this.#saved = saved;
    this.#save = save;
    this.#steps = new Map(
      names.map((name) => [name, known.find((each) => each.name === name) ?? { name, state: 'Pending' }]),
    );
  }

  get current(): PlanStatus {
    return planStatus(this.#revision, [...this.#steps.values()]);
  }

  isComplete(name: string): boolean {
    return this.#steps.get(name)?.state === 'Complete';
  }

  set(status: StepStatus): void {
    this.#steps.set(status.name, status);
  }

  /** Saves new progress, one save after another: an older state never overwrites a newer one. */
  save(): Promise<void> {
    const saving = this.#saving.then(async () => {
      const { current } = this;
      if (sameJson(current, this.#saved)) return;
      await this.#save(current);
      this.#saved = current;
    });
    this.#saving = saving.catch(() => {});
    return saving;
  }
}
