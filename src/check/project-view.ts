import { OtsError } from '../errors/ots-error.ts';
import { oneLine } from '../output/one-line.ts';
import type { ManifestResult, generateManifests } from '../manifests/generate-manifests.ts';
import type { Baseline } from '../manifests/compat/read-baseline.ts';
import type { Project } from '../project/project.ts';
import { ProjectFile } from '../project/project-file.ts';
import { projectFile } from '../scaffold/project-root.ts';
import type { Tree } from '../scaffold/tree.ts';
import type { Place, Problem, SkippedCheck } from './finding.ts';
import { type Build, buildRoot } from './kustomize-build.ts';
import { Kustomizations } from './kustomizations.ts';
import { Sources } from './source/sources.ts';
import { YamlFile, YamlError, problemOfText } from './yaml-file.ts';

/** What the checks read besides the files of the project. */
export interface CheckOptions {
  readonly env: NodeJS.ProcessEnv;
  /** The CRDs of `--compat`; undefined without it. */
  readonly compat?: { readonly revision: string; readonly baselines: readonly Baseline[] };
}

/** A project as the rules see it: each file is read and parsed once. A file that cannot be read counts as missing, and is reported. */
export class ProjectView {
  readonly options: CheckOptions;
  /** Absolute path of the project. */
  readonly root: string;
  readonly skipped: SkippedCheck[] = [];
  readonly #tree: Tree;
  readonly #generateManifests: typeof generateManifests;
  readonly #unreadable = new Map<string, Problem>();
  readonly #yaml = new Map<string, YamlFile | undefined>();
  readonly #builds = new Map<string, Promise<Build>>();
  #project: { readonly project?: Project; readonly error?: OtsError } | undefined;
  #manifests: { readonly result: ManifestResult | undefined } | undefined;
  #kustomizations: Kustomizations | undefined;
  #sources: Sources | undefined;

  private constructor(tree: Tree, options: CheckOptions, generate: typeof generateManifests) {
    this.#tree = tree;
    this.#generateManifests = generate;
    this.root = tree.root;
    this.options = options;
  }

  static async of(tree: Tree, options: CheckOptions): Promise<ProjectView> {
    // Imported lazily, as everywhere, so the generator stays a file of its own.
    const { generateManifests } = await import('../manifests/generate-manifests.ts');
    return new ProjectView(tree, options, generateManifests);
  }

  /** What is wrong with files that the rules wanted to read. */
  get unreadable(): readonly Problem[] {
    return [...this.#unreadable.values()];
  }

  /** A file as text, without a byte order mark; undefined if it does not exist or cannot be read. */
  read(path: string): string | undefined {
    return this.#guard(path, undefined, () => this.#tree.read(path))?.replace(/^\u{feff}/u, '');
  }

  /** The files below a directory, sorted; none if it does not exist. */
  list(directory: string): string[] {
    return this.#guard(directory, [], () => this.#tree.list(directory));
  }

  /** Whether a file exists. A directory is not a file. */
  exists(path: string): boolean {
    return this.#guard(path, false, () => {
      try {
        return this.#tree.exists(path);
      } catch (error) {
        if (error instanceof OtsError && error.code === 'NOT_A_FILE') return false;
        throw error;
      }
    });
  }

  /** The documents of a file; undefined if it does not exist or is not YAML. */
  yaml(path: string): YamlFile | undefined {
    if (!this.#yaml.has(path)) this.#yaml.set(path, this.#parse(path));
    return this.#yaml.get(path);
  }

  /** The place of a value in a YAML file; its first line if the file cannot be read. */
  place(path: string, document: number, keys: readonly (string | number)[]): Place {
    return this.yaml(path)?.at(document, keys) ?? { file: path, line: 1 };
  }

  /** PROJECT; undefined if it is not valid. */
  get project(): Project | undefined {
    return this.#readProject().project;
  }

  /** Why PROJECT is not valid. */
  get projectError(): OtsError | undefined {
    return this.#readProject().error;
  }

  /** Where PROJECT records a resource. */
  resourcePlace(index: number, ...keys: string[]): Place {
    return this.place(projectFile, 0, ['resources', index, ...keys]);
  }

  /** What `ots manifests` would generate; undefined if PROJECT is not valid. */
  get manifests(): ManifestResult | undefined {
    this.#manifests ??= { result: this.#generate() };
    return this.#manifests.result;
  }

  /** All kustomizations below config/. */
  get kustomizations(): Kustomizations {
    this.#kustomizations ??= Kustomizations.read(this);
    return this.#kustomizations;
  }

  /** The modules that src/main.ts runs. */
  get sources(): Sources {
    this.#sources ??= new Sources(this);
    return this.#sources;
  }

  /** The objects of a kustomization. @param directory relative to the project */
  build(directory: string): Promise<Build> {
    let build = this.#builds.get(directory);
    if (!build) this.#builds.set(directory, (build = buildRoot(this, directory)));
    return build;
  }

  /** Records what a rule could not check. */
  skip(rule: string, reason: string): void {
    if (!this.skipped.some((known) => known.rule === rule && known.reason === reason))
      this.skipped.push({ rule, reason });
  }

  #parse(path: string): YamlFile | undefined {
    const text = this.read(path);
    if (text === undefined) return undefined;
    try {
      return new YamlFile(path, text);
    } catch (error) {
      if (!(error instanceof YamlError)) throw error;
      const { line, column, message } = error;
      this.#report({ file: path, line, column }, `${path} ${message}`, `Correct ${path}.`);
      return undefined;
    }
  }

  #readProject(): { readonly project?: Project; readonly error?: OtsError } {
    if (this.#project) return this.#project;
    try {
      this.#project = { project: ProjectFile.parse(this.read(projectFile) ?? '').project };
    } catch (error) {
      if (!(error instanceof OtsError)) throw error;
      this.#project = { error };
    }
    return this.#project;
  }

  #generate(): ManifestResult | undefined {
    const { project } = this;
    if (!project) return undefined;
    const files = { list: this.list.bind(this), read: this.#readSource.bind(this) };
    return this.#generateManifests(files, { namespaced: project.namespaced, domain: project.domain });
  }

  /** The parser of sources has limits of its own; a binary file is not a source. */
  #readSource(path: string): string | undefined {
    const text = this.#guard(path, undefined, () => this.#tree.read(path));
    if (text === undefined || !path.endsWith('.ts') || !text.includes('\0')) return text;
    this.#report({ file: path, line: 1 }, `${path} is not UTF-8 text`, `Restore ${path}.`);
    return undefined;
  }

  #guard<T>(path: string, missing: T, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof OtsError) && !(error instanceof Error && 'syscall' in error)) throw error;
      const hint = error instanceof OtsError ? error.hint : 'Correct its permissions.';
      this.#report({ file: path, line: 1 }, oneLine(error.message), hint.replace(/ and run .* again/, ''));
      return missing;
    }
  }

  #report(place: Place, message: string, hint: string): void {
    if (!this.#unreadable.has(place.file))
      this.#unreadable.set(place.file, { ...place, severity: 'error', message, hint });
  }

  /** Whether a text file could be parsed as YAML without harm. Reports it otherwise. */
  isHarmless(path: string): boolean {
    const text = this.read(path);
    const problem = text === undefined ? undefined : problemOfText(text);
    if (problem !== undefined)
      this.#report({ file: path, line: 1 }, `${path} ${problem}`, `Correct ${path}.`);
    return !this.#unreadable.has(path);
  }
}
