import { styleText } from 'node:util';
import type { FileSystem } from './scaffold/file-system.ts';

/** The surroundings of one run of the CLI. Nothing in ots reaches for the process, the clock or the disk past it. */
export interface Context {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Absolute path of the directory that the user is in. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether somebody is there to answer a question. */
  readonly interactive: boolean;
  /** The current time. */
  readonly now: () => Date;
  /** Where projects are written; default: the disk. */
  readonly fs?: FileSystem;
}

type Style = Parameters<typeof styleText>[0];

/** Colours a text when the stream is a terminal and NO_COLOR is not set. */
export function paint(stream: NodeJS.WriteStream, style: Style, text: string): string {
  return styleText(style, text, { stream, validateStream: true });
}
