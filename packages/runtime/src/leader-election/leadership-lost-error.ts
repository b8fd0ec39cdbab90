import { RuntimeError } from '../errors/runtime-error.ts';

/**
 * This process is the leader no more, or may not be: another replica may work by now. The reason of the signals of
 * leader-elected work, what a write of such work throws, and what `manager.start` rejects with.
 */
export class LeadershipLostError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'LEADERSHIP_LOST';

  /** @param why what happened, in words. */
  constructor(why: string, cause?: unknown) {
    super(
      `leadership was lost: ${why}`,
      'End the process, and let it be started anew; look for a slow API server or a blocked event loop.',
      cause,
    );
  }
}
