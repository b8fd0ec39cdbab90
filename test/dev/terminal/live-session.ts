import { PassThrough, Writable } from 'node:stream';
import type { DevAction } from '../../../src/dev/model/dev-action.ts';
import type { DevState } from '../../../src/dev/model/dev-state.ts';
import { LiveView } from '../../../src/dev/terminal/live-view.ts';
import { TerminalScreen } from '../../support/terminal-screen.ts';
import { RecordedClock, busyState } from './states.ts';

/** A live view on a terminal in this process. */
export class LiveSession {
  readonly clock = new RecordedClock();
  readonly screen: TerminalScreen;
  readonly view: LiveView;
  readonly actions: DevAction[] = [];
  /** What the session answers to the next actions. */
  answer: () => Promise<void> = () => Promise.resolve();
  quits = 0;
  onQuit = (): void => {};
  rawModes: boolean[] = [];
  state: DevState;
  readonly #stdin: PassThrough;
  readonly #stdout: NodeJS.WriteStream;

  constructor({ state = busyState(), columns = 80, rows = 24, hasKeys = true, hasColors = false } = {}) {
    this.state = state;
    this.screen = new TerminalScreen(columns, rows);
    this.#stdin = Object.assign(new PassThrough(), {
      isTTY: hasKeys,
      setRawMode: (isRaw: boolean) => this.rawModes.push(isRaw),
    });
    const write = (chunk: Buffer, _: string, done: () => void): void => {
      this.screen.write(chunk.toString('utf8'));
      done();
    };
    this.#stdout = Object.assign(new Writable({ write }), {
      isTTY: true,
      columns,
      rows,
    }) as unknown as NodeJS.WriteStream;
    this.view = new LiveView({
      context: {
        stdin: this.#stdin as unknown as NodeJS.ReadStream,
        stdout: this.#stdout,
        now: () => new Date(this.clock.epoch()),
      },
      hasColors,
      clock: this.clock,
      state: () => this.state,
      act: (action) => {
        this.actions.push(action);
        return this.answer();
      },
      pageUrl: 'http://127.0.0.1:40124/k3/',
      onQuit: () => {
        this.quits++;
        this.onQuit();
      },
    });
  }

  /** Presses keys, as their escape sequences, and draws. */
  async press(...keys: string[]): Promise<string[]> {
    for (const key of keys) this.#stdin.write(key);
    // The stream delivers keys, and actions answer, in later turns.
    await new Promise((resolve) => setImmediate(resolve));
    this.clock.advance(100);
    return this.screen.rows();
  }

  /** Changes the state, and draws if it is time. */
  change(parts: Partial<DevState>): void {
    this.state = { ...this.state, ...parts };
    this.view.add();
    this.clock.advance(0);
  }

  resize(columns: number, rows: number): void {
    this.screen.resize(columns, rows);
    Object.assign(this.#stdout, { columns, rows }).emit('resize');
    this.clock.advance(100);
  }
}
