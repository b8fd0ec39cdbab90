import { SourceWatcher } from '../../manifests/watch/source-watcher.ts';
import type { DevSession } from './dev-session.ts';
import type { TypeCheck } from './type-check.ts';

/** How long the files must be unchanged before ots reads them, in milliseconds. */
const quietMs = 10;

/** What follows the sources. */
export interface Following {
  /** Absolute path of the project. */
  readonly root: string;
  /** Generates the manifests. @returns whether any file has changed. @throws OtsError for errors in the sources */
  readonly generate: () => Promise<boolean>;
  readonly types: TypeCheck;
}

/**
 * Applies every change of `src/` and `config/` to a session: generates the manifests, applies them, and starts the operator of the new
 * sources. Does not end.
 *
 * @throws OtsError `WATCH_FAILED`
 */
export async function followSources(
  session: DevSession,
  { root, generate, types }: Following,
): Promise<never> {
  const watcher = new SourceWatcher(root, { src: '.ts', config: '.yaml' }, ['PROJECT']);
  try {
    for (;;) {
      watcher.sync();
      const changed = await watcher.next(quietMs);
      await follow(session, changed, { generate, types });
    }
  } finally {
    watcher.close();
  }
}

async function follow(
  session: DevSession,
  changed: readonly string[],
  { generate, types }: Pick<Following, 'generate' | 'types'>,
): Promise<void> {
  const isSource = changed.some((path) => path.endsWith('.ts') || path === 'PROJECT');
  const isSample = changed.some((path) => path.startsWith('config/samples/'));
  const isConfig = changed.some((path) => path.startsWith('config/') && !path.startsWith('config/samples/'));
  if (isSource) types.start();
  const isGenerated = isSource && (await session.generate(generate));
  if (isGenerated === undefined) return;
  if ((isGenerated || isConfig) && !(await session.install())) return;
  if (isSource || isConfig) await session.restart();
  if (isSample) await session.applySamples();
}
