import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, stringify } from 'yaml';
import { OtsError } from '../errors/ots-error.ts';
import { completeResource, mergeResources } from './merge-resource.ts';
import { checkDomain } from './names/check-domain.ts';
import { checkProjectName } from './names/check-project-name.ts';
import { checkRepo } from './names/check-repo.ts';
import { parseProject } from './parse-project.ts';
import { type Project, type Resource, type ResourceInput, projectLayout, projectVersion } from './project.ts';
import { applyChange, resourceData } from './resource-data.ts';
import { isInUse } from './reduce-resource.ts';
import { isSameResource } from './resource-identity.ts';
import { type Data, isData } from './yaml/data.ts';
import { readDocument } from './yaml/read-document.ts';
import { YamlEditor } from './yaml/yaml-editor.ts';

/** The settings of a new PROJECT. */
export type NewProject = Pick<Project, 'domain' | 'projectName' | 'repo'> &
  Partial<Pick<Project, 'multigroup' | 'namespaced' | 'cliVersion'>>;

/** The keys that commands change in an existing project. */
export type ProjectKey = 'domain' | 'projectName' | 'repo' | 'multigroup' | 'namespaced' | 'cliVersion';

const header = `# PROJECT records what ots has made here, and every ots command reads it first.
# Comments, order and keys of your own survive when ots adds to it; change entries by hand only together with the
# files they stand for.
`;

/** The PROJECT file: its model, and changes that keep the rest of its text. */
export class ProjectFile {
  #text = '';
  #document!: Document.Parsed;
  #project!: Project;

  private constructor(text: string) {
    this.#load(text);
  }

  /**
   * @throws {OtsError} with line and column, for what {@link readDocument} and {@link parseProject} reject
   */
  static parse(text: string): ProjectFile {
    return new ProjectFile(text);
  }

  /**
   * Creates the PROJECT of a new project.
   *
   * @throws {OtsError} of the name rules, when a value breaks one
   */
  static create(options: NewProject): ProjectFile {
    checkDomain(options.domain);
    checkProjectName(options.projectName);
    checkRepo(options.repo);
    const data = {
      ...(options.cliVersion === undefined ? {} : { cliVersion: options.cliVersion }),
      domain: options.domain,
      layout: [projectLayout],
      ...(options.multigroup ? { multigroup: true } : {}),
      ...(options.namespaced ? { namespaced: true } : {}),
      projectName: options.projectName,
      repo: options.repo,
      version: projectVersion,
    };
    return new ProjectFile(header + stringify(data, { indentSeq: false, lineWidth: 0 }));
  }

  /** The model of the file; frozen, and a new object after every change. */
  get project(): Project {
    return this.#project;
  }

  /**
   * Records a resource, or merges it into the entry with the same group, domain, version and kind: true stays true,
   * controllers and spokes are united, and later paths win.
   *
   * @throws {OtsError} `PLURAL_DIFFERS`, `PROJECT_NOT_EDITABLE`, or what {@link ProjectFile.parse} throws
   */
  addOrMergeResource(input: ResourceInput): void {
    const added = completeResource(input);
    const { resources, multigroup } = this.#project;
    const index = resources.findIndex((resource) => isSameResource(resource, added));
    const known = resources[index];
    const merged = known ? mergeResources(known, added, multigroup) : added;
    this.#edit((data) => {
      const entries = Array.isArray(data['resources']) ? data['resources'].filter(isData) : [];
      const entry = applyChange(entries[index] ?? {}, known ? resourceData(known) : {}, resourceData(merged));
      return { ...data, resources: known ? entries.with(index, entry) : [...entries, entry] };
    });
  }

  /**
   * Replaces the entry of a resource by what is left of it, or removes the entry if that is nothing.
   *
   * @param known a resource of {@link project}
   * @throws {OtsError} `PROJECT_NOT_EDITABLE`, or what {@link ProjectFile.parse} throws
   */
  reduceResource(known: Resource, left: Resource): void {
    const index = this.#project.resources.indexOf(known);
    this.#edit(({ resources, ...data }) => {
      const entries = Array.isArray(resources) ? resources.filter(isData) : [];
      const entry = applyChange(entries[index] ?? {}, resourceData(known), resourceData(left));
      const rest = isInUse(left) ? entries.with(index, entry) : entries.toSpliced(index, 1);
      return rest.length > 0 ? { ...data, resources: rest } : data;
    });
  }

  /**
   * Changes one key of the project itself. A key that becomes false leaves.
   *
   * @throws {OtsError} `PROJECT_NOT_EDITABLE`, or what {@link ProjectFile.parse} throws
   */
  set<K extends ProjectKey>(key: K, value: NonNullable<Project[K]>): void {
    if (this.#project[key] === value) return;
    this.#edit((data) => (value === false ? without(data, key) : { ...data, [key]: value }));
  }

  /**
   * Records that the project uses a plugin. Data of the plugin that is there stays.
   *
   * @throws {OtsError} `PROJECT_NOT_EDITABLE`, or what {@link ProjectFile.parse} throws
   */
  addPlugin(name: string): void {
    const { plugins } = this.#project;
    if (!Object.hasOwn(plugins, name))
      this.#edit((data) => ({ ...data, plugins: { ...plugins, [name]: {} } }));
  }

  /**
   * Records that the project no longer uses a plugin.
   *
   * @throws {OtsError} `PROJECT_NOT_EDITABLE`, or what {@link ProjectFile.parse} throws
   */
  removePlugin(name: string): void {
    const plugins = without(this.#project.plugins, name);
    const isLast = Object.keys(plugins).length === 0;
    this.#edit((data) => (isLast ? without(data, 'plugins') : { ...data, plugins }));
  }

  /** The text to write: the parsed text with the changes. */
  toString(): string {
    return this.#text;
  }

  #edit(change: (data: Data) => Data): void {
    const map = this.#document.contents;
    const before: unknown = this.#document.toJS();
    if (!isMap(map) || !isData(before)) return;
    const after = change(before);
    const text = new YamlEditor(this.#text, this.#document).edit(map, before, after);
    const edited = readDocument(text);
    if (!isDeepStrictEqual(edited.toJS(), after)) {
      throw new OtsError('PROJECT_NOT_EDITABLE', 'ots cannot change PROJECT in its current layout', {
        hint: 'Write its lists and maps in block style, one "key: value" per line.',
      });
    }
    this.#load(text, edited);
  }

  #load(text: string, document = readDocument(text)): void {
    this.#project = parseProject(text, document);
    this.#document = document;
    this.#text = text;
  }
}

function without(data: Readonly<Data>, key: string): Data {
  return Object.fromEntries(Object.entries(data).filter(([name]) => name !== key));
}
