import {
  type ConnectionConfig,
  Client,
  type UnstructuredObject,
  type Kind,
  type ObjectKey,
} from 'ots-runtime';
import { TestEnvironment } from 'ots-testing';
import { type ClusterState, clusterState } from '../../packages/testing/src/convergence/cluster-state.ts';
import { type ObservedWrite, describeWrite } from '../../packages/testing/src/convergence/observed-write.ts';
import { OperatorProcess } from '../../packages/testing/src/convergence/operator-process.ts';
import type { Edit, Hold, Moment, Plan, WriteMoment } from './plan.ts';
import type { Outcome, Subject, Variant } from './subject.ts';

const groups = ['system:masters'];
const identities = { leader: { user: 'operator', groups }, standby: { user: 'standby', groups } } as const;
type Role = keyof typeof identities;

/** What users do, step by step. */
interface Step {
  readonly title: string;
  readonly act: (run: SubjectRun) => unknown;
}

/** One operator in one environment, which goes through its changes under a plan. */
export class SubjectRun implements AsyncDisposable, Outcome {
  readonly environment: TestEnvironment;
  readonly client: Client;
  readonly kind: Kind<UnstructuredObject>;
  /** What the plan has done. */
  readonly #done = new Set<unknown>();
  readonly #subject: Subject;
  readonly #variant: Variant;
  readonly #plan: Plan;
  readonly #writes: ObservedWrite[] = [];
  readonly #processes: OperatorProcess[] = [];
  /** How often each write of a moment has been seen. */
  readonly #seen = new Map<WriteMoment, number>();
  readonly #ends = new Map<Hold, () => void>();
  readonly #failures: unknown[] = [];

  private constructor(
    { subject, variant, plan }: { subject: Subject; variant: Variant; plan: Plan },
    environment: TestEnvironment,
    client: Client,
    kind: Kind<UnstructuredObject>,
  ) {
    this.#subject = subject;
    this.#variant = variant;
    this.#plan = plan;
    this.environment = environment;
    this.client = client;
    this.kind = kind;
  }

  /** Starts an environment with the operator, and a standby if the plan has a failover. */
  static async start(subject: Subject, variant: Variant, plan: Plan = {}): Promise<SubjectRun> {
    const { definition, object, workloads = false } = subject;
    const environment = await TestEnvironment.start({ clock: 'virtual', objects: [definition], workloads });
    const client = new Client(environment.config, { fieldOwner: 'user' });
    const kind = await client.mapper.kindFor(object.apiVersion, object.kind);
    const run = new SubjectRun({ subject, variant, plan }, environment, client, kind);
    await run.#startProcess('leader');
    await environment.settle();
    if (plan.failover) await run.#startProcess('standby');
    await environment.settle();
    return run;
  }

  get writes(): string[] {
    return this.#writes.map(describeWrite);
  }

  get key(): ObjectKey {
    const { name, namespace } = this.#subject.object.metadata;
    return { name: name!, ...(namespace !== undefined && { namespace }) };
  }

  /** Goes through all steps, and gives the operator two minutes at the end. */
  async perform(): Promise<void> {
    const steps = this.#steps();
    for (const [index, step] of steps.entries()) {
      this.#reach((moment) => 'before' in moment && moment.before === step.title);
      await step.act(this);
      const isFollowedSoon = this.#plan.soon?.includes(steps[index + 1]?.title ?? '');
      await (isFollowedSoon ? this.environment.settle() : this.advance('1m'));
      this.#reach((moment) => 'after' in moment && moment.after === step.title);
    }
    if (this.#plan.failover || this.#plan.restart) await this.advance('1m');
    for (const [, end] of this.#ends) end();
    await this.advance('2m');
  }

  /** Moves time. @throws what ended an operator that nothing killed */
  async advance(time: Parameters<TestEnvironment['advance']>[0]): Promise<void> {
    await this.environment.advance(time);
    const failures = [...this.#failures, ...this.#processes.map(({ failure }) => failure)];
    const failure = failures.find((each) => each !== undefined);
    if (failure !== undefined) throw failure;
  }

  /** What the operator has made of the cluster. @param others whose writes say where to look, too */
  async state(...others: readonly SubjectRun[]): Promise<ClusterState> {
    const writes = [this, ...others].flatMap((run) => run.#writes);
    return clusterState(this.client, {
      collections: new Set(writes.map(({ collection }) => collection)),
      withStatus: new Set(writes.filter(isStatus).map(({ collection }) => collection)),
      comparable: (object) => object,
    });
  }

  /** Parts of the plan that never happened. */
  get undone(): unknown[] {
    const { crashAfter, holds = [], failover, restart } = this.#plan;
    return [crashAfter, ...holds, failover, restart].filter((part) => part && !this.#done.has(part));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const stopped = this.#processes.map((process) => process.stop());
    await this.environment.advance('1m');
    await Promise.all(stopped);
    await this.client.close();
    await this.environment.stop();
  }

  #steps(): Step[] {
    const { object, changes } = this.#subject;
    const create = ({ client, kind }: SubjectRun) => client.create(kind, object as UnstructuredObject);
    return [
      { title: 'is created', act: create },
      ...Object.entries(changes).map(([title, act]) => ({ title, act })),
      ...(this.#plan.edits ?? []).map(stepOf),
    ];
  }

  async #startProcess(role: Role): Promise<void> {
    const process = new OperatorProcess(await this.environment.as(identities[role]), {
      before: (write) => this.#before(write),
      after: (write) => this.#after(write),
      requests: () => {},
    });
    this.#processes.push(process);
    await process.start((connection) => this.#create(connection));
  }

  #create(connection: ConnectionConfig): ReturnType<Subject['start']> {
    const election = { id: 'operator', namespace: 'default' };
    return this.#subject.start(connection, this.#variant, this.#plan.failover && election);
  }

  #before(write: ObservedWrite): void {
    this.#reach((moment) => 'beforeWrite' in moment && this.#is(write, moment.beforeWrite));
  }

  async #after(write: ObservedWrite): Promise<void> {
    this.#writes.push(write);
    const { crashAfter } = this.#plan;
    if (crashAfter && this.#is(write, crashAfter)) this.#restart(crashAfter);
  }

  /** Counts the writes that a moment is about. */
  #is(write: ObservedWrite, moment: WriteMoment): boolean {
    const { verb, resource, name, occurrence = 1 } = moment;
    if (write.verb !== verb || write.resource !== resource || (name ?? write.name) !== write.name)
      return false;
    const count = (this.#seen.get(moment) ?? 0) + 1;
    this.#seen.set(moment, count);
    return count === occurrence;
  }

  /** Does what the plan has for a moment. */
  #reach(isNow: (moment: Moment) => boolean): void {
    const { holds = [], failover, restart } = this.#plan;
    for (const hold of holds) {
      if (hold.until && isNow(hold.until)) this.#ends.get(hold)?.();
      if (isNow(hold.from)) this.#hold(hold);
    }
    if (restart && isNow(restart.staleSince))
      this.environment.faults.add({ user: identities.leader }, { stale: true });
    if (restart && isNow(restart.at)) this.#restart(restart);
    if (failover && isNow(failover)) {
      this.#done.add(failover);
      this.#processes[0]!.kill();
    }
  }

  #hold(hold: Hold): void {
    const { resource, of = 'leader', skips = false } = hold;
    const { faults } = this.environment;
    const fault = faults.add({ verbs: ['watch'], resource, user: identities[of] }, { watch: 'half-open' });
    this.#ends.set(hold, () => {
      this.#ends.delete(hold);
      if (fault.hits > 0) this.#done.add(hold);
      // Before: a watch that breaks resumes at once.
      if (skips) faults.compact();
      fault.remove();
    });
  }

  /** @param why the part of the plan */
  #restart(why: unknown): void {
    this.#done.add(why);
    this.#processes.at(-1)!.kill();
    this.#startProcess('leader').catch((error: unknown) => this.#failures.push(error));
  }
}

function isStatus({ resource }: ObservedWrite): boolean {
  return /\/status(?:\.|$)/.test(resource);
}

function stepOf(edit: Edit): Step {
  return {
    title: edit.title,
    act: ({ client, kind, key }) =>
      'patch' in edit ? client.patch(kind, key, edit.patch) : client.delete(kind, key),
  };
}
