import { sleep } from 'ots-apimachinery/clock/sleep';
import {
  Client,
  type ConnectionConfig,
  type DeepReadonly,
  type Kind,
  type ObjectKey,
  Transport,
  type UnstructuredObject,
  isAlreadyExists,
  isConflict,
  isNotFound,
} from 'ots-runtime';
import { type ClusterState, clusterStateIn } from '../../convergence/cluster-state.ts';
import { type ObservedWrite, describeWrite } from '../../convergence/observed-write.ts';
import { withoutHistory } from '../../convergence/without-history.ts';
import { TestEnvironment } from '../../environment/test-environment.ts';
import type { FaultedVerb } from '../../faults/faulted-requests.ts';
import type { TestFaults } from '../../faults/test-faults.ts';
import { userOf } from '../../requests/user-of.ts';
import type { Delivery } from '../../simulation/delivery.ts';
import { isReading } from '../../simulation/describe-request.ts';
import type { TracedWrite } from '../../simulation/trace.ts';
import type { RefusedWith } from '../plans/plan.ts';
import type { TimelineEntry } from '../report/torture-report.ts';
import type { TortureSetup } from '../torture-options.ts';
import { ActError } from './act-error.ts';
import type { StrayDeletion } from './deletions.ts';
import { effectiveWrites } from './effects.ts';
import type { Interference } from './interference.ts';
import { type LifeObserver, Lives } from './lives.ts';
import { enterRealm } from './operator-realm.ts';
import type { PlacedWrite, SeenEvent } from './placed-write.ts';
import type { Step } from './scenario.ts';
import { type Scope, isClaim } from './scope.ts';
import { sourceOf } from './source-line.ts';
import { Timeline } from './timeline.ts';
import { untilGone } from './until-gone.ts';
import { Views, ownAgent } from './views.ts';

/** How much time an operator gets to stop, in virtual milliseconds. */
const stopping = [0, 1000, 30_000, 60_000];

/** How long each write takes while a view is held. */
const writesTake = '500ms';

/** What a run starts with. */
export interface RunOptions {
  readonly interference?: Interference;
  /** Decides UIDs and the random numbers of the operator. */
  readonly seed: number;
  /** Decides the order of what arrives. Default: the seed. */
  readonly order?: number;
  /** Whether every event arrives twice. Default false. */
  readonly repeats?: boolean;
  /** The cluster to start from, before a step. Default: an empty one, before the first step. */
  readonly from?: ReturnType<TestEnvironment['snapshot']> | undefined;
  /** The step to begin with. Default 0. */
  readonly step?: number;
  /** Whether replicas compete for a lease. Default false. */
  readonly elects?: boolean;
  /** Whether to find out which lines of the author write. Default false: it takes time. */
  readonly explains?: boolean;
  /** Whether the server stores the Events of simulated components. Default true. */
  readonly storesEvents?: boolean;
  /** The kind of the object, where an earlier run knows it. Default: the server is asked. */
  readonly kind?: Kind<UnstructuredObject>;
}

/** One cluster with one operator, which goes through a scenario while a plan interferes. */
export class TortureRun implements LifeObserver {
  readonly environment: TestEnvironment;
  readonly client: Client;
  readonly parent: Kind<UnstructuredObject>;
  /** What the operator wrote. */
  readonly writes: PlacedWrite[] = [];
  readonly events: SeenEvent[] = [];
  /** The resources that it watches, such as `deployments.apps`. */
  readonly watched = new Set<string>();
  /** What it was not allowed to do, such as `list secrets`. */
  readonly forbidden = new Set<string>();
  /** How many of its writes the server refused because their content is not valid. */
  invalidWrites = 0;
  /** What it asked for, other than Leases, and in which step. */
  readonly requested: { readonly step: number; readonly verb: string; readonly resource: string }[] = [];
  /** What it deleted in the belief that it was another object, and in which step. */
  readonly strayDeletions: (StrayDeletion & { readonly step: number })[] = [];
  /** What it would have deleted so, if it had not sent the UID, such as `pods default/db-0`. */
  readonly preventedDeletions: string[] = [];
  /** The reconciles that threw, such as `the reconcile of default/web by memcached: Error: …`. */
  readonly failedReconciles: string[] = [];
  readonly #setup: TortureSetup;
  readonly #steps: readonly Step[];
  readonly #options: RunOptions;
  readonly #interference: Interference;
  readonly #transport: Transport;
  readonly #views: Views;
  readonly #timeline = new Timeline();
  readonly #lives: Lives;
  readonly #leave: () => void;
  readonly #failures: unknown[] = [];
  /** The indexes of the steps that began. */
  readonly #begun = new Set<number>();
  /** What goes on beside the operator and its user. */
  readonly #pending = new Set<Promise<unknown>>();
  readonly #startedAt: number;
  #step: number;
  #writesBefore = 0;

  private constructor(
    setup: TortureSetup,
    steps: readonly Step[],
    options: RunOptions,
    cluster: Pick<TortureRun, 'environment' | 'client' | 'parent'> & {
      transport: Transport;
      connection: ConnectionConfig;
      views: Views;
    },
  ) {
    this.#setup = setup;
    this.#steps = steps;
    this.#options = options;
    this.#step = (options.step ?? 0) - 1;
    this.#interference = options.interference ?? {};
    this.environment = cluster.environment;
    this.client = cluster.client;
    this.parent = cluster.parent;
    this.#transport = cluster.transport;
    this.#views = cluster.views;
    this.#lives = new Lives({
      setup,
      elects: options.elects ?? false,
      environment: cluster.environment,
      connection: cluster.connection,
      observer: this,
      reconciled: cluster.parent.kind,
      snapshot: () => this.environment.snapshot(),
    });
    const { clock, random } = cluster.environment.config;
    this.#startedAt = clock!.epoch();
    this.#views.onEvent = (event) => this.#saw(event);
    this.#leave = enterRealm({
      clock: clock!,
      random: random!,
      onRejection: (reason) =>
        this.#failures.push(new Error('a promise was rejected, and no code handled that', { cause: reason })),
    });
  }

  /** Starts a cluster and the operator in it. */
  static async start(setup: TortureSetup, steps: readonly Step[], options: RunOptions): Promise<TortureRun> {
    const { seed, order = seed, repeats = false, from, storesEvents = true, kind } = options;
    const views = new Views(userOf(setup.identity), order, repeats);
    // They are in the snapshot.
    const { objects = [], crds = [], ...others } = setup.environment ?? {};
    const environment = await TestEnvironment.start({
      ...others,
      ...(from ? { from } : { objects, crds }),
      clock: 'virtual',
      seed,
      choose: (ready) => views.choose(ready),
      isExplored: true,
      storesEvents,
    });
    let run: TortureRun | undefined;
    try {
      if (!from) await setup.prepare?.(environment);
      const connection = await environment.as(setup.identity);
      const transport = new Transport(environment.config, { userAgent: ownAgent });
      const client = new Client(transport, { fieldOwner: 'user' });
      const { object } = setup;
      const parent = kind ?? (await client.mapper.kindFor(object.apiVersion, object.kind));
      run = new TortureRun(setup, steps, options, {
        environment,
        transport,
        client,
        parent,
        connection,
        views,
      });
      await run.#lives.start();
      await environment.settle();
      return run;
    } catch (error) {
      await (run ?? environment).stop();
      throw error;
    }
  }

  get key(): ObjectKey {
    const { name, namespace } = this.#setup.object.metadata;
    return { name: name!, ...(this.parent.scope === 'Namespaced' && { namespace: namespace ?? 'default' }) };
  }

  /** As which user the server knows the operator. */
  get user(): string {
    return userOf(this.#setup.identity);
  }

  /** The writes of the operator that changed something. */
  get effects(): TracedWrite[] {
    return this.effectsSince(0);
  }

  /** @param traced how many writes of the cluster came before */
  effectsSince(traced: number): TracedWrite[] {
    return effectiveWrites(this.environment.trace, this.user, traced);
  }

  /** Whether the operator has asked for Events. */
  get readsEvents(): boolean {
    return this.requested.some(({ verb, resource }) => isReading(verb) && /^events(?:\.|$)/.test(resource));
  }

  /** The creations of the operator. */
  get created(): ObservedWrite[] {
    return this.writes.filter(({ isCreation }) => isCreation).map(({ observed }) => observed);
  }

  /** Whether the operator is not expected to repair an object. */
  isSpared(child: DeepReadonly<UnstructuredObject>): boolean {
    return this.#setup.spare?.(child) ?? false;
  }

  /** The field managers of the operator. */
  get fieldManagers(): ReadonlySet<string> {
    return new Set(this.writes.map(({ observed }) => observed.fieldManager || observed.program));
  }

  get timeline(): TimelineEntry[] {
    return this.#timeline.entries;
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
    await this.#interference.stepBegins?.(this, index);
    this.#begun.add(index);
    this.#step = index;
    this.#writesBefore = this.writes.length;
    const { title, act } = this.#steps[index]!;
    this.note('user', `the object ${title}`);
    try {
      await act(this);
    } catch (error) {
      throw new ActError(title, error);
    }
    await this.#interference.stepBegun?.(this, index);
  }

  /** Lets the plan do what it does when the operator has had its time. */
  async stepEnds(): Promise<void> {
    await this.#interference.stepEnds?.(this);
  }

  /** Begins the next step now, if there is one. What fails then fails the run, and not the write of the operator that is in progress. */
  async beginNextStep(): Promise<void> {
    const next = this.#step + 1;
    if (next < this.#steps.length)
      await this.begin(next).catch((error: unknown) => this.#failures.push(error));
  }

  /** Adds a line to the timeline. */
  note(actor: TimelineEntry['actor'], what: string): void {
    this.#timeline.add({ time: this.#now, actor, what });
  }

  get #now(): number {
    return this.environment.config.clock!.epoch() - this.#startedAt;
  }

  /** Moves time. @throws what ended the operator, or what failed beside it */
  async advance(time: Parameters<TestEnvironment['advance']>[0]): Promise<void> {
    await this.environment.advance(time);
    const [failure] = [...this.#failures, ...this.#lives.failures];
    if (failure !== undefined) throw failure;
  }

  /** What is in the cluster, as far as it belongs to the operator. */
  state({ collections, withStatus, claims }: Scope): ClusterState {
    const { comparable = (object) => object } = this.#setup;
    const state = clusterStateIn(this.environment.snapshot(), { collections, withStatus, comparable });
    if (claims === 'content') return state;
    const entries = Object.entries(state).map(([name, value]) => [name, isClaim(name) ? 'is there' : value]);
    return Object.fromEntries(entries) as ClusterState;
  }

  before(observed: ObservedWrite, content: string | null): void {
    const point = { step: this.#step, write: this.writes.length - this.#writesBefore + 1 };
    const text = describeWrite(observed);
    const source = this.#options.explains ? sourceOf(new Error()) : undefined;
    const traced = this.environment.trace.length;
    this.writes.push({ ...point, text, observed, traced, time: this.#now, isCreation: false, source });
    this.note('operator', text);
    this.#interference.before?.(this, observed, point, content);
  }

  async after(observed: ObservedWrite, isNew: boolean): Promise<void> {
    const placed = this.writes.find((write) => write.observed === observed)!;
    placed.isCreation = isNew && observed.isMain;
    await this.#interference.after?.(this, observed, placed);
  }

  requests(verb: string, resource: string): void {
    if (verb === 'watch') this.watched.add(resource);
    if (!resource.startsWith('leases.')) this.requested.push({ step: this.#step, verb, resource });
  }

  refused({ verb, resource }: Pick<Delivery, 'verb' | 'resource'>, status: number): void {
    if (status === 403) this.forbidden.add(`${verb} ${resource}`);
    if (status === 422 || status === 400) this.invalidWrites += 1;
    this.note('server', `refuses to ${verb} ${resource} with ${status}`);
  }

  failed(what: string, error: unknown): void {
    // Another writer was faster: the next reconcile knows.
    const isRace = isConflict(error) || isNotFound(error) || isAlreadyExists(error);
    if (!isRace) this.failedReconciles.push(`${what} fails: ${String(error)}`);
    this.note('operator', `${what} fails: ${String(error)}`);
  }

  strayed(deletion: StrayDeletion): void {
    this.strayDeletions.push({ ...deletion, step: this.#step });
  }

  prevented(object: string): void {
    this.preventedDeletions.push(object);
  }

  #saw(event: Delivery): void {
    this.#lives.saw(event);
    this.events.push({
      resource: event.resource,
      step: this.#step,
      write: this.writes.length - this.#writesBefore + 1,
    });
    this.#timeline.saw(this.#now, event);
  }

  /** Kills the operator in the middle of whatever it does, and starts the next one. */
  killOperator(): void {
    this.note('plan', 'the operator ends, and a new one starts');
    this.#lives.killLast();
    this.#lives.start().catch((error: unknown) => this.#failures.push(error));
  }

  /** Kills the first operator. Its standby takes over. */
  killLeader(): void {
    this.note('plan', 'the operator ends, and its second replica takes over');
    this.#lives.killFirst();
  }

  /** Starts a second replica, and lets it fill its caches. */
  async startStandby(): Promise<void> {
    await this.#lives.start();
    await this.environment.settle();
  }

  /**
   * Keeps the events of a resource from the operator.
   *
   * @param life that of one replica, from 0; default all
   */
  hold(resource: string, life?: number): void {
    this.note('plan', `from here the operator sees nothing new of ${resource}`);
    this.#views.hold(resource, life);
    this.#slowDown();
  }

  /** Else an operator that writes for an object that is gone, and the garbage collector, would never let a second pass. */
  #slowDown(): void {
    const user = this.#setup.identity;
    this.environment.faults.add(
      { verbs: ['create', 'update', 'patch', 'delete'], user },
      { latency: writesTake },
    );
  }

  /** Lets the operator see what was held back. */
  release(): void {
    if (this.#views.release()) this.note('plan', 'the operator sees everything again');
  }

  /** Runs something later, in virtual time. The run is busy until then. */
  later(milliseconds: number, act: () => unknown): void {
    this.#wait(sleep(this.environment.config.clock!, milliseconds).then(act));
  }

  /** Lets the watches of a resource deliver nothing, until the fault is removed. */
  blind(resource: string): ReturnType<TestFaults['add']> {
    this.note('plan', `from here the operator sees nothing of ${resource}`);
    this.#slowDown();
    const requests = { verbs: ['watch'] as const, resource, user: this.#setup.identity };
    return this.environment.faults.add(requests, { watch: 'half-open' });
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
    this.note('user', 'deletes the object, and makes it again when it is gone');
    await this.client.delete(this.parent, this.key);
    this.#wait(
      untilGone(this, this.environment.config.clock!).then(() => {
        this.note('user', 'makes the object again');
        return this.client.create(this.parent, withoutHistory(old, this.key));
      }),
    );
  }

  #wait(work: Promise<unknown>): void {
    this.#pending.add(work);
    work.catch((error: unknown) => this.#failures.push(error)).finally(() => this.#pending.delete(work));
  }

  /** Whether something still goes on beside the operator. */
  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  async stop(): Promise<void> {
    this.#views.release();
    let isStopped = false;
    void this.#lives.stop().then(() => (isStopped = true));
    for (const milliseconds of stopping) {
      if (isStopped) break;
      // A cluster that does not become quiet has failed already.
      await this.environment.advance(milliseconds).catch(() => {});
    }
    this.#leave();
    await this.#transport.close();
    await this.environment.stop();
  }
}
