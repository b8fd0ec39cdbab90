import type { Duplex } from 'node:stream';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { goQuote } from 'ots-apimachinery/go/go-quote';
import { toMilliseconds } from 'ots-runtime';
import type { Application, ApplicationBehavior, ExecResult, SimulatedContainer } from './application.ts';
import type { ProbeKind } from '../kubelet/probe-state.ts';
import { connectHttp } from '../network/connect-http.ts';
import { connectTcp } from '../network/connect-tcp.ts';
import { portOf } from '../network/port-of.ts';
import type { ContainerLog } from './container-log.ts';
import { type Question, failureOf, refusalOf, requestOf, unsendableHeader } from './question.ts';

/** What an application is started with. */
export interface Start {
  readonly container: Omit<SimulatedContainer, 'signal' | 'log' | 'exit' | 'clock'>;
  readonly clock: Clock;
  readonly log: ContainerLog;
  /** How long it takes at least to become ready, in milliseconds. */
  readonly slowness: () => number;
  /** When it started and whether it was ready then, if it was running before. Default: it starts now. */
  readonly resumed?: { readonly startedAt: number; readonly isReady: boolean } | undefined;
  /** Called when the application has changed by itself, outside of a call of this class. */
  readonly wake: () => void;
}

/** A simulated application while its container runs. It never throws: an application that throws has crashed. */
export class RunningApplication {
  /** Set when the application has ended. */
  exitCode: number | undefined;
  readonly #start: Start;
  readonly #startedAt: number;
  readonly #abort = new AbortController();
  readonly #connections = new Set<Duplex>();
  #behavior: ApplicationBehavior | undefined;

  constructor(application: Application, start: Start) {
    this.#start = start;
    this.#startedAt = start.resumed?.startedAt ?? start.clock.epoch();
    void this.#guard(() => {
      const behavior = typeof application === 'function' ? application(this.#container()) : application;
      if (!(behavior instanceof Promise)) return this.#begin(behavior ?? {});
      return behavior.then((later) => {
        this.#begin(later ?? {});
        start.wake();
      });
    });
  }

  /** When it becomes ready or ends by itself, whichever is next; in milliseconds since 1970. */
  get nextChange(): number | undefined {
    const now = this.#start.clock.epoch();
    const times = [this.#readyAt, this.#exitAt].filter((time) => time !== undefined && time > now);
    return times.length > 0 ? Math.min(...(times as number[])) : undefined;
  }

  /** Whether it has become ready. */
  get isReady(): boolean {
    if (this.#readyAt === undefined) return this.#start.resumed?.isReady ?? false;
    return this.#start.clock.epoch() >= this.#readyAt;
  }

  /** Ends an application whose time has come. */
  expire(): void {
    if (this.#exitAt !== undefined && this.#start.clock.epoch() >= this.#exitAt)
      this.exitCode ??= this.#behavior?.exitCode ?? 0;
  }

  /** Answers a probe. @returns what is wrong in the words of a kubelet, or undefined */
  async probe(kind: ProbeKind, question: Question): Promise<string | undefined> {
    const unsendable = unsendableHeader(question);
    if (unsendable !== undefined) return unsendable;
    if (!this.isReady && kind !== 'Liveness') return refusalOf(question);
    const { exec, http, ready, live } = this.#behavior ?? {};
    let found: string | undefined = 'the application has crashed';
    await this.#guard(async () => {
      if ('exec' in question && exec) {
        const { exitCode = 0, stdout = '', stderr = '' } = await exec(question.exec);
        found = exitCode === 0 ? undefined : `${stdout}${stderr}`;
      } else if ('http' in question && http) {
        const { status } = await http(requestOf(question), portOf(question.http));
        found = status >= 200 && status < 400 ? undefined : `HTTP probe failed with statuscode: ${status}`;
      } else {
        const isFine = (await (kind === 'Liveness' ? live : ready)?.()) ?? true;
        found = isFine ? undefined : failureOf(question);
      }
    });
    return found;
  }

  /** Runs a command. @throws what `exec` of the application throws, and {Error} without `exec` */
  async exec(command: readonly string[]): Promise<ExecResult> {
    const { exec } = this.#behavior ?? {};
    if (exec) return exec(command);
    throw new Error(`exec: ${goQuote(command[0] ?? '')}: executable file not found in $PATH`);
  }

  /** Runs a hook of the container. An application that answers neither commands nor requests has nothing to do. */
  async runHook(question: Question): Promise<string | undefined> {
    const { exec, http } = this.#behavior ?? {};
    const isAnswered = 'exec' in question ? exec : 'http' in question && http;
    return isAnswered ? this.probe('Liveness', question) : undefined;
  }

  /** Whether it answers HTTP requests. */
  get servesHttp(): boolean {
    return this.#behavior?.http !== undefined && this.isReady;
  }

  /** Whether it answers connections to a port that are not HTTP. */
  servesTcp(port: number): boolean {
    return this.#behavior?.tcp?.[port] !== undefined && this.isReady;
  }

  /** Connects a client to a port on which it listens. @returns the side of the client, which ends with the application */
  connect(port: number): Duplex {
    const { http, tcp } = this.#behavior!;
    const serve = tcp?.[port];
    const { client, server } = serve
      ? connectTcp((socket) => void this.#guard(() => serve(socket)))
      : connectHttp(async (request) => http!(request, port));
    this.#connections.add(server);
    server.once('close', () => this.#connections.delete(server));
    return client;
  }

  /** Asks it to stop, as SIGTERM does. */
  terminate(): void {
    this.#abort.abort();
    const { terminate } = this.#behavior ?? {};
    if (!terminate) this.#exit(0);
    else void this.#guard(async () => this.#exit((await terminate()) ?? 0));
  }

  /** Its container has ended: what it does now has no effect. */
  end(): void {
    this.exitCode ??= 137;
    this.#abort.abort();
    for (const connection of this.#connections) connection.end(() => connection.destroy());
  }

  get #readyAt(): number | undefined {
    if (!this.#behavior) return undefined;
    const readyAfter = toMilliseconds(this.#behavior.readyAfter ?? 0);
    return this.#startedAt + Math.max(readyAfter, this.#start.slowness());
  }

  get #exitAt(): number | undefined {
    const { exitAfter, exitCode } = this.#behavior ?? {};
    if (exitAfter === undefined && exitCode === undefined) return undefined;
    return this.#startedAt + toMilliseconds(exitAfter ?? 0);
  }

  #container(): SimulatedContainer {
    const { container, clock } = this.#start;
    return {
      ...container,
      clock,
      signal: this.#abort.signal,
      log: (line) => this.#log(line),
      exit: (exitCode = 0) => this.#exit(exitCode),
    };
  }

  #begin(behavior: ApplicationBehavior): void {
    // What is not a duration is a crash at the start.
    toMilliseconds(behavior.readyAfter ?? 0);
    toMilliseconds(behavior.exitAfter ?? 0);
    this.#behavior = behavior;
    const { logs = [] } = behavior;
    for (const text of typeof logs === 'string' ? [logs] : logs) this.#log(text);
  }

  #log(text: string): void {
    const { log, clock } = this.#start;
    if (this.exitCode === undefined) log.add(text, clock.epoch());
  }

  #exit(exitCode: number): void {
    if (this.exitCode !== undefined) return;
    this.exitCode = Number.isInteger(exitCode) ? exitCode & 255 : 1;
    this.#start.wake();
  }

  async #guard(work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      this.#exit(1);
    }
  }
}
