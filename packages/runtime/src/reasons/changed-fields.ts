import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** The fields in which two states of an object differ. */
export interface ChangedFields {
  /** Without values. */
  paths: string[];
  /** True if there are more than are listed. */
  hasMore: boolean;
}

const maxPaths = 20;
const maxDepth = 12;
const maxPathLength = 200;
/** They change with every event, or follow from other fields. */
const derived = new Set(['resourceVersion', 'generation', 'managedFields']);
/** Fields whose keys are data, also if they look like fields. */
const maps = /(?:^|\.)(?:labels|annotations|matchLabels|data|stringData|binaryData|nodeSelector)$/;
const identifier = /^[A-Za-z_$][\w$]*$/;
/** The fields that identify items of lists in the Kubernetes API, in the order of preference. */
const keyFields = ['type', 'name', 'uid', 'ip', 'containerPort', 'port'] as const;
/** What a name, an address or a type looks like. Anything else could be a user's data. */
const keyValue = /^[\w.:/-]{1,63}$/;

type Fields = Readonly<Record<string, unknown>>;

/** Finds the fields in which two states of an object differ: their paths, never their values. */
export function changedFields(
  before: DeepReadonly<KubernetesObject>,
  after: DeepReadonly<KubernetesObject>,
): ChangedFields {
  const search = new Search();
  search.compareObject(before, after);
  return { paths: search.paths.slice(0, maxPaths), hasMore: search.isFull };
}

class Search {
  readonly paths: string[] = [];

  /** One more than are listed: then it is known that there are more. */
  get isFull(): boolean {
    return this.paths.length > maxPaths;
  }

  compareObject(before: Fields, after: Fields): void {
    const { metadata: oldMetadata, ...oldRest } = before;
    const { metadata, ...rest } = after;
    this.#compareFields(
      withoutDerived(oldMetadata as Fields),
      withoutDerived(metadata as Fields),
      'metadata',
      1,
    );
    this.#compareFields(oldRest, rest, '', 0);
    if (this.paths.length > 0) return;
    const owners = [oldMetadata, metadata].map((each) => (each as Fields)['managedFields']);
    if (!isDeepStrictEqual(owners[0], owners[1])) this.#add('metadata.managedFields');
  }

  #compare(before: unknown, after: unknown, path: string, depth: number): void {
    if (this.isFull || before === after) return;
    if (depth < maxDepth && isFields(before) && isFields(after)) {
      this.#compareFields(before, after, path, depth);
    } else if (depth < maxDepth && Array.isArray(before) && Array.isArray(after)) {
      this.#compareLists(before, after, path, depth);
    } else if (!isDeepStrictEqual(before, after)) {
      this.#add(path);
    }
  }

  #compareFields(before: Fields, after: Fields, path: string, depth: number): void {
    const isMap = maps.test(path);
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    for (const name of isMap ? names.toSorted() : names) {
      this.#compare(before[name], after[name], fieldPath(path, name, isMap), depth + 1);
    }
  }

  /** Items are found again by what identifies them, or else by their index. Lists of scalars are one value. */
  #compareLists(before: readonly unknown[], after: readonly unknown[], path: string, depth: number): void {
    if (![...before, ...after].every(isFields)) {
      if (!isDeepStrictEqual(before, after)) this.#add(path);
      return;
    }
    const key = keyFields.find((field) => identifies(before, field) && identifies(after, field));
    const [old, current] = [itemsBy(before, key), itemsBy(after, key)];
    for (const item of new Set([...old.keys(), ...current.keys()])) {
      this.#compare(old.get(item), current.get(item), `${path}[${item}]`, depth + 1);
    }
    const isReordered = old.size === current.size && !isDeepStrictEqual([...old.keys()], [...current.keys()]);
    if (isReordered && [...old.keys()].every((item) => current.has(item))) this.#add(path);
  }

  #add(path: string): void {
    if (!this.isFull)
      this.paths.push(path.length > maxPathLength ? `${path.slice(0, maxPathLength - 1)}…` : path);
  }
}

function withoutDerived(metadata: Fields): Fields {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !derived.has(name)));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldPath(path: string, name: string, isMap: boolean): string {
  if (isMap || !identifier.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

/** Whether each item has another value of the field. */
function identifies(items: readonly unknown[], field: string): boolean {
  const values = items.map((item) => (item as Fields)[field]);
  return values.every(isKey) && new Set(values).size === values.length;
}

function isKey(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && keyValue.test(value));
}

function itemsBy(items: readonly unknown[], key: string | undefined): Map<string, unknown> {
  return new Map(
    items.map((item, index) => [key ? `${key}=${String((item as Fields)[key])}` : String(index), item]),
  );
}
