import {
  type Client,
  ControllerBuilder,
  type Manager,
  type ReconcileContext,
  type Reconciler,
  type Request,
  type Result,
  generationChanged,
  setCondition,
} from 'ots-runtime';
import { Boat } from '../api/v1/boat.ts';

/**
 * BoatReconciler moves the cluster toward the desired state of each Boat. It runs whenever one
 * changes and must work from any state: it acts on what it reads, not on what happened.
 *
 * @rbac groups=sea.example.com resources=boats verbs=get;list;watch
 * @rbac groups=sea.example.com resources=boats/status verbs=get;update;patch
 * @rbac groups=sea.example.com resources=boats/finalizers verbs=update
 */
export class BoatReconciler implements Reconciler {
  readonly #client: Client;
  readonly #now: () => Date;

  /** @param now returns the current time; tests pass a fixed one. */
  constructor(client: Client, now: () => Date = () => new Date()) {
    this.#client = client;
    this.#now = now;
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<Result | void> {
    const resource = await this.#client.get(Boat, request);
    if (!resource || resource.metadata.deletionTimestamp) return;

    // Create and update here what the Boat needs; then report the result.
    const { generation } = resource.metadata;
    await this.#client.status.patch(Boat, resource, (draft) => {
      const ready = {
        type: 'Ready',
        status: 'True',
        reason: 'Reconciled',
        message: `Reconciled "${resource.spec.message}"`,
        observedGeneration: generation,
      } as const;
      const conditions = setCondition(draft.status?.conditions, ready, this.#now());
      draft.status = { ...draft.status, observedGeneration: generation, conditions };
    });
    context.logger.debug({ generation }, 'reconciled');
  }
}

/**
 * Creates the controller and adds it to the manager.
 * @param now see the constructor of BoatReconciler. The clock of the manager by default.
 */
export function setupBoatController(manager: Manager, now = manager.now): void {
  // It reconciles when the spec changes or the object is deleted, but not after its own status updates: those would
  // start it again forever. If labels matter, write or(generationChanged(), labelChanged()).
  const predicates = [generationChanged()];
  const controller = new ControllerBuilder(manager).named('boat');
  controller.for(Boat, { predicates });
  controller.complete(new BoatReconciler(manager.client, now));
}
