import type { FileSystem } from './scaffold/file-system.ts';

/** The environment of one CLI invocation: ots uses the process, the clock and the disk only through it. */
export interface Context {
  /** Source of answers to prompts, which are printed to stderr. */
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Absolute path of the current directory. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Whether a terminal can answer prompts. */
  readonly interactive: boolean;
  /** The current time. */
  readonly now: () => Date;
  /**
   * Waits for Ctrl-C, SIGTERM, the end of the terminal (SIGHUP), or a reader of stdout that is gone (SIGPIPE). After the first call these
   * no longer end the process: the caller must.
   */
  readonly untilSignal: () => Promise<NodeJS.Signals>;
  /** File system of the projects; default: the disk. */
  readonly fs?: FileSystem;
}
