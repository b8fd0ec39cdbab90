import { kebabCase } from '../../project/names/kebab-case.ts';
import type { Project, Resource } from '../../project/project.ts';
import { apiGroup } from '../../project/names/api-group.ts';
import type { Tree } from '../../scaffold/tree.ts';
import { copyKind } from './copy-kind.ts';
import { formatAs } from './format-long-lines.ts';
import { sampleFile, typeDirectory, typeFile } from './paths.ts';
import type { ScaffoldResource } from './resource-variables.ts';

/** A version of a kind that begins as a copy of another one. */
export interface VersionCopy {
  /** The file that its types were copied from. */
  readonly from: string;
  readonly types: string;
  /** Its sample; undefined when the other version has none. */
  readonly sample: string | undefined;
  /** What the copy has not, or not for itself, in a line each. */
  readonly notes: readonly string[];
}

/**
 * Copies the types and the sample of a version of a kind.
 *
 * @param resource the new version
 * @param version the one that is copied
 * @param tags further tags of the kind, such as `@shortName jw`
 * @returns undefined when no file of that version declares the kind so that it can be read
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
  { left, shared }: { left: readonly string[]; shared: readonly string[] },
  { kind, version }: ScaffoldResource,
  other: Resource,
  from: string,
): string[] {
  const notes = [`${kind} ${version} starts with the types of ${other.version} (${from}).`];
  if (left.length > 0) notes.push(`Not copied, because they are not types of ${kind}: ${left.join(', ')}.`);
  if (shared.length > 0) {
    notes.push(`Both versions import ${shared.join(', ')}: changes there affect both.`);
  }
  return notes;
}

/** The sample of a version with the names of another one, as its author wrote it. */
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
