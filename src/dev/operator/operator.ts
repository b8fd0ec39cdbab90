import { setTimeout as delay } from 'node:timers/promises';
import type { DevAction, ReconciledObject } from '../model/dev-action.ts';
import type { OperatorState } from '../model/dev-state.ts';
import type { RequestRecord } from 'ots-runtime/debugging';
import type { DevStore } from '../store/dev-store.ts';
import { logLine } from './log-line.ts';
import type { FromOperator } from './operator-message.ts';
import { type OperatorCommand, type OperatorListener, OperatorProcess } from './operator-process.ts';

/** The time between two looks at whether the operator is ready, in milliseconds. */
const pollMs = 10;
/** How many of the last lines of the output explain why an operator ended. */
const linesOfCrash = 20;

/** The operator of a session: one process at a time runs, and the next one waits. */
export class Operator {
  readonly #store: DevStore;
  readonly #onRequest: (request: RequestRecord) => void;
  #running: OperatorProcess | undefined;
  #next: { process: OperatorProcess; command: string } | undefined;
  /** What a person paused, by its text in the state. */
  readonly #pausedObjects = new Map<string, ReconciledObject>();
  /** How far the clock of the operators is ahead, in milliseconds. */
  #ahead = 0;
  /** Increases with each start, so an older start that still waits knows that it is outdated. */
  #starts = 0;

  /** @param onRequest receives the requests of operators that report them */
  constructor(store: DevStore, onRequest: (request: RequestRecord) => void) {
    this.#store = store;
    this.#onRequest = onRequest;
  }

  /**
   * Starts the operator of the current sources, in place of the one that runs.
   *
   * @param healthPort where it says that it is ready
   * @param onReady is called when it is ready, unless it ends or is replaced before
   */
  async restart(command: OperatorCommand, healthPort: number, onReady: () => void): Promise<void> {
    this.#starts += 1;
    const start = this.#starts;
    const stopping = this.#running?.stop();
    this.#update({ phase: 'starting', starts: start });
    const process = this.#take(command);
    await stopping;
    this.#interruptReconciles();
    if (start !== this.#starts) return void process.stop();
    this.#running = process;
    this.#store.report('operator', []);
    this.#holdAgain(process);
    process.run(this.#listenerOf(process));
    this.#update({});
    this.#next = this.#prepare(command);
    void this.#untilReady(process, start, healthPort).then((isReady) => isReady && onReady());
  }

  /** The process that waits, if it is of the same command, or a new one. */
  #take(command: OperatorCommand): OperatorProcess {
    const next = this.#next;
    this.#next = undefined;
    if (next?.command === JSON.stringify(command) && !next.process.hasEnded) return next.process;
    void next?.process.stop();
    return this.#create(command);
  }

  #prepare(command: OperatorCommand): { process: OperatorProcess; command: string } {
    return { process: this.#create(command), command: JSON.stringify(command) };
  }

  #create(command: OperatorCommand): OperatorProcess {
    const process = new OperatorProcess(command);
    if (this.#ahead > 0) process.send({ type: 'advance', milliseconds: this.#ahead });
    return process;
  }

  /** @returns whether it is ready; otherwise it has ended, or was replaced */
  async #untilReady(process: OperatorProcess, start: number, healthPort: number): Promise<boolean> {
    const url = `http://127.0.0.1:${healthPort}/readyz`;
    while (start === this.#starts && !process.hasEnded) {
      const isReady = await fetch(url).then(
        async (answer) => (await answer.arrayBuffer(), answer.ok),
        () => false,
      );
      if (start !== this.#starts || process.hasEnded) return false;
      if (isReady) {
        // The sources may have errors that this process does not have.
        const { phase } = this.#store.state.operator;
        this.#update({ phase: phase === 'broken' ? 'broken' : 'running' });
        return true;
      }
      await delay(pollMs);
    }
    return false;
  }

  #listenerOf(process: OperatorProcess): OperatorListener {
    const lines: string[] = [];
    return {
      line: (text) => {
        lines.push(text);
        if (lines.length > linesOfCrash) lines.shift();
        this.#store.apply({ type: 'log', value: logLine(text, new Date()) });
      },
      message: (message) => this.#received(message),
      ended: ({ code, signal }) => {
        if (this.#running !== process) return;
        this.#running = undefined;
        this.#interruptReconciles();
        this.#update({ phase: 'crashed' });
        const message = `The operator ended with ${signal ?? `exit code ${code}`}${lines.length > 0 ? `:\n${lines.join('\n')}` : ''}`;
        this.#store.report('operator', [
          { message, hint: 'Fix the sources: the operator starts again when they change.' },
        ]);
      },
    };
  }

  /** What a process did not finish will not end. */
  #interruptReconciles(): void {
    for (const reconcile of this.#store.state.reconciles.filter(({ result }) => !result))
      this.#store.apply({ type: 'reconcile', value: { ...reconcile, result: { outcome: 'interrupted' } } });
  }

  #received(message: FromOperator): void {
    if (message.type === 'reconcile') this.#store.apply({ type: 'reconcile', value: message.reconcile });
    if (message.type === 'request') this.#onRequest(message.request);
    if (message.type === 'queues') this.#store.apply({ type: 'queues', value: message.queues });
  }

  /** Ends the operator in the middle of what it does; it does not start again by itself. */
  crash(): void {
    this.#running?.crash();
  }

  /** Moves the clock of the operator ahead. */
  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
    for (const process of [this.#running, this.#next?.process])
      process?.send({ type: 'advance', milliseconds });
  }

  /** Pauses, resumes, or lets one reconcile run. */
  hold({ action, ...object }: Extract<DevAction, { action: 'pause' | 'resume' | 'step' }>): void {
    const { controller, name, namespace } = object;
    const isObject = controller !== undefined && name !== undefined;
    const key = isObject ? { controller, name, ...(namespace !== undefined && { namespace }) } : undefined;
    this.#running?.send({ type: action, ...(key && { object: key }) });
    if (action === 'step') return;
    const isPause = action === 'pause';
    if (key) {
      const text = `${key.controller} ${key.namespace === undefined ? '' : `${key.namespace}/`}${key.name}`;
      this.#pausedObjects.delete(text);
      if (isPause) this.#pausedObjects.set(text, key);
    } else if (!isPause) this.#pausedObjects.clear();
    const { isPaused } = this.#store.state.operator;
    this.#update({
      isPaused: key ? isPaused : isPause,
      pausedObjects: [...this.#pausedObjects.keys()],
    });
  }

  /** What waits for a person waits in the next process, too. */
  #holdAgain(process: OperatorProcess): void {
    if (this.#store.state.operator.isPaused) process.send({ type: 'pause' });
    for (const object of this.#pausedObjects.values()) process.send({ type: 'pause', object });
  }

  /** The sources have errors: the operator of the last good ones goes on. */
  markBroken(): void {
    this.#update({ phase: 'broken' });
  }

  async stop(): Promise<void> {
    this.#starts += 1;
    await Promise.all([this.#running?.stop(), this.#next?.process.stop()]);
    this.#running = undefined;
    this.#update({ phase: 'stopped' });
  }

  #update(changed: Partial<OperatorState>): void {
    const { pid: _, ...operator } = this.#store.state.operator;
    const pid = this.#running?.pid;
    const value = { ...operator, ...changed, ...(pid !== undefined && { pid }) };
    this.#store.apply({ type: 'operator', value });
  }
}
