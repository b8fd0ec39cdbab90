import type { Cluster } from '../../deploy/cluster.ts';
import { Deadline } from '../../deploy/poll.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';

/** In milliseconds. */
const undoTimeout = 30_000;

/** What to do after a failure. */
export interface UndoOptions {
  readonly packageName: string;
  readonly namespace: string;
  /** Leaves everything as it is. Default: false. */
  readonly keep?: boolean | undefined;
  /** Aborts when the user does not want to wait any longer. */
  readonly undoSignal: () => AbortSignal;
  /** Deletes what the work has created. */
  readonly undo: (cluster: Cluster, deadline: Deadline) => Promise<unknown>;
  /** Learns that everything is deleted. */
  readonly onUndone: () => void;
}

/**
 * Does something in a cluster, and deletes what it has created if it fails, also if the user has interrupted it.
 *
 * @throws the error of the work, which says what is left if not everything could be deleted
 */
export async function orUndo(
  cluster: Cluster,
  options: UndoOptions,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (options.keep) throw error;
    try {
      await options.undo({ client: cluster.client, signal: options.undoSignal() }, new Deadline(undoTimeout));
    } catch (undone) {
      throw withLeftovers(error, undone, options);
    }
    options.onUndone();
    throw error;
  }
}

function withLeftovers(error: unknown, undone: unknown, { packageName, namespace }: UndoOptions): unknown {
  if (!(error instanceof OtsError)) return error;
  const { code, message, hint, details } = error;
  const problem = undone instanceof OtsError ? oneLine(undone.message) : 'interrupted';
  const why = problem === message ? '' : ` (${problem})`;
  const command = `ots cleanup ${oneLine(packageName)} -n ${namespace}`;
  return new OtsError(code, message, {
    hint: `${hint} What the command created is still there${why}: run ${command}.`,
    cause: error,
    ...(details && { details }),
  });
}
