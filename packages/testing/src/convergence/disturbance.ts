import type { FaultedVerb } from '../faults/faulted-requests.ts';
import type { ConvergenceRun } from './convergence-run.ts';
import { type ObservedWrite, describeWrite } from './observed-write.ts';

/** What happens to an operator, or to what it works with, during a run. */
export interface Disturbance {
  /** Before the operator starts. */
  begin?(run: ConvergenceRun): void;
  /**
   * Before the server receives a write of the operator.
   *
   * @param number of the write in its step, from 1
   */
  before?(run: ConvergenceRun, write: ObservedWrite, number: number): void;
  /** When the server has answered a write, before the operator knows. */
  after?(run: ConvergenceRun, write: ObservedWrite, number: number): Promise<void>;
}

/** What is known of an operator. */
export interface KnownOperator {
  /** How many writes there are in the step with most of them. */
  readonly maxWrites: number;
  /** The resources that it watches, such as `deployments.apps`. */
  readonly watched: ReadonlySet<string>;
}

/** How late the watches of a stale cache are: long compared with the first retries of a reconcile. */
const lateBy = '1s';

/** How long each write takes meanwhile. */
const writesTake = '50ms';

export const undisturbed: Disturbance = {};

/**
 * Disturbances that together affect every write of every step: each affects one write per step, or all watches.
 *
 * @param limit how many writes of a step they affect at most, spread evenly
 */
export function disturbancesOf({ maxWrites, watched }: KnownOperator, limit: number): Disturbance[] {
  const count = Math.min(limit, maxWrites);
  const numbers = Array.from({ length: count }, (_, index) => 1 + Math.floor((index * maxWrites) / count));
  return [
    ...numbers.map(killedAfter),
    ...numbers.map(conflictAt),
    ...numbers.map(parentMadeAgainAfter),
    late(),
    ...[...watched].toSorted().map(late),
  ];
}

function killedAfter(wanted: number): Disturbance {
  return {
    async after(run, write, number) {
      if (number !== wanted) return;
      run.note(`killed after write ${number} (${describeWrite(write)})`);
      run.killOperator();
    },
  };
}

function conflictAt(wanted: number): Disturbance {
  return {
    before(run, write, number) {
      const { verb, resource, namespace, name } = write;
      if (number !== wanted || verb === 'create') return;
      run.note(`a conflict at write ${number} (${describeWrite(write)})`);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- that of a request
      const requests = { verbs: [verb as FaultedVerb], resource, user: run.identity, times: 1 };
      const object = { ...(namespace && { namespace }), ...(verb !== 'deletecollection' && { name }) };
      run.environment.faults.add({ ...requests, ...object }, { answer: 'Conflict' });
    },
  };
}

function parentMadeAgainAfter(wanted: number): Disturbance {
  return {
    async after(run, write, number) {
      if (number !== wanted || !(await run.makeParentAgain())) return;
      run.note(`the object deleted after write ${number} (${describeWrite(write)}) and made again`);
    },
  };
}

/** @param resource default all */
function late(resource?: string): Disturbance {
  return {
    begin(run) {
      run.disturbances.push(`the watches ${resource ? `of ${resource} ` : ''}are late`);
      const { faults } = run.environment;
      const user = run.identity;
      faults.add({ verbs: ['watch'], user, ...(resource && { resource }) }, { watch: 'delay', by: lateBy });
      // Else an operator that writes for an object that is gone, and the garbage collector, would never let a second pass.
      faults.add({ verbs: ['create', 'update', 'patch', 'delete'], user }, { latency: writesTake });
    },
  };
}
