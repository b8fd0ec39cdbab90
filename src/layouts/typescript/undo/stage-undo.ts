import { posix } from 'node:path';
import { OtsError } from '../../../errors/ots-error.ts';
import { apiGroup } from '../../../project/names/api-group.ts';
import { kebabCase } from '../../../project/names/kebab-case.ts';
import type { Project, Resource } from '../../../project/project.ts';
import { isSameKind } from '../../../project/resource-identity.ts';
import type { Tree } from '../../../scaffold/tree.ts';
import { textDiff } from '../../../output/unified-diff.ts';
import { isTortureTest, typeFile } from '../paths.ts';
import { findingTestsOf } from '../stage-torture-test.ts';
import { type Departure, emptiedDirectories, findUses, kindKey } from './find-uses.ts';
import { type ReferenceRules, type ReducedFile, reduceFile } from './reduce-file.ts';
import { type EntryRules, hasEntries, reduceLists } from './reduce-lists.ts';
import { type Scaffold, renderScaffold } from './render-scaffold.ts';
import { ScaffoldedTexts } from './scaffolded-texts.ts';

/** The largest number of files or uses that an error lists. */
const maxListed = 8;

/**
 * Stages a project without a part of it: files that only that part has leave, and what it added to other files too. The difference
 * between two scaffolds, with the part and without it, decides what that is. The author's edits of other files stay.
 *
 * @param before the model of PROJECT with the part
 * @param after the model without it
 * @param what names the part in errors
 * @returns notes for the user
 * @throws OtsError `EDITED_FILES` if the author edited files that leave and --force is not set, `IN_USE` if something else uses what
 *   leaves, `LINES_CHANGED` if the author changed lines that leave from a file
 */
export async function stageUndo(
  tree: Tree,
  before: Project,
  after: Project,
  what: string,
): Promise<string[]> {
  const [had, has] = [await renderScaffold(before, tree), await renderScaffold(after, tree)];
  const leaving = [...had.files.keys()].filter((path) => !has.files.has(path));
  const kept = extendedKustomizations(tree, had, leaving);
  const gone = new Set(leaving.filter((path) => !kept.has(path)));
  const edited = await editedFiles(tree, before, had, gone);
  if (edited.length > 0 && !tree.force) throw editedFilesError(edited);

  const departure = departureOf(tree, before, after, had, has, gone);
  const rules = referenceRules(departure, kept);
  const missing = [...gone].filter((path) => !tree.exists(path));
  const tests = [...gone].filter(isTortureTest).flatMap((path) => findingTestsOf(tree, path));
  for (const path of [...gone, ...tests]) if (tree.exists(path)) tree.remove(path);
  stageReduced(tree, had, has, rules, storedElsewhere(tree, before, after));
  for (const path of kept.keys()) {
    const text = tree.read(path) ?? '';
    tree.edit(
      path,
      () => reduceLists(text, had.files.get(path) ?? '', undefined, rules.entriesOf(path)) ?? text,
    );
  }
  const uses = [...findUses(tree, departure), ...handwrittenWebhooks(tree, gone)];
  if (uses.length > 0) throw inUse(what, uses);
  return notesOf(edited, missing, [...kept.keys()]);
}

/** The kustomizations that leave the scaffold, but to which the author added entries. */
function extendedKustomizations(tree: Tree, had: Scaffold, leaving: readonly string[]): Map<string, string> {
  const gone = new Set(leaving);
  const rules = referenceRules({ paths: gone, definitions: new Set(), kinds: new Set() }, new Map());
  const extended = new Map<string, string>();
  for (const path of leaving) {
    const text = tree.read(path);
    if (text === undefined || posix.basename(path) !== 'kustomization.yaml') continue;
    const rest = reduceLists(text, had.files.get(path) ?? '', undefined, rules.entriesOf(path));
    if (rest !== undefined && hasEntries(rest)) extended.set(path, rest);
  }
  return extended;
}

async function editedFiles(
  tree: Tree,
  project: Project,
  scaffold: Scaffold,
  gone: ReadonlySet<string>,
): Promise<string[]> {
  const texts = new ScaffoldedTexts(project, tree, scaffold);
  const edited: string[] = [];
  for (const path of gone) if (await texts.isEdited(path)) edited.push(path);
  return edited;
}

function departureOf(
  tree: Tree,
  before: Project,
  after: Project,
  had: Scaffold,
  has: Scaffold,
  gone: ReadonlySet<string>,
): Departure {
  const generated = [...had.generated].filter((path) => !has.generated.has(path));
  const paths = new Set([...gone, ...generated]);
  const left = before.resources.filter(
    ({ api, ...resource }) =>
      api && !after.resources.some((other) => other.api && isSameVersion(other, resource)),
  );
  const isLast = (resource: Resource): boolean =>
    !after.resources.some((other) => other.api && isSameKind(other, resource));
  return {
    paths: new Set([...paths, ...emptiedDirectories(tree, paths)]),
    definitions: new Set(left.filter(isLast).map((resource) => `${resource.plural}.${apiGroup(resource)}`)),
    kinds: new Set(
      left.map((resource) => kindKey(`${apiGroup(resource)}/${resource.version}`, resource.kind)),
    ),
  };
}

function isSameVersion(a: Pick<Resource, 'group' | 'domain' | 'kind' | 'version'>, b: typeof a): boolean {
  return isSameKind(a, b) && a.version === b.version;
}

/** A kustomization refers to files and directories by relative paths, in entries or in their key `path`. */
function referenceRules({ paths }: Departure, kept: ReadonlyMap<string, string>): ReferenceRules {
  const keptDirectories = new Set([...kept.keys()].map((path) => posix.dirname(path)));
  const entriesOf = (path: string): EntryRules => {
    const target = (entry: unknown): string => {
      const value = typeof entry === 'object' && entry && 'path' in entry ? entry.path : entry;
      return typeof value === 'string' ? posix.join(posix.dirname(path), value) : '';
    };
    return {
      isGone: (entry) => paths.has(target(entry)),
      isKept: (entry) => keptDirectories.has(target(entry)),
    };
  };
  return { isGone: (path) => paths.has(path), entriesOf, hasKept: kept.size > 0 };
}

/**
 * The types in which the tag @storageVersion does not move: the author has chosen a storage version among those that remain.
 */
function storedElsewhere(tree: Tree, before: Project, after: Project): ReadonlySet<string> {
  const versions = after.resources.filter(({ api }) => api);
  const fileOf = (resource: Resource): string =>
    typeFile(before, { ...resource, kindKebab: kebabCase(resource.kind) });
  const stored = versions.filter((version) => storageTag.test(tree.read(fileOf(version)) ?? ''));
  const settled = versions.filter((version) => stored.some((other) => isSameKind(other, version)));
  return new Set(settled.map(fileOf));
}

const storageTag = /^\s*(?:\*|\/\/)\s*(?:@storageVersion|\+kubebuilder:storageversion)\b/m;

function stageReduced(
  tree: Tree,
  had: Scaffold,
  has: Scaffold,
  rules: ReferenceRules,
  settled: ReadonlySet<string>,
): void {
  const failed: ReducedFile[] = [];
  for (const [path, before] of had.files) {
    const after = has.files.get(path);
    const text = tree.read(path);
    if (after === undefined || after === before || text === undefined || settled.has(path)) continue;
    const file = { path, text, before, after };
    const reduced = reduceFile(file, rules);
    if (reduced === undefined) failed.push(file);
    else tree.edit(path, () => reduced);
  }
  if (failed.length > 0) throw linesChanged(failed);
}

/** The author can have webhooks that PROJECT does not know: they need what the last webhook of PROJECT would delete. */
function handwrittenWebhooks(tree: Tree, gone: ReadonlySet<string>): string[] {
  if (!gone.has('config/webhook/kustomization.yaml')) return [];
  const tag = /^\s*(?:\*|\/\/|\/\*\*)\s*(?:@webhook|\+kubebuilder:webhook)\b/;
  return tree
    .list('src')
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const line = (tree.read(path) ?? '').split('\n').findIndex((text) => tag.test(text));
      return line < 0 ? [] : [`${path}:${line + 1} has a webhook, which needs config/webhook`];
    });
}

function notesOf(edited: readonly string[], missing: readonly string[], kept: readonly string[]): string[] {
  return [
    ...(edited.length > 0 ? [`Deleted with your edits: ${edited.join(', ')}.`] : []),
    ...(missing.length > 0 ? [`Already missing: ${missing.join(', ')}.`] : []),
    ...kept.map((path) => `${path} stays, because you added entries to it.`),
  ];
}

function listed(items: readonly string[]): string {
  const rest = items.length - maxListed;
  return rest > 0 ? `${items.slice(0, maxListed).join(', ')} and ${rest} more` : items.join(', ');
}

function editedFilesError(paths: string[]): OtsError {
  const subject =
    paths.length === 1 ? 'A file that would be deleted has' : 'Files that would be deleted have';
  return new OtsError('EDITED_FILES', `${subject} changed since ots wrote it: ${listed(paths)}`, {
    hint: 'Add --force to delete your edits too, or move them to other files first. --dry-run --force shows them.',
    details: { paths },
  });
}

function inUse(what: string, uses: string[]): OtsError {
  return new OtsError('IN_USE', `${what} is in use: ${listed(uses)}`, {
    hint: 'Change these lines first, and run the command again.',
    details: { uses },
  });
}

/** Says which lines to remove by hand. */
function linesChanged(files: readonly ReducedFile[]): OtsError {
  const diffs = files.map(({ path, before, after }) => textDiff(`a/${path}`, `b/${path}`, before, after));
  const paths = files.map(({ path }) => path);
  return new OtsError('LINES_CHANGED', `You changed lines that ots would remove, in ${listed(paths)}`, {
    hint: `Make these changes by hand, and run the command again:\n${diffs.join('')}`,
    details: { paths, diffs },
  });
}
