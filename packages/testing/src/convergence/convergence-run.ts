import { sleep } from 'ots-apimachinery/clock/sleep';
import {
  Client,
  type ConnectionConfig,
  type Kind,
  type DeepReadonly,
  type ObjectKey,
  type UnstructuredObject,
} from 'ots-runtime';
import { TestEnvironment } from '../environment/test-environment.ts';
import type { Identity } from '../requests/user-of.ts';
import { type ClusterState, type Observed, clusterState } from './cluster-state.ts';
import type { ConvergenceOptions } from './convergence-options.ts';
import { differences } from './differences.ts';
import type { Disturbance } from './disturbance.ts';
import type { ObservedWrite } from './observed-write.ts';
import { OperatorProcess, type ProcessObserver } from './operator-process.ts';
import { withoutHistory } from './without-history.ts';

/** A step of a scenario. */
export interface Step {
  /** Such as `is scaled`. */
  readonly title: string;
  readonly act: (run: ConvergenceRun) => unknown;
  /** Whether the object is deleted for good. Default false. */
  readonly isDeletion?: boolean;
}

/** How much longer than an undisturbed operator a disturbed one may need, and how often to look. */
const maxDelayMs = 10 * 60_000;
const sliceMs = 30_000;
const pollMs = 100;

/** One environment with one operator, which goes through a scenario. */
export class ConvergenceRun implements ProcessObserver {
  readonly environment: TestEnvironment;
  readonly client: Client;
  readonly parent: Kind<UnstructuredObject>;
  /** What the operator wrote. */
  readonly writes: ObservedWrite[] = [];
  /** The resources that it watches, such as `deployments.apps`. */
  readonly watched = new Set<string>();
  /** What it created. */
  readonly created: ObservedWrite[] = [];
  /** What disturbed it. */
  readonly disturbances: string[] = [];
  /** The title of the step, and how many writes came before it. */
  #step = { title: 'is not there yet', writes: 0 };
  /** Whether the object may be deleted and made again. */
  #mayDelete = true;
  readonly #options: ConvergenceOptions;
  readonly #disturbance: Disturbance;
  readonly #connection: ConnectionConfig;
  readonly #processes: OperatorProcess[] = [];
  /** Failures of what goes on beside the steps. */
  readonly #failures: unknown[] = [];
  /** How many parents are being made again. */
  #pending = 0;

  private constructor(
    options: ConvergenceOptions,
    disturbance: Disturbance,
    cluster: {
      environment: TestEnvironment;
      client: Client;
      parent: Kind<UnstructuredObject>;
      connection: ConnectionConfig;
    },
  ) {
    this.#options = options;
    this.#disturbance = disturbance;
    this.environment = cluster.environment;
    this.client = cluster.client;
    this.parent = cluster.parent;
    this.#connection = cluster.connection;
  }

  /** Starts an environment and the operator in it. */
  static async start(options: ConvergenceOptions, disturbance: Disturbance): Promise<ConvergenceRun> {
    const environment = await TestEnvironment.start({ ...options.environment, clock: 'virtual' });
    try {
      await options.prepare?.(environment);
      const connection = await environment.as(options.identity);
      const client = new Client(environment.config, { fieldOwner: 'user' });
      const parent = await client.mapper.kindFor(options.object.apiVersion, options.object.kind);
      const run = new ConvergenceRun(options, disturbance, { environment, client, parent, connection });
      disturbance.begin?.(run);
      await run.#startOperator();
      await environment.settle();
      return run;
    } catch (error) {
      await environment.stop();
      throw error;
    }
  }

  get identity(): Identity {
    return this.#options.identity;
  }

  get key(): ObjectKey {
    const { name, namespace } = this.#options.object.metadata;
    return { name: name!, ...(this.parent.scope === 'Namespaced' && { namespace: namespace ?? 'default' }) };
  }

  /** What the operator wrote, and where it is compared. */
  get observed(): Observed {
    const { comparable = (object) => object } = this.#options;
    const root = this.parent.apiVersion.includes('/') ? '/apis/' : '/api/';
    const own = `${root}${this.parent.apiVersion}/${this.parent.plural}`;
    return {
      collections: new Set([own, ...this.writes.map(({ collection }) => collection)]),
      withStatus: new Set(
        this.writes
          .filter(({ resource }) => /\/status(?:\.|$)/.test(resource))
          .map(({ collection }) => collection),
      ),
      comparable,
    };
  }

  /** The field managers of the operator. */
  get fieldManagers(): ReadonlySet<string> {
    return new Set(this.writes.map(({ fieldManager }) => fieldManager));
  }

  /** Performs a step, and gives the operator its time. */
  async perform(step: Step): Promise<void> {
    this.#step = { title: step.title, writes: this.writes.length };
    this.#mayDelete = !step.isDeletion;
    await step.act(this);
    await this.advance(this.#options.time ?? '1m');
    for (let waited = 0; this.#pending > 0 && waited < maxDelayMs; waited += sliceMs)
      await this.advance(sliceMs);
    if (this.#pending > 0) throw new Error('the deleted parent is still there after 10 minutes');
  }

  /** Moves time. @throws what ended the operator, or what failed beside it */
  async advance(time: Parameters<TestEnvironment['advance']>[0]): Promise<void> {
    await this.environment.advance(time);
    const failures = [...this.#failures, ...this.#processes.map(({ failure }) => failure)];
    const failure = failures.find((each) => each !== undefined);
    if (failure !== undefined) throw failure;
  }

  /** What the operator has made of the cluster. */
  async state(observed: Observed): Promise<ClusterState> {
    return clusterState(this.client, observed);
  }

  /** Waits until the cluster is in a state. @returns what still differs after ten minutes */
  async differencesTo(expected: ClusterState, observed: Observed): Promise<string[]> {
    let found = differences(await this.state(observed), expected);
    for (let waited = 0; found.length > 0 && waited < maxDelayMs; waited += sliceMs) {
      await this.advance(sliceMs);
      found = differences(await this.state(observed), expected);
    }
    return found;
  }

  before(write: ObservedWrite): void {
    this.writes.push(write);
    this.#disturbance.before?.(this, write, this.writes.length - this.#step.writes);
  }

  async after(write: ObservedWrite, isNew: boolean): Promise<void> {
    if (isNew && write.isMain) this.created.push(write);
    const number = this.writes.indexOf(write) + 1 - this.#step.writes;
    await this.#disturbance.after?.(this, write, number);
  }

  requests(verb: string, resource: string): void {
    if (verb === 'watch') this.watched.add(resource);
  }

  /** Records what happens to the operator. @param what such as `killed after write 2 (create deployments.apps default/web)` */
  note(what: string): void {
    this.disturbances.push(`${what} when the object ${this.#step.title}`);
  }

  /** Kills the operator in the middle of whatever it does, and starts the next one. */
  killOperator(): void {
    this.#processes.at(-1)?.kill();
    this.#startOperator().catch((error: unknown) => this.#failures.push(error));
  }

  async #startOperator(): Promise<void> {
    const process = new OperatorProcess(this.#connection, this);
    this.#processes.push(process);
    const { environment } = this;
    await process.start((connection) => this.#options.start(connection, { environment }));
  }

  /**
   * Deletes the parent, and creates it with the same content as soon as it is gone.
   *
   * @returns false if there is none, or it is deleted for good
   */
  async makeParentAgain(): Promise<boolean> {
    const old = this.#mayDelete ? await this.client.get(this.parent, this.key) : undefined;
    if (!old) return false;
    await this.client.delete(this.parent, this.key);
    this.#pending += 1;
    if (await this.#createUnlessThere(old)) return true;
    this.#createWhenGone(old).catch((error: unknown) => this.#failures.push(error));
    return true;
  }

  async #createWhenGone(old: DeepReadonly<UnstructuredObject>): Promise<void> {
    const { clock } = this.environment.config;
    do await sleep(clock!, pollMs);
    while (!(await this.#createUnlessThere(old)));
  }

  async #createUnlessThere(old: DeepReadonly<UnstructuredObject>): Promise<boolean> {
    if (await this.client.get(this.parent, this.key)) return false;
    await this.client.create(this.parent, withoutHistory(old, this.key));
    this.#pending -= 1;
    return true;
  }

  async stop(): Promise<void> {
    const stopped = this.#processes.map((process) => process.stop());
    // A cluster that does not become quiet has failed already.
    await this.environment.advance('1m').then(
      () => Promise.all(stopped),
      () => {},
    );
    await this.client.close();
    await this.environment.stop();
  }
}
