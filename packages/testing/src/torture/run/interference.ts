import type { ObservedWrite } from '../../convergence/observed-write.ts';
import type { TestEnvironment } from '../../environment/test-environment.ts';
import type { TestFaults } from '../../faults/test-faults.ts';
import type { Plan, WorkloadFailure, WritePoint } from '../plans/plan.ts';
import { imagesIn, imagesOf } from './images.ts';
import type { TortureRun } from './torture-run.ts';

/** What a plan does during a run. */
export interface Interference {
  /** Before the user acts in a step. */
  stepBegins?(run: TortureRun, step: number): void | Promise<void>;
  /** After the user acted in a step, and before the operator has had its time. */
  stepBegun?(run: TortureRun, step: number): void | Promise<void>;
  /** Before the server receives a write of the operator. @param content JSON; null for none */
  before?(run: TortureRun, write: ObservedWrite, point: WritePoint, content: string | null): void;
  /** When the server has stored a write, before the operator knows. What it throws, the operator gets in place of the response. */
  after?(run: TortureRun, write: ObservedWrite, point: WritePoint): void | Promise<void>;
  /** When the operator has had its time in the step of the plan. */
  stepEnds?(run: TortureRun): void | Promise<void>;
}

/** How long a view stays as it is, in virtual milliseconds: longer than the first retries of a reconcile. */
const heldMs = 20_000;

/** How long a second replica acts on an old view, in virtual milliseconds: longer than the lease of the first one. */
const takeoverMs = 60_000;

export function interferenceOf(plan: Plan): Interference {
  switch (plan.phase) {
    case 'crash':
      return at(plan, (run) => run.killOperator());
    case 'crash-before':
      return aheadOf(plan, (run) => run.killOperator());
    case 'lost-response':
      return at(plan, loseResponse);
    case 'refusal':
      return aheadOf(plan, (run, { verb, resource }) => run.refuse({ verb, resource, answer: plan.answer }));
    case 'stale':
      return stale(plan);
    case 'takeover':
      return takeover(plan);
    case 'missed':
      return missed(plan);
    case 'interruption':
      return at(plan, (run) => run.beginNextStep());
    case 'recreation':
      return at(plan, (run) => run.makeParentAgain());
    case 'workload':
      return failingWorkloads(plan);
    case 'rollback':
      return withoutNewImages(plan.step);
    default:
      // What users do, or the order of what arrives.
      return {};
  }
}

function loseResponse(run: TortureRun): never {
  run.note('plan', 'the operator does not receive the response');
  throw Object.assign(new Error('the response was lost'), { code: 'ECONNRESET' });
}

/** How long workloads fail, in virtual milliseconds: longer than it takes to notice a lost node, and than a start usually takes. */
const failingMs = 3 * 60_000;

function failingWorkloads({ step: wanted, failure }: Plan & { phase: 'workload' }): Interference {
  return {
    stepBegins(run, step) {
      if (step !== wanted) return;
      run.note('plan', `workloads fail: ${failure}`);
      const end = failWorkloads(run.environment, failure);
      run.later(failingMs, () => {
        run.note('plan', 'workloads no longer fail');
        end();
      });
    },
  };
}

/** @returns what ends the failure */
function failWorkloads({ failures, nodes }: TestEnvironment, failure: WorkloadFailure): () => void {
  if (failure === 'node loss') {
    for (const name of nodes.names) nodes.stop(name);
    return () => {
      for (const name of nodes.names) nodes.start(name);
    };
  }
  const added =
    failure === 'provisioning'
      ? failures.add({}, { provisioning: 'the storage does not respond' })
      : failures.add({}, podFailures[failure]);
  return () => added.remove();
}

const podFailures = {
  'image pull': { imagePull: 'the registry does not respond' },
  crash: { crashAfter: '1s' },
  'slow start': { readyAfter: failingMs },
} as const;

/**
 * Lets no image be pulled that the operator uses first in a step, as if a user had mistyped it. All others can be pulled.
 *
 * @param wanted the step
 */
export function withoutNewImages(wanted: number): Interference {
  let known = new Set<string>();
  return {
    stepBegins(run, step) {
      if (step === wanted) known = imagesOf(run.environment.snapshot());
    },
    before(run, _write, { step }, content) {
      if (step !== wanted) return;
      for (const image of imagesIn(content ?? '').filter((each) => !known.has(each))) {
        known.add(image);
        run.note('plan', `the image ${image} cannot be pulled`);
        run.environment.failures.add({ image }, { imagePull: `${image} was not found` });
      }
    },
  };
}

/** Does something once, after a write. */
function at(wanted: WritePoint, act: (run: TortureRun) => void | Promise<void>): Interference {
  let isDone = false;
  return {
    after(run, _write, point) {
      if (isDone || !isAt(wanted, point)) return;
      isDone = true;
      return act(run);
    },
  };
}

function isAt(wanted: WritePoint, { step, write }: WritePoint): boolean {
  return wanted.step === step && wanted.write === write;
}

/** Does something once, before the server receives a write. */
function aheadOf(wanted: WritePoint, act: (run: TortureRun, write: ObservedWrite) => void): Interference {
  let isDone = false;
  return {
    before(run, write, point) {
      if (isDone || !isAt(wanted, point)) return;
      isDone = true;
      act(run, write);
    },
  };
}

/** Does something once, after the write before: for the first one, before the user acts. */
function ahead({ step: wanted, write }: WritePoint, act: (run: TortureRun) => void): Interference {
  let isDone = false;
  const once = (run: TortureRun): void => {
    if (isDone) return;
    isDone = true;
    act(run);
  };
  return {
    stepBegins: (run, step) => (step === wanted && write === 1 ? once(run) : undefined),
    after: (run, _write, point) => (isAt({ step: wanted, write: write - 1 }, point) ? once(run) : undefined),
  };
}

function stale(plan: Plan & { phase: 'stale' }): Interference {
  return ahead(plan, (run) => {
    run.hold(plan.resource);
    run.later(heldMs, () => run.release());
  });
}

function takeover(plan: Plan & { phase: 'takeover' }): Interference {
  return {
    ...ahead(plan, (run) => run.hold(plan.resource, 1)),
    async stepEnds(run) {
      run.killLeader();
      await run.advance(takeoverMs);
      run.release();
    },
  };
}

function missed({ step: wanted, until, resource }: Plan & { phase: 'missed' }): Interference {
  let blind: ReturnType<TestFaults['add']> | undefined;
  const see = (run: TortureRun): void => {
    // Before: a watch that breaks resumes at once, and would receive what happened meanwhile.
    run.environment.faults.compact();
    blind?.remove();
    run.note('plan', 'the operator sees the present state');
  };
  return {
    stepBegins(run, step) {
      if (step === wanted) blind = run.blind(resource);
    },
    stepBegun(run, step) {
      if (step === until && step > wanted) see(run);
    },
    stepEnds(run) {
      if (until === wanted) see(run);
    },
  };
}
