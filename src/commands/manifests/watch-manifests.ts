import type { Context } from '../../context.ts';
import { InterruptedError } from '../../errors/interrupted-error.ts';
import { SourceWatcher } from '../../manifests/watch/source-watcher.ts';
import { describeError, reportError } from '../../output/report-error.ts';
import type { Plan } from '../../scaffold/plan.ts';
import { projectFile } from '../../scaffold/project-root.ts';
import { projectRoot } from '../shared/in-project.ts';
import { reportOptions } from '../shared/report-options.ts';
import { docsDirectory } from './docs-directory.ts';
import type { ManifestsOptions } from './manifests-options.ts';
import { planManifests } from './plan-manifests.ts';

/** How long the sources must be unchanged before ots reads them. */
const quietMs = 10;

/** How many of the changed files a line names. */
const maxNamedFiles = 3;

/**
 * `ots manifests --watch`: generates now and after every change of the sources, and reports each time in one line. Errors
 * in the sources do not end it.
 *
 * @throws InterruptedError after Ctrl-C or SIGTERM, when the current generation is done
 */
export async function watchManifests(options: ManifestsOptions, context: Context): Promise<void> {
  const root = projectRoot(options, context);
  if (options.docs !== undefined) docsDirectory(options.docs);
  const signal = context.untilSignal();
  const watcher = new SourceWatcher(root, { src: '.ts' }, [projectFile]);
  try {
    if (!options.quiet && !options.json)
      context.stdout.write('Watching src/ and PROJECT for changes; press Ctrl-C to stop\n');
    for (let changed: string[] = []; ;) {
      watcher.sync();
      await run(options, context, changed);
      const next = await Promise.race([signal, watcher.next(quietMs)]);
      if (typeof next === 'string') throw new InterruptedError(next);
      changed = next;
    }
  } finally {
    watcher.close();
  }
}

async function run(options: ManifestsOptions, context: Context, changed: readonly string[]): Promise<void> {
  const start = performance.now();
  try {
    const { plan } = await planManifests(options, context, true);
    report(plan, changed, Math.round(performance.now() - start), options, context);
  } catch (error) {
    if (options.json) writeLine({ changed, ...describeError(error) }, context);
    else {
      context.stderr.write(prefix(changed, context));
      reportError(error, reportOptions(options), context);
    }
  }
}

function report(
  { changes }: Plan,
  changed: readonly string[],
  milliseconds: number,
  options: ManifestsOptions,
  context: Context,
): void {
  if (options.json) {
    const done = changes.map(({ path, action }) => ({ path, action }));
    writeLine({ changed, changes: done, milliseconds }, context);
  } else if (!options.quiet) {
    const done = changes.map(({ path, action }) => `${action} ${path}`).join(', ') || 'nothing to write';
    context.stdout.write(`${prefix(changed, context)}${done} (${milliseconds} ms)\n`);
  }
}

function writeLine(document: object, context: Context): void {
  context.stdout.write(`${JSON.stringify(document)}\n`);
}

function prefix(changed: readonly string[], { now }: Context): string {
  const time = now().toTimeString().slice(0, 8);
  const more = changed.length - maxNamedFiles;
  const names = `${changed.slice(0, maxNamedFiles).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return changed.length === 0 ? `${time} ` : `${time} ${names}: `;
}
