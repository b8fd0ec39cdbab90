import { onTestFinished } from 'vitest';
import { Controller, type ControllerConfig } from '../src/controller/controller.ts';
import type { ControllerOptions } from '../src/controller/controller-options.ts';
import type { ReconcileContext, Request, Result } from '../src/controller/reconciler.ts';
import { createLogger } from '../src/logging/create-logger.ts';
import type { Logger } from '../src/logging/logger.ts';
import { VirtualClock } from './virtual-clock.ts';

export type Reconcile = (request: Request, context: ReconcileContext) => Promise<Result | void>;

export interface ControllerFixture {
  clock: VirtualClock;
  controller: Controller;
  lines: string[];
  logger: Logger;
  /** The lines as objects, of this level. */
  logged: (level: string) => Record<string, unknown>[];
  /** The calls of the observers, in order. */
  observed: string[];
  /** The delays of requeued requests, soonest first, in milliseconds. */
  delays: () => number[];
  start: () => { stop: (reason?: unknown) => Promise<void>; run: Promise<void> };
}

/** How often a controller checks for long reconciles, in milliseconds. */
const longRunCheckMs = 60_000;

/** Knows when the next check is due. */
class LongRunClock extends VirtualClock {
  checkDue = 0;

  override setTimeout(callback: () => void, milliseconds: number): unknown {
    if (milliseconds === longRunCheckMs) this.checkDue = this.now() + milliseconds;
    return super.setTimeout(callback, milliseconds);
  }
}

/** A controller without a manager. It stops at the end of the test. */
export function controllerFixture(
  reconcile: Reconcile,
  options: ControllerOptions & Pick<ControllerConfig, 'tracer' | 'fence' | 'hasLeft' | 'hasCluster'> = {},
): ControllerFixture {
  const clock = new LongRunClock();
  const lines: string[] = [];
  const observed: string[] = [];
  const logger = createLogger({ level: 'debug', stream: { write: (line) => lines.push(line) } });
  const controller = new Controller({
    ...options,
    name: 'test',
    reconciler: { reconcile },
    clock,
    networkClock: clock,
    logger,
    observe: () => ({
      queue: { added: () => {}, started: () => {}, finished: () => {}, retried: () => {} },
      reconcile: {
        started: () => observed.push('started'),
        finished: (outcome, seconds) => observed.push(`${outcome} in ${seconds} s`),
        looped: () => observed.push('looped'),
        failed: (kind) => observed.push(`failed: ${kind}`),
      },
    }),
  });
  return {
    clock,
    controller,
    lines,
    logger,
    observed,
    logged: (level) =>
      lines
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => line['level'] === level),
    delays: () => clock.delays.filter((delay) => delay !== clock.checkDue - clock.now()),
    start: () => {
      const abort = new AbortController();
      const run = controller.start(abort.signal);
      const stop = async (reason?: unknown): Promise<void> => {
        abort.abort(reason);
        await run;
      };
      onTestFinished(() => stop().catch(() => {}));
      return { stop, run };
    },
  };
}

/** A reconciler whose calls end when the test releases them. */
export function gate() {
  const open: { request: Request; context: ReconcileContext; finish: (result?: Result) => void }[] = [];
  return {
    open,
    names: () => open.map(({ request }) => request.name),
    reconcile: (request: Request, context: ReconcileContext) =>
      new Promise<Result | void>((resolve) => {
        const run = {
          request,
          context,
          finish: (result?: Result) => {
            open.splice(open.indexOf(run), 1);
            resolve(result);
          },
        };
        open.push(run);
      }),
  };
}
