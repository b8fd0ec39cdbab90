import { goQuote } from 'ots-apimachinery/go/go-quote';
import { Composer, type CST, LineCounter, type YAMLParseError } from 'yaml';
import { stringifyJson } from '../json/stringify-json.ts';
import { sortKeys } from '../json/sort-keys.ts';
import { readDeepTokens } from '../yaml/read-deep-tokens.ts';
import { readNodes } from '../yaml/read-nodes.ts';
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
  customTags: [...yamlScalars, yamlBinary],
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
  return readNodes(document, note);
}

/** One line, like kube-apiserver; the words are those of the parser. */
function describe({ message, pos }: YAMLParseError, lines: LineCounter): string {
  return `yaml: line ${lines.linePos(pos[0]).line}: ${message}`;
}

/** Ends at the marker where the second document begins. */
function firstDocument(source: string): string {
  const start = /^(?:[^\S\n]*(?:#[^\n]*)?\n)*---[ \t]*\n/.exec(source)?.[0].length ?? 0;
  const length = source.slice(start).search(/^(?:---|\.\.\.)(?=\s|$)/m);
  return length === -1 ? source : source.slice(0, start + length);
}
