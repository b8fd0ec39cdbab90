import type { Clock } from 'ots-apimachinery/clock/clock';
import type { DevChange } from '../model/dev-change.ts';
import type {
  ClusterState,
  DevState,
  EventState,
  LogState,
  ObjectState,
  OperatorState,
  ProblemState,
  ReconcileState,
} from '../model/dev-state.ts';
import { Burst } from './burst.ts';
import { describeChange, hasChanged } from './describe-change.ts';
import {
  describeDuration,
  describeOutcome,
  describeRemains,
  describeReasons,
  describeWrites,
  exportKubeconfig,
  isOfProject,
  nameOf,
  phaseStyles,
} from './describe.ts';
import { fitLine } from './fit-line.ts';
import { LinePrinter, type LinePrinterOptions } from './line-printer.ts';
import { span } from './line.ts';
import { loggedError } from './logged-error.ts';

const maxRemembered = 1000;
/** Two lines of 80 columns. Many triggers with many fields would fill the screen; the page and --json have them all. */
const maxReasonsWidth = 120;

/**
 * Prints what is worth reading as lines that a person, a log and `grep` can read: a line per thing, with its time. What does not fit
 * into the columns continues in indented lines; an error is never cut or broken, and nothing is left out without a count.
 */
export class PlainLines {
  readonly #clock: Clock;
  readonly #printer: LinePrinter;
  readonly #burst: Burst;
  #cluster: ClusterState;
  #operator: OperatorState;
  #problems: readonly ProblemState[] = [];
  /** The last state of each object, and what was last printed, by uid. */
  readonly #objects = new Map<string, { latest: ObjectState; printed?: ObjectState }>();
  /** The reconciles with their errors that were printed: the log has the same ones. */
  readonly #errors = new Set<string>();
  #startedAt: number | undefined;

  /** Prints the state at first. */
  constructor(state: DevState, pageUrl: string | undefined, clock: Clock, options: LinePrinterOptions) {
    this.#clock = clock;
    this.#printer = new LinePrinter(options);
    this.#burst = new Burst(clock, (text) => this.#printer.print('', [span(text, 'dim')]));
    this.#cluster = state.cluster;
    this.#operator = state.operator;
    this.#printAddress(state.cluster);
    if (pageUrl !== undefined) this.#printer.print('page', [span(pageUrl)]);
    this.#printPhase(state.operator);
    this.#printProblems(state.problems);
    for (const object of Object.values(state.objects)) this.#printObject(object);
  }

  add(change: DevChange): void {
    switch (change.type) {
      case 'operator':
        return this.#printOperator(change.value);
      case 'cluster':
        return this.#printCluster(change.value);
      case 'problems':
        return this.#printProblems(change.value);
      case 'object':
        return this.#printObject(change.value);
      case 'forget':
        this.#objects.delete(change.value);
        return undefined;
      case 'reconcile':
        return this.#printReconcile(change.value);
      case 'event':
        return this.#printEvent(change.value);
      case 'log':
        return this.#printLog(change.value);
      default:
        return undefined;
    }
  }

  /** Prints what it still holds back. */
  stop(): void {
    this.#burst.flush();
  }

  #printOperator(operator: OperatorState): void {
    const before = this.#operator;
    this.#operator = operator;
    if (operator.phase !== before.phase || operator.starts !== before.starts) this.#printPhase(operator);
    if (operator.isPaused !== before.isPaused) {
      this.#printer.print('operator', [
        span(operator.isPaused ? 'paused: reconciles wait' : 'resumed', 'yellow'),
      ]);
    }
    const print = (verb: string, objects: readonly string[], others: readonly string[]): void => {
      for (const object of objects) {
        if (!others.includes(object)) this.#printer.print('operator', [span(`${verb} ${object}`, 'yellow')]);
      }
    };
    print('paused', operator.pausedObjects, before.pausedObjects);
    print('resumed', before.pausedObjects, operator.pausedObjects);
  }

  #printPhase(operator: OperatorState): void {
    const now = this.#clock.now();
    const style = phaseStyles[operator.phase];
    if (operator.phase === 'starting') this.#startedAt = now;
    const isReady = operator.phase === 'running' && this.#startedAt !== undefined;
    const ready = isReady ? `ready in ${describeDuration((now - this.#startedAt!) / 1000)}` : undefined;
    if (operator.phase === 'running') this.#startedAt = undefined;
    const remains = describeRemains(operator);
    this.#printer.print('operator', [
      span(ready ?? operator.phase, style),
      ...(remains === undefined ? [] : [span(remains)]),
    ]);
  }

  #printCluster(cluster: ClusterState): void {
    const before = this.#cluster;
    this.#cluster = cluster;
    if (cluster.url !== before.url || cluster.kubeconfig !== before.kubeconfig) {
      this.#printAddress(cluster);
    }
    const moved = cluster.ahead - before.ahead;
    // Smaller steps are those of a clock that runs fast.
    if (Math.abs(moved) >= 60) {
      const direction = moved > 0 ? 'forward' : 'back';
      this.#printer.print('cluster', [
        span(`time moved ${direction} by ${describeDuration(Math.abs(moved))}`),
      ]);
    }
    for (const name of cluster.snapshots) {
      if (!before.snapshots.includes(name)) this.#printer.print('cluster', [span(`snapshot ${name}`)]);
    }
  }

  /** A cluster that does not listen yet has no address. */
  #printAddress({ url, kubeconfig }: ClusterState): void {
    if (url !== '') this.#printer.print('cluster', [span(url), span(exportKubeconfig(kubeconfig))]);
  }

  #printProblems(problems: readonly ProblemState[]): void {
    const before = this.#problems;
    this.#problems = problems;
    const known = new Set(before.map(keyOf));
    for (const problem of problems) {
      if (known.has(keyOf(problem))) continue;
      const { location, message, hint } = problem;
      this.#printer.print('problem', [
        ...(location === undefined ? [] : [span(location, 'bold')]),
        span(message, 'red'),
        ...(hint === undefined ? [] : [span(hint, 'cyan')]),
      ]);
    }
    const remaining = new Set(problems.map(keyOf));
    for (const problem of before) {
      if (!remaining.has(keyOf(problem))) {
        this.#printer.print('solved', [span(problem.location ?? problem.source), span(problem.message)]);
      }
    }
  }

  #printObject(object: ObjectState): void {
    if (!isOfProject(object)) return;
    const known = this.#objects.get(object.uid) ?? { latest: object };
    known.latest = object;
    this.#objects.set(object.uid, known);
    if (!hasChanged(object, known.printed)) return;
    this.#burst.add({ noun: 'change', of: object.kind }, object.uid, () => {
      const { latest, printed } = known;
      known.printed = latest;
      this.#printer.print('object', describeChange(latest, printed));
    });
  }

  #printReconcile(reconcile: ReconcileState): void {
    const { controller, id, requests, result } = reconcile;
    const outcome = describeOutcome(reconcile);
    if (result === undefined || outcome === undefined) return;
    const subject = `${controller} ${nameOf(reconcile)}`;
    const error = result.outcome === 'error' ? result.error : undefined;
    const print = (): void =>
      this.#printer.print('reconcile', [
        span(`${subject} ${outcome}`, error === undefined ? undefined : 'red'),
        ...(error === undefined || !this.#remember(id, error) ? [] : [span(error, 'red')]),
        span(describeWrites(requests)),
        ...fitLine([span(`← ${describeReasons(reconcile)}`, 'dim')], maxReasonsWidth),
      ]);
    if (error === undefined) this.#burst.add({ noun: 'reconcile', of: controller }, undefined, print);
    else this.#burst.add({ noun: 'failed reconcile', of: controller }, error, print);
  }

  #printEvent({ type, object, reason, message, count, regarding }: EventState): void {
    if (type !== 'Warning') return;
    const times = count > 1 ? [span(`${count} times`)] : [];
    this.#burst.add({ noun: 'warning' }, `${regarding} ${reason}`, () =>
      this.#printer.print('warning', [span(object), span(`${reason}: ${message}`, 'yellow'), ...times]),
    );
  }

  #printLog(log: LogState): void {
    if (log.level !== 'error') return;
    const error = loggedError(log);
    const location = error?.location === undefined ? [] : [span(`at ${error.location}`, 'bold')];
    const hint = error?.hint === undefined ? [] : [span(error.hint, 'cyan')];
    const text = error === undefined ? log.message : `${log.message}: ${error.message}`;
    this.#burst.add({ noun: 'error' }, text, () => {
      const isNew =
        error === undefined || log.reconcile === undefined || this.#remember(log.reconcile, error.message);
      if (isNew || location.length > 0 || hint.length > 0) {
        this.#printer.print('error', [span(isNew ? text : log.message, 'red'), ...location, ...hint]);
      }
    });
  }

  /** @returns whether the error of the reconcile is new */
  #remember(reconcile: string, error: string): boolean {
    const key = `${reconcile} ${error}`;
    if (this.#errors.has(key)) return false;
    this.#errors.add(key);
    if (this.#errors.size > maxRemembered) this.#errors.delete(this.#errors.values().next().value!);
    return true;
  }
}

function keyOf({ source, location, message, hint }: ProblemState): string {
  return JSON.stringify([source, location, message, hint]);
}
