import { OtsError } from '../../../errors/ots-error.ts';
import { kebabCase } from '../../../project/names/kebab-case.ts';
import type { Project, Resource } from '../../../project/project.ts';
import { isSameKind } from '../../../project/resource-identity.ts';
import type { Tree } from '../../../scaffold/tree.ts';
import { copyNewestVersion } from '../copy-newest-version.ts';
import { sampleFile, typeFile } from '../paths.ts';
import { ownTags, scaffoldResource } from '../stage-project.ts';
import { scaffoldedFiles } from '../unedited-project.ts';
import { type Scaffold, renderScaffold } from './render-scaffold.ts';

/** What ots may have written into the files of a project: PROJECT does not tell everything. */
export class ScaffoldedTexts {
  readonly #project: Project;
  readonly #source: Tree;
  readonly #scaffold: Scaffold;
  /** What the version of ots wrote that scaffolded the project, which may be another one. */
  readonly #recorded: ReadonlyMap<string, Buffer>;
  #others: Promise<readonly ReadonlyMap<string, string>[]> | undefined;

  /**
   * @param source the project with its sources
   * @param scaffold what the project renders to
   */
  constructor(project: Project, source: Tree, scaffold: Scaffold) {
    this.#project = project;
    this.#source = source;
    this.#scaffold = scaffold;
    this.#recorded = recordedFiles(source);
  }

  /** Whether the author changed a file. A missing file counts as unchanged, and so does one with other line endings. */
  async isEdited(path: string): Promise<boolean> {
    const text = this.#source.read(path)?.replaceAll('\r\n', '\n');
    const scaffolded = this.#scaffold.files.get(path);
    if (text === undefined || text === scaffolded || text === this.#recorded.get(path)?.toString())
      return false;
    if (isKustomization(path) && scaffolded !== undefined && sorted(text) === sorted(scaffolded))
      return false;
    this.#others ??= this.#renderOthers();
    return (await this.#others).every((files) => files.get(path) !== text);
  }

  async #renderOthers(): Promise<ReadonlyMap<string, string>[]> {
    // `ots edit --namespaced` does not edit the tests of controllers.
    const namespaced = !this.#project.namespaced;
    const before = await renderScaffold({ ...this.#project, namespaced }, this.#source);
    const copies = await Promise.all(this.#project.resources.map((resource) => this.#copyOf(resource)));
    return [before.files, ...copies];
  }

  /** A version begins as a copy of another one as its author has it. */
  async #copyOf(resource: Resource): Promise<ReadonlyMap<string, string>> {
    const { resources } = this.#project;
    const earlier = resources.slice(0, resources.indexOf(resource));
    const versions = earlier.filter((other) => other.api && isSameKind(other, resource));
    const [project, source] = [this.#project, this.#source];
    const scaffolded = scaffoldResource(project, resource, source);
    const tags = ownTags(project, resource, versions, source);
    const copy = resource.api && (await copyNewestVersion(source, project, scaffolded, versions, tags));
    if (!copy) return new Map();
    const types = typeFile(project, { ...resource, kindKebab: kebabCase(resource.kind) });
    const texts = [
      [types, copy.types],
      [sampleFile(resource), copy.sample ?? ''],
    ] as const;
    return new Map(texts.map(([path, text]) => [path, text.replaceAll('\r\n', '\n')]));
  }
}

/** A record that cannot be read is reported where commands update it, and is of no help here. */
function recordedFiles(source: Tree): ReadonlyMap<string, Buffer> {
  try {
    return scaffoldedFiles(source) ?? new Map();
  } catch (error) {
    if (error instanceof OtsError) return new Map();
    throw error;
  }
}

/** PROJECT does not tell in which order commands added to a kustomization. */
function isKustomization(path: string): boolean {
  return path.endsWith('/kustomization.yaml');
}

function sorted(text: string): string {
  return text.split('\n').toSorted().join('\n');
}
