import { OtsError } from '../errors/ots-error.ts';
import { type FileSystem, diskFileSystem } from './file-system.ts';
import { type Plan, conflictsIn } from './plan.ts';
import { applyChanges } from './transaction/apply.ts';
import { Lock } from './transaction/lock.ts';
import { type Recovery, needsRecovery, recover } from './transaction/recover.ts';
import { Tree } from './tree.ts';

export interface ExecuteOptions {
  /** The command as the user typed it, without flags. */
  readonly command: string;
  /** Absolute path of the project; it must exist. */
  readonly root: string;
  /** Stop after the plan: write nothing, not even a lock. */
  readonly dryRun: boolean;
  /** Replace files that the author edited. */
  readonly force: boolean;
  readonly fs?: FileSystem;
  /** Asks the user about the plan before it is applied; throws to write nothing. Not called by a dry run. */
  readonly approve?: (plan: Plan) => Promise<void>;
}

/** What staging reports besides the files. */
export interface Staged {
  readonly notes: readonly string[];
  readonly nextSteps: readonly string[];
}

const notesOnRecovery: Record<Recovery, string[]> = {
  nothing: [],
  completed: ['An earlier ots command was interrupted. This one completed its changes.'],
  undone: ['An earlier ots command was interrupted and files changed since. This one reverted its changes.'],
};

/**
 * Runs one command on a project: plan, check, apply. Writes either the whole plan or nothing.
 *
 * @param stage stages all files of the command in the tree, and writes nowhere else
 * @returns the plan; executed unless this is a dry run
 * @throws OtsError `CONFLICT` if it would overwrite files of the author, and errors of staging and applying
 */
export async function execute(
  options: ExecuteOptions,
  stage: (tree: Tree) => Promise<Staged>,
): Promise<Plan> {
  const fs = options.fs ?? diskFileSystem;
  if (options.dryRun) {
    if (needsRecovery(fs, options.root)) throw interrupted();
    return makePlan(options, stage, []);
  }
  const lock = await Lock.acquire(fs, options.root);
  try {
    const recovery = recover(fs, options.root);
    const plan = await makePlan(options, stage, notesOnRecovery[recovery]);
    await options.approve?.(plan);
    applyChanges(fs, plan.root, plan.changes, lock);
    return plan;
  } finally {
    lock.release();
  }
}

async function makePlan(
  options: ExecuteOptions,
  stage: (tree: Tree) => Promise<Staged>,
  recoveryNotes: readonly string[],
): Promise<Plan> {
  const tree = new Tree(options.root, { force: options.force, ...(options.fs && { fs: options.fs }) });
  const { notes, nextSteps } = await stage(tree);
  const changes = tree.changes();
  const conflicts = conflictsIn(changes).map((change) => change.path);
  if (conflicts.length > 0) throw conflict(conflicts);
  return {
    command: options.command,
    root: tree.root,
    changes,
    unchanged: tree.unchanged(),
    notes: [...recoveryNotes, ...notes],
    nextSteps,
  };
}

function conflict(paths: string[]): OtsError {
  return new OtsError('CONFLICT', `These files already exist with different content: ${paths.join(', ')}`, {
    hint: 'Move them away, or overwrite them with --force if the command has this flag. Add --dry-run to see the differences.',
    details: { paths },
  });
}

function interrupted(): OtsError {
  return new OtsError('INTERRUPTED', 'An earlier ots command was interrupted while writing', {
    hint: 'Run any ots command without --dry-run to complete it.',
  });
}
