import { posix } from 'node:path';
import { closestName } from 'ots-apimachinery/closest-name';
import { didYouMean } from '../../project/names/did-you-mean.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { removeEntry } from '../fixes/remove-entry.ts';
import type { Problem } from '../finding.ts';
import type { Kustomization, KustomizationEntry } from '../kustomizations.ts';
import type { ProjectView } from '../project-view.ts';

/** Checks that what kustomizations name exists, and that files are named. */
export function checkKustomizationEntries(view: ProjectView): Problem[] {
  return [
    ...view.kustomizations.all.flatMap((kustomization) =>
      kustomization.entries.flatMap((entry) => missingTarget(view, kustomization, entry)),
    ),
    ...unnamedFiles(view),
  ];
}

function missingTarget(
  view: ProjectView,
  kustomization: Kustomization,
  entry: KustomizationEntry,
): Problem[] {
  const { file, directory } = kustomization;
  const { target, text, key, path } = entry;
  if (target === undefined || view.exists(target) || isUnreadable(view, target)) return [];
  // The rule about generated files reports it.
  if (view.manifests?.files.has(target)) return [];
  const below = view.list(target);
  const isBuilt = ['resources', 'components', 'bases'].includes(key);
  if (below.length > 0 && (!isBuilt || view.kustomizations.of(target) || hasKustomization(below, target)))
    return [];
  const place = view.place(file, 0, path);
  if (below.length > 0) {
    const message = `${key} names ${text}, which has no kustomization.yaml`;
    return [{ ...place, severity: 'error', message, hint: `Add one, or name the files of ${target}.` }];
  }
  const near = closestName(
    posix.basename(text),
    view.list(posix.dirname(target)).map((each) => posix.basename(each)),
  );
  const isFixable = near === undefined && (key === 'resources' || key === 'components');
  return [
    {
      ...place,
      severity: 'error',
      message: `${key} names ${text}, which does not exist in ${directory}`,
      hint: didYouMean(near, 'Correct the path, restore the file, or remove the entry.'),
      ...(isFixable && { fix: (tree: Tree) => tree.edit(file, (before) => removeEntry(before, key, text)) }),
    },
  ];
}

/** A link to outside of the project, for example, which is reported as such. */
function isUnreadable(view: ProjectView, target: string): boolean {
  return view.unreadable.some(({ file }) => file === target);
}

function hasKustomization(files: readonly string[], directory: string): boolean {
  return files.some(
    (file) => posix.dirname(file) === directory && /^kustomization\.ya?ml$/i.test(posix.basename(file)),
  );
}

/** Whether a text has a path as a word of its own. */
function namesFile(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (endsWord(text[at - 1]) && endsWord(text[at + name.length])) return true;
  return false;
}

/** Whether a character, or the end of a text, can be beside a path. */
function endsWord(character: string | undefined): boolean {
  return character === undefined || /[\s"'[\],/#]/.test(character);
}

/** Manifests that take no part in any kustomization: they look deployed and are not. */
function unnamedFiles(view: ProjectView): Problem[] {
  const { kustomizations, manifests } = view;
  const { targets } = kustomizations;
  const texts = new Map<string, string>();
  return view.list('config').flatMap((file): Problem[] => {
    if (!/\.ya?ml$/.test(file) || /^kustomization\.ya?ml$/.test(posix.basename(file)) || targets.has(file))
      return [];
    const above = kustomizations.above(file);
    // What is no longer generated will be deleted.
    if (!above || manifests?.orphans.includes(file)) return [];
    // Options such as helmCharts, generators or crds also name files.
    const text = texts.get(above.file) ?? view.read(above.file) ?? '';
    texts.set(above.file, text);
    const name = posix.relative(above.directory, file);
    if (namesFile(text, name)) return [];
    return [
      {
        file,
        line: 1,
        severity: 'warning',
        message: `${above.file} does not name ${name}, so it is not part of any build`,
        hint: `Add "${name}" to the resources of ${above.file}, or delete the file.`,
      },
    ];
  });
}
