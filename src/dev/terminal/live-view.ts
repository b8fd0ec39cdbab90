import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Context } from '../../context.ts';
import type { DevAction } from '../model/dev-action.ts';
import type { DevState } from '../model/dev-state.ts';
import { Controls } from './controls.ts';
import { type View, frame } from './frame/frame.ts';
import { listenToKeys } from './keys.ts';
import { renderLine } from './line.ts';
import { openPage } from './open-page.ts';
import { Screen } from './screen.ts';

export interface LiveViewOptions {
  readonly context: Pick<Context, 'stdin' | 'stdout' | 'now'>;
  readonly hasColors: boolean;
  readonly clock: Clock;
  readonly state: () => DevState;
  readonly act: (action: DevAction) => Promise<void>;
  readonly pageUrl: string | undefined;
  readonly onQuit: () => void;
}

/** About 15 frames per second. */
const minMsBetweenFrames = 66;
/** Ages and what runs are never older than this. */
const maxMsBetweenFrames = 1000;
/** A frame is drawn for at most one of so many parts of the time. */
const shareOfDrawing = 4;
const defaultSize = { columns: 80, rows: 24 };

/**
 * Draws the state on a terminal when it changes, and reads keys. The last frame stays when it ends, so the reader can scroll back to
 * it; the terminal is itself again however this process ends, unless a signal kills it.
 */
export class LiveView {
  readonly #options: LiveViewOptions;
  readonly #screen: Screen;
  readonly #controls: Controls;
  #stopKeys: (() => void) | undefined;
  #isEnding = false;
  #isStopped = false;
  #drawnAt = -Infinity;
  #msBetweenFrames = minMsBetweenFrames;
  #timer: { readonly handle: unknown; readonly due: number } | undefined;

  constructor(options: LiveViewOptions) {
    this.#options = options;
    const { context } = options;
    this.#screen = new Screen((text) => context.stdout.write(text), options.hasColors);
    this.#controls = new Controls({
      ...options,
      openPage,
      onQuit: () => this.#quit(),
      onChange: this.#drawSoon,
      onRedraw: this.#redraw,
    });
    this.#stopKeys = listenToKeys(context.stdin, (key) => this.#controls.press(key));
    context.stdout.on('resize', this.#redraw);
    context.stdout.on('drain', this.#drawSoon);
    process.once('uncaughtExceptionMonitor', this.#restore);
    process.once('exit', this.#restore);
    this.#draw();
  }

  /** The state changed. */
  add(): void {
    this.#drawSoon();
  }

  stop(): void {
    const { clock, context } = this.#options;
    this.#isStopped = true;
    if (this.#timer) clock.clearTimeout(this.#timer.handle);
    this.#restore();
    context.stdout.off('resize', this.#redraw);
    context.stdout.off('drain', this.#drawSoon);
    process.off('uncaughtExceptionMonitor', this.#restore);
    process.off('exit', this.#restore);
    const lines = this.#frame({ rows: Infinity, keys: [], isHelp: false });
    context.stdout.write(lines.map((line) => `${renderLine(line, this.#options.hasColors)}\n`).join(''));
  }

  readonly #drawSoon = (): void => {
    this.#drawIn(Math.max(0, this.#drawnAt + this.#msBetweenFrames - this.#options.clock.now()));
  };

  readonly #redraw = (): void => {
    this.#screen.forget();
    this.#drawSoon();
  };

  readonly #restore = (): void => {
    this.#stopKeys?.();
    this.#stopKeys = undefined;
    this.#screen.close();
  };

  /** From here on, Ctrl-C is a signal again, which ends a session that does not end. */
  #quit(): void {
    if (!this.#stopKeys) return;
    this.#stopKeys();
    this.#stopKeys = undefined;
    this.#isEnding = true;
    this.#options.onQuit();
  }

  #drawIn(milliseconds: number): void {
    const { clock } = this.#options;
    const due = clock.now() + milliseconds;
    if (this.#isStopped) return;
    if (this.#timer && this.#timer.due <= due) return;
    if (this.#timer) clock.clearTimeout(this.#timer.handle);
    this.#timer = { handle: clock.setTimeout(() => this.#draw(), milliseconds), due };
  }

  #draw(): void {
    const { clock, context } = this.#options;
    this.#timer = undefined;
    this.#drawnAt = clock.now();
    const keys = this.#stopKeys ? {} : { keys: [] };
    const ending = this.#isEnding ? { notice: { text: 'The session ends …', isError: false } } : {};
    // A terminal that is slow gets the next frame when it has shown this one.
    if (!context.stdout.writableNeedDrain) {
      const rows = context.stdout.rows || defaultSize.rows;
      this.#screen.draw(this.#frame({ ...this.#controls.view, ...keys, ...ending, rows }));
    }
    // Thousands of objects take long to draw: most of the time is for the session.
    this.#msBetweenFrames = Math.max(minMsBetweenFrames, (clock.now() - this.#drawnAt) * shareOfDrawing);
    this.#drawIn(Math.max(maxMsBetweenFrames, this.#msBetweenFrames));
  }

  #frame(view: Pick<View, 'rows' | 'keys' | 'isHelp'>): ReturnType<typeof frame> {
    const { context, pageUrl, state } = this.#options;
    const columns = context.stdout.columns || defaultSize.columns;
    return frame(state(), { ...view, columns, now: context.now(), pageUrl });
  }
}
