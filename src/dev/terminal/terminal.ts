import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import type { Context } from '../../context.ts';
import { hasColors } from '../../output/paint.ts';
import type { DevAction } from '../model/dev-action.ts';
import type { DevChange } from '../model/dev-change.ts';
import type { DevState } from '../model/dev-state.ts';
import { LiveView } from './live-view.ts';
import { PlainLines } from './plain-lines.ts';

export interface TerminalOptions {
  readonly context: Pick<Context, 'stdin' | 'stdout' | 'env' | 'now'>;
  /** Print lines even where a live view is possible. */
  readonly plain: boolean;
  /** The current state. */
  readonly state: () => DevState;
  /** Calls back after each change. Returns what ends that. */
  readonly subscribe: (listener: (change: DevChange) => void) => () => void;
  /** Does what a key asks for. Rejects with what to show. */
  readonly act: (action: DevAction) => Promise<void>;
  /** Where the page is; undefined without one. */
  readonly pageUrl: string | undefined;
  /** Called once, when a key asks to end the session. Ctrl-C is a key while keys are read. */
  readonly onQuit: () => void;
  /** Default: the system's. Its time of day is not used: the context has it. */
  readonly clock?: Clock;
}

export interface Terminal {
  /** Prints what is held back, and gives the terminal back. */
  stop(): void;
}

const defaultColumns = 80;

/** Shows a session on standard output until `stop`: a live view on a terminal, lines elsewhere. */
export function startTerminal(options: TerminalOptions): Terminal {
  const { context, plain, subscribe, clock = systemClock } = options;
  const { env, stdout } = context;
  const canMoveCursor = stdout.isTTY && env['TERM'] !== 'dumb' && !env['CI'];
  const view =
    canMoveCursor && !plain
      ? new LiveView({ ...options, clock, hasColors: hasColors(stdout, env) })
      : new PlainLines(options.state(), options.pageUrl, clock, {
          // That of the cluster, as in the objects.
          now: () => new Date(context.now().getTime() + options.state().cluster.ahead * 1000),
          columns: stdout.columns ?? defaultColumns,
          hasColors: hasColors(stdout, env),
          write: (text) => stdout.write(text),
        });
  const unsubscribe = subscribe((change) => view.add(change));
  return {
    stop: () => {
      unsubscribe();
      view.stop();
    },
  };
}
