import { formatDouble } from 'ots-apimachinery/go/format-double';
import { goQuote } from 'ots-apimachinery/go/go-quote';
import {
  type Alias,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  visit,
} from 'yaml';
import { goSyntax } from '../json/go-syntax.ts';
import { type JsonObject, setKey } from '../json/json-object.ts';
import { nullKey } from './read-deep-tokens.ts';

/** Below this many nodes nearly all of them may come from aliases. */
const smallDocument = 400_000;
const largeDocument = 4_000_000;

/** How deep aliases may nest a value. Unlike the text itself, they could nest it so deep that the stack overflows. */
const maxNesting = 1000;

/** What a reading shares. */
interface Reading {
  /** The node that each alias stands for. */
  readonly targets: ReadonlyMap<Alias, Node>;
  /** Receives keys that are set twice, with the position of the second value. */
  readonly note: (key: string, start: number) => void;
  /** The aliases that are being read. */
  readonly open: Set<Alias>;
  depth: number;
  nodes: number;
  nodesFromAliases: number;
}

/**
 * Converts the nodes of a document to a JSON value, as the library of kube-apiserver does: it reads an aliased node
 * again for each alias, and merges (`<<`) override the keys before them. The YAML library's own conversion differs
 * in both, and searches all anchors for each alias.
 *
 * @param note receives keys that are set twice, inner ones first, with the position of the second value
 * @throws {SyntaxError} when an alias is unknown or contains itself, aliases inflate the document (a few lines could
 *   expand to gigabytes) or nest it too deep, or a key cannot be a key of JSON
 */
export function readNodes(document: Document.Parsed, note: Reading['note']): unknown {
  const targets = targetsOf(document);
  return read(document.contents, {
    targets,
    note,
    open: new Set(),
    depth: 0,
    nodes: 0,
    nodesFromAliases: 0,
  });
}

/** An alias stands for the last node before it that has its anchor. */
function targetsOf(document: Document.Parsed): Map<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (!target) throw new SyntaxError(`yaml: unknown anchor '${node.source}' referenced`);
        targets.set(node, target);
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

function read(node: unknown, reading: Reading): unknown {
  countNode(reading);
  if (reading.depth === maxNesting)
    throw new SyntaxError(`yaml: aliases nest a value deeper than ${maxNesting}`);
  reading.depth += 1;
  const value = valueOf(node, reading);
  reading.depth -= 1;
  return value;
}

function valueOf(node: unknown, reading: Reading): unknown {
  if (isAlias(node)) return followAlias(node, reading, (target) => read(target, reading));
  if (isSeq(node)) return node.items.map((item) => read(item, reading));
  if (isMap(node)) return readMap(node, {}, reading);
  return isScalar(node) ? node.value : null;
}

/** The limits are those of the library that kube-apiserver uses. */
function countNode(reading: Reading): void {
  reading.nodes += 1;
  if (reading.open.size > 0) reading.nodesFromAliases += 1;
  const { nodes, nodesFromAliases } = reading;
  if (nodesFromAliases > 100 && nodes > 1000 && nodesFromAliases / nodes > allowedShare(nodes))
    throw new SyntaxError('yaml: document contains excessive aliasing');
}

function allowedShare(nodes: number): number {
  if (nodes <= smallDocument) return 0.99;
  if (nodes >= largeDocument) return 0.1;
  return 0.99 - (0.89 * (nodes - smallDocument)) / (largeDocument - smallDocument);
}

function followAlias<Result>(
  alias: Alias,
  { open, targets }: Reading,
  follow: (target: Node | undefined) => Result,
): Result {
  if (open.has(alias)) throw new SyntaxError(`yaml: anchor '${alias.source}' value contains itself`);
  open.add(alias);
  const result = follow(targets.get(alias));
  open.delete(alias);
  return result;
}

/** Sets the keys of a map in `object`. */
function readMap(map: YAMLMap, object: JsonObject, reading: Reading): JsonObject {
  for (const pair of map.items) {
    if (isMerge(pair.key)) merge(pair.value, object, reading);
    else readPair(pair, object, reading);
  }
  return object;
}

function readPair({ key: keyNode, value: valueNode }: Pair, object: JsonObject, reading: Reading): void {
  const key = read(keyNode, reading);
  if (typeof key === 'object' && key !== null)
    throw new SyntaxError(`yaml: invalid map key: ${goSyntax(key, 'interface {}')}`);
  const value = read(valueNode, reading);
  if (key === null) throw new SyntaxError(nullKey(goSyntax(value, 'interface {}')));
  const name = nameOf(key);
  if (Object.hasOwn(object, name)) {
    // A real server reports the line of the value.
    const [start = 0] = (isNode(valueNode) ? valueNode : (keyNode as Node)).range ?? [];
    reading.note(typeof key === 'string' ? goQuote(key) : name, start);
  }
  setKey(object, name, value);
}

/** kube-apiserver writes a key that is a fraction with 32 bits, as Go's `%g`. */
function nameOf(key: unknown): string {
  if (typeof key !== 'number' || Number.isSafeInteger(key)) return String(key);
  const float = Math.fround(key);
  const digits = [1, 2, 3, 4, 5, 6, 7, 8].find(
    (count) => Math.fround(Number(float.toPrecision(count))) === float,
  );
  return formatDouble(Number(float.toPrecision(digits ?? 9))).replace(/\+?Inf/, '.inf');
}

function isMerge(key: unknown): boolean {
  if (!isScalar(key) || key.source !== '<<' || key.type !== 'PLAIN') return false;
  return key.tag === undefined || key.tag === 'tag:yaml.org,2002:merge';
}

/** Sets the keys of one map or several. The first of several takes precedence: its keys are set last. */
function merge(source: unknown, object: JsonObject, reading: Reading): void {
  const parts = isSeq(source) ? source.items.toReversed() : [source];
  const setKeysOf = (map: unknown) => {
    if (!isMap(map)) throw new SyntaxError('yaml: map merge requires map or sequence of maps as the value');
    countNode(reading);
    readMap(map, object, reading);
  };
  for (const part of parts) {
    if (isAlias(part)) followAlias(part, reading, setKeysOf);
    else setKeysOf(part);
  }
}
