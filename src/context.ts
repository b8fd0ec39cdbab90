import { styleText } from 'node:util';
import type { FileSystem } from './scaffold/file-system.ts';

/** The surroundings of one run of the CLI. Nothing in ots reaches for the process, the clock or the disk past it. */
export interface Context {
  /** Where answers to questions come from; they are asked on stderr. */
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Absolute path of the directory that the user is in. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether somebody is there to answer a question. */
  readonly interactive: boolean;
  /** The current time. */
  readonly now: () => Date;
  /**
   * Waits until somebody asks the process to end, by Ctrl-C or SIGTERM. From the first call on that does not end it any
   * more: the caller does.
   */
  readonly untilSignal: () => Promise<NodeJS.Signals>;
  /** Where projects are written; default: the disk. */
  readonly fs?: FileSystem;
}

type Style = Parameters<typeof styleText>[0];

/** Colours a text when the output is a terminal that shows colours, and NO_COLOR is not set. */
export function paint(context: Context, output: 'stdout' | 'stderr', style: Style, text: string): string {
  const stream = context[output];
  const hasColours = stream.isTTY && stream.getColorDepth(context.env) > 1;
  return hasColours ? styleText(style, text, { validateStream: false }) : text;
}
