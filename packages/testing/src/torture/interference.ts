import type { ObservedWrite } from '../convergence/observed-write.ts';
import type { Plan, WritePoint } from './plan.ts';
import type { TortureRun } from './torture-run.ts';

/** What a plan does during a run. */
export interface Interference {
  /** Before the user acts in a step. */
  stepBegins?(run: TortureRun, step: number): void;
  /** After the user acted in a step, and before the operator has had its time. */
  stepBegun?(run: TortureRun, step: number): void;
  /** Before the server receives a write of the operator. */
  before?(run: TortureRun, write: ObservedWrite, point: WritePoint): void;
  /** When the server has stored a write, before the operator knows. What it throws, the operator gets in place of the response. */
  after?(run: TortureRun, write: ObservedWrite, point: WritePoint): void | Promise<void>;
}

/** How long a view stays as it is, in virtual milliseconds: longer than the first retries of a reconcile. */
const heldMs = 20_000;

export function interferenceOf(plan: Plan): Interference {
  switch (plan.phase) {
    case 'crash':
      return at(plan, (run) => run.killOperator());
    case 'lost-response':
      return at(plan, () => {
        throw Object.assign(new Error('the response was lost'), { code: 'ECONNRESET' });
      });
    case 'refusal':
      return refusal(plan);
    case 'stale':
      return stale(plan);
    case 'missed':
      return missed(plan);
    case 'interruption':
      return at(plan, (run) => run.beginNextStep());
    case 'recreation':
      return at(plan, (run) => run.makeParentAgain());
    case 'fresh':
    case 'spec':
    case 'order':
      return {};
  }
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

function refusal(plan: Plan & { phase: 'refusal' }): Interference {
  let isDone = false;
  return {
    before(run, { verb, resource }, point) {
      if (isDone || !isAt(plan, point)) return;
      isDone = true;
      run.refuse({ verb, resource, answer: plan.answer });
    },
  };
}

function stale({ step: wanted, write, resource }: Plan & { phase: 'stale' }): Interference {
  let isDone = false;
  const hold = (run: TortureRun): void => {
    if (isDone) return;
    isDone = true;
    run.hold(resource, heldMs);
  };
  return {
    stepBegins: (run, step) => (step === wanted && write === 1 ? hold(run) : undefined),
    after: (run, _write, point) => (isAt({ step: wanted, write: write - 1 }, point) ? hold(run) : undefined),
  };
}

function missed({ step: wanted, resource }: Plan & { phase: 'missed' }): Interference {
  return {
    stepBegins: (run, step) => (step === wanted ? run.hold(resource) : undefined),
    stepBegun: (run, step) => (step === wanted + 1 ? run.release() : undefined),
  };
}
