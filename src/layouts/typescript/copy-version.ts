import { kebabCase } from '../../project/names/kebab-case.ts';
import type { Project, Resource } from '../../project/project.ts';
import { apiGroup } from '../../project/names/api-group.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { copyKind } from './copy-kind.ts';
import { formatAs } from './format-long-lines.ts';
import { sampleFile, typeDirectory, typeFile } from './paths.ts';
import type { ScaffoldResource } from './resource-variables.ts';

/** A version of a kind that begins as a copy of another version. */
export interface VersionCopy {
  /** The file that its types were copied from. */
  readonly from: string;
  readonly types: string;
  /** Its sample; undefined if the other version has none. */
  readonly sample: string | undefined;
  /** What the copy lacks or shares with the original, one line each. */
  readonly notes: readonly string[];
}

/**
 * Copies the types and the sample of a version of a kind.
 *
 * @param resource the new version
 * @param version the version to copy
 * @param tags further tags of the kind, such as `@shortName jw`
 * @returns undefined if no file of that version declares the kind in a readable form
 */
export async function copyVersion(
  tree: Tree,
  project: Project,
  resource: ScaffoldResource,
  version: Resource,
  tags: readonly string[],
): Promise<VersionCopy | undefined> {
  const { group, kind } = resource;
  const kindKebab = kebabCase(kind);
  const to = typeFile(project, { ...resource, kindKebab });
  const usual = typeFile(project, { ...version, kindKebab });
  const directory = version.path ?? typeDirectory(project, group, version.version);
  for (const from of new Set([usual, ...tree.list(directory)])) {
    if (!from.endsWith('.ts') || from.endsWith('.test.ts')) continue;
    const names = {
      group: apiGroup(resource),
      kind,
      fromVersion: version.version,
      toVersion: resource.version,
    };
    const copy = copyKind(tree, { ...names, from, to, tags });
    if (!copy) continue;
    const types = copy.isShorter ? await formatAs(from, tree.read(from) ?? '', copy.text) : copy.text;
    const sample = copySample(tree, resource, version);
    return { from, types, sample, notes: notesOf(copy, resource, version, from) };
  }
  return undefined;
}

function notesOf(
  { leftOut, shared }: { leftOut: readonly string[]; shared: readonly string[] },
  { kind, version }: ScaffoldResource,
  other: Resource,
  from: string,
): string[] {
  const notes = [`${kind} ${version} starts with the types of ${other.version} (${from}).`];
  if (leftOut.length > 0)
    notes.push(`Not copied, because they are not types of ${kind}: ${leftOut.join(', ')}.`);
  if (shared.length > 0) {
    notes.push(`Both versions import ${shared.join(', ')}: changes there affect both.`);
  }
  return notes;
}

/** Copies the author's sample of a version, with the names of the other version. */
function copySample(tree: Tree, resource: ScaffoldResource, version: Resource): string | undefined {
  const text = tree.read(sampleFile(version));
  const group = apiGroup(resource).replaceAll('.', '\\.');
  const name = `${resource.kind.toLowerCase()}-${version.version}-sample`;
  return text
    ?.replaceAll(
      new RegExp(`^(\\s*apiVersion:\\s*['"]?${group}/)${version.version}(?=['"]?\\s*$)`, 'gm'),
      `$1${resource.version}`,
    )
    .replaceAll(name, `${resource.kind.toLowerCase()}-${resource.version}-sample`);
}
