import { goQuote } from 'ots-apimachinery/go/go-quote';
import {
  Composer,
  type CST,
  type Document,
  LineCounter,
  type Scalar,
  type YAMLParseError,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
} from 'yaml';
import { goSyntax } from '../json/go-syntax.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import { sortKeys } from '../json/sort-keys.ts';
import { checkAliases } from '../yaml/check-aliases.ts';
import { nullKey, readDeepTokens } from '../yaml/read-deep-tokens.ts';
import { yamlBinary, yamlScalars } from '../yaml/yaml-scalars.ts';
import { yamlTokens } from '../yaml/yaml-tokens.ts';
import { decodeJson } from '../json/decode-json.ts';

/** A YAML body as a JSON value. */
export interface DecodedYaml {
  value: unknown;
  /** Strict-decoding errors: duplicate keys, where the last one counts. */
  duplicates: string[];
}

const options = {
  version: '1.1',
  schema: 'failsafe',
  customTags: [...yamlScalars, yamlBinary, 'merge'],
  merge: true,
  uniqueKeys: false,
} as ConstructorParameters<typeof Composer>[0];

/** How deep the YAML library's composer may recurse: it needs much more stack than other functions. */
const maxComposerDepth = 100;

/**
 * Reads the first document of a YAML text.
 *
 * @throws {SyntaxError} when it is not YAML, is nested too deeply, or contains values that JSON cannot represent
 */
export function decodeYaml(source: string): DecodedYaml {
  const lines = new LineCounter();
  const { tokens, depth } = yamlTokens(firstDocument(source), lines);
  const duplicates: string[] = [];
  const note = (key: string, start: number) => {
    duplicates.push(`line ${lines.linePos(start).line}: key ${key} already set in map`);
  };
  const value =
    depth > maxComposerDepth
      ? readDeepTokens(tokens, (key, start) => note(goQuote(key), start))
      : compose(tokens, lines, note);
  // Convert through JSON to drop what only YAML has. kube-apiserver makes Go maps of it in between, which have no
  // order.
  return { value: decodeJson(stringifyJson(sortKeys(value ?? null))).value, duplicates };
}

function compose(
  tokens: readonly CST.Token[],
  lines: LineCounter,
  note: (key: string, start: number) => void,
): unknown {
  const [document] = new Composer(options).compose(tokens, true);
  if (!document) return null;
  const [broken] = document.errors;
  if (broken) throw new SyntaxError(describe(broken, lines));
  checkAliases(document);
  checkKeys(document.contents, { document, anchors: new Map(), note });
  return valueOf(document);
}

/** One line, like kube-apiserver; the words are those of the parser. */
function describe({ message, pos }: YAMLParseError, lines: LineCounter): string {
  return `yaml: line ${lines.linePos(pos[0]).line}: ${message}`;
}

function valueOf(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: -1 });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw unknownAnchor(/^Unresolved alias .*: (.*)$/s.exec(error.message)?.[1]);
  }
}

function unknownAnchor(anchor: string | undefined): SyntaxError {
  return new SyntaxError(`yaml: unknown anchor '${anchor}' referenced`);
}

/** Ends at the marker where the second document begins. */
function firstDocument(source: string): string {
  const start = /^(?:[^\S\n]*(?:#[^\n]*)?\n)*---[ \t]*\n/.exec(source)?.[0].length ?? 0;
  const length = source.slice(start).search(/^(?:---|\.\.\.)(?=\s|$)/m);
  return length === -1 ? source : source.slice(0, start + length);
}

/** The parts of a document that a walk over it shares. */
interface Walk {
  document: Document.Parsed;
  /** What aliases refer to. The library would search the whole document for each of them. */
  anchors: Map<string, unknown>;
  note: (key: string, start: number) => void;
}

/** Refuses keys that Go cannot read, and reports duplicate keys, those inside of a value before its own. */
function checkKeys(node: unknown, walk: Walk): void {
  noteAnchor(node, walk);
  if (isSeq(node)) for (const item of node.items) checkKeys(item, walk);
  if (!isMap(node)) return;
  const seen = new Set<unknown>();
  for (const { key, value } of node.items) {
    const scalar = scalarKey(key, value, walk);
    checkKeys(value, walk);
    const shown = typeof scalar.value === 'string' ? goQuote(scalar.value) : String(scalar.value);
    // A real server reports the line of the value.
    const [start = 0] = (isNode(value) ? value : scalar).range ?? [];
    if (seen.has(shown)) walk.note(shown, start);
    seen.add(shown);
  }
}

function noteAnchor(node: unknown, { anchors }: Walk): void {
  if ((isScalar(node) || isCollection(node)) && node.anchor !== undefined) anchors.set(node.anchor, node);
}

function scalarKey(key: unknown, value: unknown, walk: Walk): Scalar {
  noteAnchor(key, walk);
  const node = isAlias(key) ? walk.anchors.get(key.source) : key;
  if (isAlias(key) && node === undefined) throw unknownAnchor(key.source);
  const inGo = (part: unknown) => goSyntax(isNode(part) ? part.toJS(walk.document) : part, 'interface {}');
  if (isCollection(node)) throw new SyntaxError(`yaml: invalid map key: ${inGo(node)}`);
  if (!isScalar(node) || node.value === null) throw new SyntaxError(nullKey(inGo(value)));
  return node;
}
