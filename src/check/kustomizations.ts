import { posix } from 'node:path';
import { isData } from '../project/yaml/data.ts';
import type { YamlFile } from './yaml-file.ts';

/** The files that the graph of kustomizations is read from. */
interface Files {
  list(directory: string): string[];
  yaml(path: string): YamlFile | undefined;
}

/** A file or directory that a kustomization names. */
export interface KustomizationEntry {
  /** Such as `resources`. */
  readonly key: string;
  /** The keys and indexes that lead to it in the file. */
  readonly path: readonly (string | number)[];
  /** As the author wrote it. */
  readonly text: string;
  /** Relative to the project; undefined for what is in the network or outside of the project. */
  readonly target: string | undefined;
}

/** A `kustomization.yaml`. */
export interface Kustomization {
  readonly directory: string;
  readonly file: string;
  readonly isComponent: boolean;
  readonly entries: readonly KustomizationEntry[];
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The names that kustomize looks for, in its order. */
const fileNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** The lists of paths in a kustomization (https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/). */
const pathLists = [
  'resources',
  'components',
  'configurations',
  'crds',
  'generators',
  'transformers',
  'validators',
  'bases',
  'patchesStrategicMerge',
];

/** The lists whose entries may have a `path`. */
const lists = ['patches', 'patchesJson6902', 'replacements'];

/** URLs, and what kustomize clones. */
const remote = /^[a-z+]+:\/\/|^git@|[?&]ref=|^github\.com\//;

/** The kustomizations below config/, and what they name. */
export class Kustomizations {
  readonly all: readonly Kustomization[];
  readonly #byDirectory: ReadonlyMap<string, Kustomization>;

  private constructor(all: readonly Kustomization[]) {
    this.all = all;
    this.#byDirectory = new Map(all.map((each) => [each.directory, each]));
  }

  static read(files: Files): Kustomizations {
    const all = files
      .list('config')
      .filter((path) => fileNames.includes(posix.basename(path)))
      .flatMap((path) => readKustomization(path, files.yaml(path)) ?? []);
    return new Kustomizations(all);
  }

  of(directory: string): Kustomization | undefined {
    return this.#byDirectory.get(directory);
  }

  /** The nearest kustomization in the directory of a file or above it. */
  above(file: string): Kustomization | undefined {
    for (let directory = posix.dirname(file); directory !== '.'; directory = posix.dirname(directory)) {
      const found = this.of(directory);
      if (found) return found;
    }
    return undefined;
  }

  /** Everything that a kustomization names. */
  get targets(): Set<string> {
    return new Set(this.all.flatMap(({ entries }) => entries.flatMap(({ target }) => target ?? [])));
  }

  /** What is built on its own: kustomizations that no other one includes, and one of those that include each other. */
  get roots(): readonly Kustomization[] {
    const { targets } = this;
    const alone = this.all.filter(({ isComponent }) => !isComponent);
    const roots = alone.filter(({ directory }) => !targets.has(directory));
    const seen = new Set<string>();
    for (const { directory } of roots) this.closure(directory, seen);
    const inRings = alone.filter(({ directory }) => {
      if (seen.has(directory)) return false;
      this.closure(directory, seen);
      return true;
    });
    return [...roots, ...inRings];
  }

  /** A kustomization and all that it includes. */
  closure(directory: string, seen = new Set<string>()): Kustomization[] {
    const found = this.of(directory);
    if (!found || seen.has(directory)) return [];
    seen.add(directory);
    const included = found.entries.flatMap(({ target }) =>
      target === undefined ? [] : this.closure(target, seen),
    );
    return [found, ...included];
  }
}

function readKustomization(path: string, file: YamlFile | undefined): Kustomization | undefined {
  const [fields] = file?.values ?? [];
  if (!isData(fields)) return undefined;
  const directory = posix.dirname(path);
  return {
    directory,
    file: path,
    isComponent: fields['kind'] === 'Component',
    entries: [
      ...pathLists.flatMap((key) => textsIn(fields, key)),
      ...lists.flatMap((key) => pathsIn(fields, key)),
    ].map((entry) => ({ ...entry, target: targetOf(directory, entry.text) })),
    fields,
  };
}

type Entry = Omit<KustomizationEntry, 'target'>;

function textsIn(fields: Record<string, unknown>, key: string): Entry[] {
  const list: unknown = fields[key];
  if (!Array.isArray(list)) return [];
  return list.flatMap((text: unknown, index) =>
    // A transformer may be written in place.
    typeof text === 'string' && !text.includes('\n') ? [{ key, path: [key, index], text }] : [],
  );
}

function pathsIn(fields: Record<string, unknown>, key: string): Entry[] {
  const list: unknown = fields[key];
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown, index) =>
    isData(entry) && typeof entry['path'] === 'string'
      ? [{ key, path: [key, index, 'path'], text: entry['path'] }]
      : [],
  );
}

function targetOf(directory: string, text: string): string | undefined {
  if (remote.test(text) || posix.isAbsolute(text)) return undefined;
  const target = posix.join(directory, text).replace(/\/$/, '');
  return target === '..' || target.startsWith('../') ? undefined : target;
}
