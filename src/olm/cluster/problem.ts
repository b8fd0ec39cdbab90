/** Why OLM does not do what it should. */
export interface Problem {
  /** What is wrong, one line. */
  readonly problem: string;
  /** What to do about it, one line. */
  readonly hint: string;
  /** Events and lines of logs that show the cause. */
  readonly evidence?: readonly string[];
  /** Whether waiting cannot help. */
  readonly isFinal?: boolean;
  /** Waiting longer than this while nothing changes cannot help, in milliseconds. */
  readonly giveUpAfter?: number;
}
