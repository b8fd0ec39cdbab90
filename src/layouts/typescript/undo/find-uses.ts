import { posix } from 'node:path';
import { LineCounter, parseAllDocuments, visit } from 'yaml';
import type { Tree } from '../../../scaffold/tree.ts';
import { relativeSpecifiers } from '../update-imports.ts';

/** What leaves a project. */
export interface Departure {
  /** The paths of files and directories that leave. */
  readonly paths: ReadonlySet<string>;
  /** The names of the CRDs that leave, such as `captains.crew.example.com`. */
  readonly definitions: ReadonlySet<string>;
  /** The kinds that leave, as {@link kindKey} writes them. */
  readonly kinds: ReadonlySet<string>;
}

/** Identifies a version of a kind. */
export function kindKey(apiVersion: string, kind: string): string {
  return `${apiVersion}, ${kind}`;
}

const sourceName = /\.[cm]?tsx?$/;
const yamlName = /\.ya?ml$/;

/**
 * Finds what still uses what leaves a project: imports in src/ and test/, and in config/ and test/ entries of kustomizations, names of CRDs,
 * and objects of kinds.
 *
 * @param tree the project without what leaves
 * @returns a description of each use, with file and line
 * @throws OtsError `INVALID_SOURCE` if a file that may import something is not valid TypeScript
 */
export function findUses(tree: Tree, departure: Departure): string[] {
  const read = (directories: string[], name: RegExp): [string, string][] =>
    directories
      .flatMap((directory) => tree.list(directory))
      .filter((path) => name.test(path) && !departure.paths.has(path))
      .map((path) => [path, tree.read(path) ?? '']);
  return [
    ...read(['src', 'test'], sourceName).flatMap(([path, text]) => importsIn(path, text, departure)),
    ...read(['config', 'test'], yamlName).flatMap(([path, text]) => mentionsIn(path, text, departure)),
  ];
}

function importsIn(path: string, text: string, { paths }: Departure): string[] {
  // Parsing takes longer than this.
  const names = [...paths].map((target) => posix.basename(target, '.ts'));
  if (!names.some((name) => text.includes(name))) return [];
  return relativeSpecifiers(text, path).flatMap(({ start, value }) => {
    const target = posix.join(posix.dirname(path), value);
    const found = [target, target.replace(/\.js$/, '.ts'), `${target}.ts`].find((file) => paths.has(file));
    const line = text.slice(0, start).split('\n').length;
    return found === undefined ? [] : [`${path}:${line} imports ${found}`];
  });
}

function mentionsIn(path: string, text: string, departure: Departure): string[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines });
  // The author's file may be a template of another tool.
  if (documents.some(({ errors }) => errors.length > 0)) return [];
  const found: string[] = [];
  const add = (node: { range?: readonly number[] | null | undefined }, what: string): void => {
    found.push(`${path}:${lines.linePos(node.range?.[0] ?? 0).line} ${what}`);
  };
  for (const document of documents) {
    visit(document, {
      Map(_key, map) {
        const [apiVersion, kind] = [map.get('apiVersion'), map.get('kind')];
        if (departure.kinds.has(kindKey(String(apiVersion), String(kind)))) add(map, `has a ${String(kind)}`);
      },
      Scalar(key, node) {
        const { value } = node;
        if (key === 'key' || typeof value !== 'string') return;
        const target = posix.join(posix.dirname(path), value);
        if (isKustomization(path) && departure.paths.has(target)) add(node, `lists ${value}`);
        else if (departure.definitions.has(value)) add(node, `names the CRD ${value}`);
      },
    });
  }
  return found;
}

function isKustomization(path: string): boolean {
  return /^kustomization\.ya?ml$/.test(posix.basename(path));
}

/** The directories that have files now, but none once some files have left. */
export function emptiedDirectories(tree: Tree, gone: ReadonlySet<string>): string[] {
  const directories = new Set([...gone].flatMap(parentsOf));
  return [...directories].filter((directory) => tree.list(directory).every((path) => gone.has(path)));
}

function parentsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
