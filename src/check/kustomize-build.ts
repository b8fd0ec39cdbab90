import { join, posix, relative, sep } from 'node:path';
import type { KubernetesObject } from 'ots-kubernetes';
import { OtsError } from '../errors/ots-error.ts';
import type { Place, Problem } from './finding.ts';
import { type WrongField, decodeObjects } from './decode-objects.ts';
import type { DeployedObject } from './deployed-object.ts';
import { keysOf } from './field-path.ts';
import type { KustomizationEntry } from './kustomizations.ts';
import type { ProjectView } from './project-view.ts';

/** What became of a kustomization. */
export type Build =
  | {
      /** With the fields of their kinds only, of the right types. */
      readonly objects: readonly DeployedObject[];
      readonly wrongFields: readonly WrongField[];
    }
  | { readonly problem: Problem }
  /** Why it could not be built here, or that another rule reports why. */
  | { readonly skipped: string };

/**
 * Builds a kustomization in this process. What only kustomize can build, kubectl or kustomize builds, if one of them is installed.
 *
 * @param directory project-relative
 */
export async function buildRoot(view: ProjectView, directory: string): Promise<Build> {
  const parts = view.kustomizations.closure(directory);
  const [root] = parts;
  if (!root) return { skipped: `${directory} has no kustomization that can be read` };
  const entries = parts.flatMap((part) => part.entries);
  const obstacle = obstacleTo(view, entries);
  if (obstacle !== undefined) return { skipped: `${directory} ${obstacle}` };
  if (entries.some(({ target }) => target === undefined)) return buildOutside(view, root.file, directory);
  const { readObjects } = await import('ots-apiserver/kustomize');
  const { InstallError } = await import('ots-apiserver');
  try {
    const manifests = await readObjects(join(view.root, directory));
    return decodeObjects(
      manifests.map(({ object, file, document }) => ({
        object: object as unknown as KubernetesObject,
        source: { file: projectPath(view, file), document: document - 1 },
      })),
    );
  } catch (error) {
    if (!(error instanceof InstallError)) throw error;
    if (error.problem.includes('not supported')) return buildOutside(view, root.file, directory);
    return { problem: problemOf(view, error.problem, root.file) };
  }
}

/** What would stop the reader here, or make it read for minutes. Other rules report it. */
function obstacleTo(view: ProjectView, entries: readonly KustomizationEntry[]): string | undefined {
  const named = entries.flatMap(({ target }) => target ?? []);
  const isHarmful = named.some((target) => view.exists(target) && !view.isHarmless(target));
  const isUnreadable = view.unreadable.some(({ file }) => named.includes(posix.dirname(file)));
  if (isHarmful || isUnreadable) return 'has files that cannot be read';
  const missing = entries.find((entry) => isMissing(view, entry));
  return missing && `needs ${missing.target}, which is not there`;
}

function isMissing(view: ProjectView, { key, target }: KustomizationEntry): boolean {
  if (target === undefined || view.exists(target)) return false;
  const isBuilt = ['resources', 'components', 'bases'].includes(key);
  return isBuilt ? !view.kustomizations.of(target) : view.list(target).length === 0;
}

/** Builds with the program of the author. */
async function buildOutside(view: ProjectView, file: string, directory: string): Promise<Build> {
  const { buildWithKustomize, parseObjects } = await import('../deploy/kustomize.ts');
  try {
    const text = await buildWithKustomize(directory, { root: view.root, env: view.options.env });
    const objects = parseObjects(text) as unknown as KubernetesObject[];
    return decodeObjects(objects.map((object) => ({ object, source: undefined })));
  } catch (error) {
    if (!(error instanceof OtsError)) throw error;
    if (error.code !== 'KUSTOMIZE_FAILED' && error.code !== 'INVALID_BUILD')
      return { skipped: `${directory} needs kustomize: ${error.message}` };
    return { problem: { file, line: 1, severity: 'error', message: error.message, hint: error.hint } };
  }
}

/** The reader names files by their absolute paths. */
function problemOf(view: ProjectView, text: string, root: string): Problem {
  const message = text.replaceAll(`${view.root}${sep}`, '').split('\n')[0]!;
  const named = /^(\S+) (?:cannot be installed|is not a manifest)/.exec(message)?.[1];
  const file = named !== undefined && view.exists(named) ? named : root;
  const hint = `Correct ${file}. To see what kustomize says, run kubectl kustomize on its directory.`;
  const [, field = ''] = /cannot be installed: ([\w[\].]+) /.exec(message) ?? [];
  return {
    ...view.place(file, 0, keysOf(field)),
    severity: 'error',
    message: message.replace(' cannot be installed', ' cannot be built'),
    hint,
  };
}

function projectPath(view: ProjectView, file: string): string {
  return relative(view.root, file).replaceAll(sep, '/');
}

/** Where a value of an object comes from. @param root the kustomization, for objects whose file is not known */
export function placeOf(
  view: ProjectView,
  { source }: DeployedObject,
  root: string,
  path: readonly (string | number)[],
): Place {
  if (source) return view.place(source.file, source.document, path);
  return { file: view.kustomizations.of(root)?.file ?? root, line: 1 };
}
