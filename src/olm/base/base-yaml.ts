import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
} from 'yaml';
import { OtsError } from '../../errors/ots-error.ts';
import { oneLine } from '../../output/one-line.ts';
import { type JsonObject, isDeeperThan, isObject, textOf, valueOf } from '../bundle/json.ts';

/** No ClusterServiceVersion nests deeper, and what changes one recurses. */
const maxDepth = 200;

/** The base ClusterServiceVersion of an author as text. */
export class BaseYaml {
  readonly #text: string;
  readonly #document: Document.Parsed;
  /** What the text says. */
  readonly csv: JsonObject;

  /**
   * @param file names the text in errors
   * @throws OtsError `INVALID_BASE` if it is not one ClusterServiceVersion in YAML
   */
  constructor(text: string, file: string) {
    this.#text = text;
    this.#document = parse(text, file);
    const csv: unknown = read(this.#document, file);
    if (!isObject(csv) || textOf(csv, 'kind') !== 'ClusterServiceVersion') {
      throw invalid(file, 'is not a ClusterServiceVersion');
    }
    for (const path of [['metadata'], ['spec'], ['spec', 'customresourcedefinitions']]) {
      const value = path.reduce<unknown>(valueOf, csv) ?? {};
      if (!isObject(value)) throw invalid(file, `has a ${path.join('.')} that is not a map`);
    }
    this.csv = csv;
  }

  /** The text with other content. What does not differ keeps its comments, quotes and place. */
  with(csv: JsonObject): string {
    if (isDeepStrictEqual(csv, this.csv)) return this.#text;
    updateMap(this.#document, this.#document.contents as YAMLMap, this.csv, csv);
    const indentSeq = !/^( *)[^\s#-][^\n]*:\n\1- /m.test(this.#text);
    return this.#document.toString({ lineWidth: 0, indentSeq, directives: false });
  }
}

function parse(text: string, file: string): Document.Parsed {
  const document = orInvalid(file, () => parseDocument(text, { version: '1.1', logLevel: 'error' }));
  const [error] = document.errors;
  if (!error) return document;
  if (error.code === 'MULTIPLE_DOCS') throw invalid(file, 'has several YAML documents');
  throw notYaml(file, error);
}

function read(document: Document.Parsed, file: string): unknown {
  const value: unknown = orInvalid(file, () => document.toJS({ maxAliasCount: 100 }));
  if (!isDeeperThan(value, maxDepth)) return value;
  throw invalid(file, tooDeep);
}

const tooDeep = 'nests or repeats values too often';

/** The library throws errors of several classes for aliases, merge keys and tags, and recurses. */
function orInvalid<T>(file: string, convert: () => T): T {
  try {
    return convert();
  } catch (error) {
    throw error instanceof ReferenceError ? invalid(file, tooDeep) : notYaml(file, error);
  }
}

function notYaml(file: string, error: unknown): OtsError {
  const [line = ''] = error instanceof Error ? error.message.split('\n') : [];
  // The parser makes a problem with the text of what it catches.
  if (line.includes('call stack')) return invalid(file, tooDeep);
  return invalid(file, `is not valid YAML: ${oneLine(line.replace(/:$/, ''))}`);
}

function invalid(file: string, problem: string): OtsError {
  return new OtsError('INVALID_BASE', `${file} ${problem}`, {
    hint: 'Correct the file, or move it away: ots then starts a new one.',
  });
}

function updateMap(document: Document, map: YAMLMap, before: JsonObject, after: JsonObject): void {
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) map.delete(key);
  for (const [key, value] of Object.entries(after)) {
    const old = valueOf(before, key);
    if (isDeepStrictEqual(old, value)) continue;
    const node = map.get(key, true) as unknown;
    if (isMap(node) && isObject(old) && isObject(value)) updateMap(document, node, old, value);
    else if (isSeq(node) && Array.isArray(old) && Array.isArray(value)) updateSeq(document, node, old, value);
    else if (isScalar(node) && typeof old === typeof value && typeof value !== 'object') node.value = value;
    else if (map.has(key)) map.set(key, document.createNode(value));
    else addPair(map, document.createPair(key, value));
  }
}

/** Entries that mean the same thing keep their comments. */
function updateSeq(document: Document, seq: YAMLSeq, before: unknown[], after: unknown[]): void {
  const nodes = new Map(before.map((item, index) => [identityOf(item), { item, node: seq.items[index] }]));
  seq.items = after.map((item) => {
    const known = nodes.get(identityOf(item));
    if (!known) return document.createNode(item);
    if (isMap(known.node) && isObject(known.item) && isObject(item))
      updateMap(document, known.node, known.item, item);
    return known.node;
  });
}

/** What distinguishes owned CRDs and descriptors; other entries are their own identity. */
function identityOf(item: unknown): string {
  const names = ['name', 'version', 'kind', 'path'].map((key) => valueOf(item, key));
  return JSON.stringify(names.some((name) => name !== undefined) ? names : item);
}

/** Adds a key in its place in the alphabet if the others are. */
function addPair(map: YAMLMap, pair: Pair): void {
  const keys = map.items.map(keyOf);
  const isSorted = keys.every((key, index) => index === 0 || keys[index - 1]! < key);
  const place = isSorted ? keys.findIndex((key) => key > keyOf(pair)) : -1;
  map.items.splice(place < 0 ? map.items.length : place, 0, pair);
}

function keyOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}
