import {
  Client,
  type ConnectionConfig,
  type DeepReadonly,
  type Kind,
  type ObjectKey,
  type UnstructuredObject,
} from 'ots-runtime';
import { type ClusterState, clusterState } from '../convergence/cluster-state.ts';
import { type ObservedWrite, describeWrite } from '../convergence/observed-write.ts';
import { OperatorProcess, type ProcessObserver } from '../convergence/operator-process.ts';
import { TestEnvironment } from '../environment/test-environment.ts';
import type { FaultedVerb } from '../faults/faulted-requests.ts';
import { userOf } from '../requests/user-of.ts';
import { chooseBy } from '../simulation/delivery.ts';
import { seededRandom } from '../simulation/seeded-random.ts';
import type { TracedWrite } from '../simulation/trace.ts';
import { effectiveWrites } from './effects.ts';
import type { Interference } from './interference.ts';
import type { RefusedWith, WritePoint } from './plan.ts';
import type { Step } from './scenario.ts';
import type { Scope } from './stage.ts';
import type { TortureSetup } from './torture-options.ts';

/** How often to look whether a deleted object is gone, in virtual milliseconds. */
const pollMs = 100;

/** How much time an operator gets to stop, in virtual milliseconds. */
const stopping = [0, 1000, 30_000, 60_000];

/** How long each write takes while a view is held. */
const writesTake = '50ms';

/** A write of the operator, and where in the scenario it was. */
export interface PlacedWrite extends WritePoint {
  readonly text: string;
  readonly observed: ObservedWrite;
  /** How many writes of the cluster came before it. */
  readonly traced: number;
}

/** What a user does was refused: the plan is not about the operator then. */
export class ActError extends Error {
  override readonly name = 'ActError';

  constructor(title: string, cause: unknown) {
    super(`A user could not do what follows: the object ${title}`, { cause });
  }
}

/** One cluster with one operator, which goes through a scenario while a plan interferes. */
export class TortureRun implements ProcessObserver {
  readonly environment: TestEnvironment;
  readonly client: Client;
  readonly parent: Kind<UnstructuredObject>;
  /** What the operator wrote. */
  readonly writes: PlacedWrite[] = [];
  /** The objects that it created before the last step: their resources, such as `deployments.apps`. */
  readonly created: string[] = [];
  /** The resources that it watches, such as `deployments.apps`. */
  readonly watched = new Set<string>();
  readonly #setup: TortureSetup;
  readonly #steps: readonly Step[];
  readonly #interference: Interference;
  readonly #connection: ConnectionConfig;
  readonly #held: Set<string>;
  readonly #processes: OperatorProcess[] = [];
  readonly #failures: unknown[] = [];
  /** The indexes of the steps that began. */
  readonly #begun = new Set<number>();
  /** What goes on beside the operator and its user. */
  readonly #pending = new Set<Promise<unknown>>();
  #step = -1;
  #writesBefore = 0;

  private constructor(
    setup: TortureSetup,
    steps: readonly Step[],
    interference: Interference,
    cluster: Pick<TortureRun, 'environment' | 'client' | 'parent'> & {
      connection: ConnectionConfig;
      held: Set<string>;
    },
  ) {
    this.#setup = setup;
    this.#steps = steps;
    this.#interference = interference;
    this.environment = cluster.environment;
    this.client = cluster.client;
    this.parent = cluster.parent;
    this.#connection = cluster.connection;
    this.#held = cluster.held;
  }

  /** Starts a cluster and the operator in it. @param seed decides the order of what arrives */
  static async start(
    setup: TortureSetup,
    steps: readonly Step[],
    interference: Interference,
    seed: number,
  ): Promise<TortureRun> {
    const held = new Set<string>();
    const user = userOf(setup.identity);
    const atRandom = chooseBy(seededRandom(seed));
    const environment = await TestEnvironment.start({
      ...setup.environment,
      clock: 'virtual',
      seed,
      choose: (ready) => {
        if (held.size === 0) return atRandom(ready);
        const free = ready.filter(
          ({ kind, resource, user: client }) => !(kind === 'event' && client === user && held.has(resource)),
        );
        return free.length > 0 ? atRandom(free) : undefined;
      },
    });
    try {
      await setup.prepare?.(environment);
      const connection = await environment.as(setup.identity);
      const client = new Client(environment.config, { fieldOwner: 'user' });
      const parent = await client.mapper.kindFor(setup.object.apiVersion, setup.object.kind);
      const cluster = { environment, client, parent, connection, held };
      const run = new TortureRun(setup, steps, interference, cluster);
      await run.#startOperator();
      await environment.settle();
      return run;
    } catch (error) {
      await environment.stop();
      throw error;
    }
  }

  get key(): ObjectKey {
    const { name, namespace } = this.#setup.object.metadata;
    return { name: name!, ...(this.parent.scope === 'Namespaced' && { namespace: namespace ?? 'default' }) };
  }

  /** The writes of the operator that changed something. */
  get effects(): TracedWrite[] {
    return effectiveWrites(this.environment.trace, userOf(this.#setup.identity));
  }

  /** Performs a step, unless it began already, and gives the operator its time. */
  async perform(index: number): Promise<void> {
    await this.begin(index);
    await this.advance(this.#setup.time ?? '1m');
  }

  /** Lets the user act, unless that step began already. */
  async begin(index: number): Promise<void> {
    if (!this.#begun.has(index)) await this.#begin(index);
  }

  async #begin(index: number): Promise<void> {
    this.#interference.stepBegins?.(this, index);
    this.#begun.add(index);
    this.#step = index;
    this.#writesBefore = this.writes.length;
    try {
      await this.#steps[index]!.act(this);
    } catch (error) {
      throw new ActError(this.#steps[index]!.title, error);
    }
    this.#interference.stepBegun?.(this, index);
  }

  /** Begins the next step now, if there is one. */
  async beginNextStep(): Promise<void> {
    const next = this.#step + 1;
    if (next < this.#steps.length && !this.#begun.has(next)) await this.#begin(next);
  }

  /** Moves time. @throws what ended the operator, or what failed beside it */
  async advance(time: Parameters<TestEnvironment['advance']>[0]): Promise<void> {
    await this.environment.advance(time);
    const failures = [...this.#failures, ...this.#processes.map(({ failure }) => failure)];
    const failure = failures.find((each) => each !== undefined);
    if (failure !== undefined) throw failure;
  }

  /** What is in the cluster, as far as it belongs to the operator. */
  async state({ collections, withStatus, comparesClaims }: Scope): Promise<ClusterState> {
    const { comparable = (object) => object } = this.#setup;
    const state = await clusterState(this.client, { collections, withStatus, comparable });
    const isOthers = (name: string): boolean => !comparesClaims && name.startsWith('persistentvolumeclaims ');
    const entries = Object.entries(state).map(([name, value]) => [name, isOthers(name) ? 'is there' : value]);
    return Object.fromEntries(entries) as ClusterState;
  }

  before(observed: ObservedWrite): void {
    const point = { step: this.#step, write: this.writes.length - this.#writesBefore + 1 };
    const text = describeWrite(observed);
    this.writes.push({ ...point, text, observed, traced: this.environment.trace.length });
    this.#interference.before?.(this, observed, point);
  }

  async after(observed: ObservedWrite, isNew: boolean): Promise<void> {
    // When the parent is gone, the garbage collector and the operator may take turns for a while.
    const isLast = this.#step === this.#steps.length - 1;
    if (isNew && observed.isMain && !isLast) this.created.push(observed.resource);
    const placed = this.writes.find((write) => write.observed === observed)!;
    await this.#interference.after?.(this, observed, placed);
  }

  watches(resource: string): void {
    this.watched.add(resource);
  }

  /** Kills the operator in the middle of whatever it does, and starts the next one. */
  killOperator(): void {
    this.#processes.at(-1)?.kill();
    this.#startOperator().catch((error: unknown) => this.#failures.push(error));
  }

  /** Keeps the events of a resource from the operator. @param milliseconds how long; default until {@link release} */
  hold(resource: string, milliseconds?: number): void {
    this.#held.add(resource);
    // Else an operator that writes for an object that is gone, and the garbage collector, would never let a second pass.
    const user = this.#setup.identity;
    this.environment.faults.add(
      { verbs: ['create', 'update', 'patch', 'delete'], user },
      { latency: writesTake },
    );
    if (milliseconds === undefined) return;
    const { clock } = this.environment.config;
    const released = new Promise<void>((resolve) => void clock!.setTimeout(resolve, milliseconds));
    this.#wait(released.then(() => void this.#held.delete(resource)));
  }

  release(): void {
    this.#held.clear();
  }

  /** Refuses the next request of the operator of this sort. */
  refuse({ verb, resource, answer }: { verb: string; resource: string; answer: RefusedWith }): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- that of a request
    const requests = { verbs: [verb as FaultedVerb], resource, user: this.#setup.identity, times: 1 };
    this.environment.faults.add(requests, { answer });
  }

  /** Deletes the parent, and creates it with the same content as soon as it is gone. Does nothing if it is gone already. */
  async makeParentAgain(): Promise<void> {
    const old = await this.client.get(this.parent, this.key);
    if (!old || old.metadata.deletionTimestamp !== undefined) return;
    await this.client.delete(this.parent, this.key);
    this.#wait(this.#createWhenGone(old));
  }

  #wait(work: Promise<void>): void {
    this.#pending.add(work);
    work.catch((error: unknown) => this.#failures.push(error)).finally(() => this.#pending.delete(work));
  }

  /** Whether something still goes on beside the operator. */
  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  async #createWhenGone(old: DeepReadonly<UnstructuredObject>): Promise<void> {
    const { clock } = this.environment.config;
    while (await this.client.get(this.parent, this.key))
      await new Promise<void>((resolve) => void clock!.setTimeout(resolve, pollMs));
    const { status: _, metadata, ...content } = structuredClone(old) as UnstructuredObject;
    const { labels, annotations } = metadata;
    const kept = { ...this.key, ...(labels && { labels }), ...(annotations && { annotations }) };
    await this.client.create(this.parent, { ...content, metadata: kept } as UnstructuredObject);
  }

  async #startOperator(): Promise<void> {
    const process = new OperatorProcess(this.#connection, this);
    this.#processes.push(process);
    await process.start(this.#setup.start);
  }

  async stop(): Promise<void> {
    this.release();
    let isStopped = false;
    const stopped = Promise.allSettled(this.#processes.map((process) => process.stop()));
    void stopped.then(() => (isStopped = true));
    for (const milliseconds of stopping) {
      if (isStopped) break;
      // A cluster that does not become quiet has failed already.
      await this.environment.advance(milliseconds).catch(() => {});
    }
    await this.client.close();
    await this.environment.stop();
  }
}
