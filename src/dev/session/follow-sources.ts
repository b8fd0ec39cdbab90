import { SourceWatcher } from '../../manifests/watch/source-watcher.ts';
import type { DevSession } from './dev-session.ts';
import type { TypeCheck } from './type-check.ts';

/** How long the files must be unchanged before ots reads them, in milliseconds. */
const quietMs = 10;

/** What follows the sources. */
export interface Following {
  /** Watches `src/` and `config/`; what changed since its last `sync` counts. */
  readonly watcher: SourceWatcher;
  /** Generates the manifests. @throws OtsError for errors in the sources */
  readonly generate: () => Promise<void>;
  readonly types: TypeCheck;
}

/** Watches what a session follows. Changes from now on count. @param root absolute path of the project */
export function watchSources(root: string): SourceWatcher {
  const watcher = new SourceWatcher(root, { src: '.ts', config: '.yaml' }, ['PROJECT']);
  watcher.sync();
  return watcher;
}

/**
 * Applies every change of `src/` and `config/` to a session: generates the manifests, applies them, and starts the operator of the new
 * sources. Does not end; without the watcher it waits forever.
 *
 * @throws OtsError `WATCH_FAILED`
 */
export async function followSources(
  session: DevSession,
  { watcher, generate, types }: Following,
): Promise<never> {
  types.start();
  for (;;) {
    const changed = await watcher.next(quietMs);
    watcher.sync();
    await follow(session, changed, { generate, types });
  }
}

async function follow(
  session: DevSession,
  changed: readonly string[],
  { generate, types }: Pick<Following, 'generate' | 'types'>,
): Promise<void> {
  const isSource = changed.some((path) => path.endsWith('.ts') || path === 'PROJECT');
  const isSample = changed.some((path) => path.startsWith('config/samples/'));
  if (isSource) types.start();
  if (isSource && !(await session.generate(generate))) return;
  if (!(await session.install())) return;
  if (isSource || session.isOutdated) await session.restart();
  if (isSample) await session.applySamples();
}
