import { goQuote } from 'ots-cel/go-quote';
import {
  type Document,
  LineCounter,
  type ScalarTag,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
  type YAMLParseError,
} from 'yaml';
import { type ExactInteger, exactInteger, isInt64 } from '../json/exact-integer.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import { type JsonObject, isObject, setKey } from '../objects/json-object.ts';
import { decodeJson } from './decode-json.ts';

/** A body in YAML as a JSON value. */
export interface DecodedYaml {
  value: unknown;
  /** What a strict reader minds: keys that are there twice, where the last one counts. */
  duplicates: string[];
}

/** Scalars as the library of a real server reads them: mostly YAML 1.1, but dates and sexagesimals are texts. */
const scalars: readonly ScalarTag[] = [
  scalar('null', /^(?:~|[Nn]ull|NULL)?$/, () => null),
  scalar('bool', /^(?:[Yy]|[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON)$/, () => true),
  scalar('bool', /^(?:[Nn]|[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)$/, () => false),
  scalar(
    'int',
    /^[-+]?(?:0_*|0_*[0-7][0-7_]*|[1-9][\d_]*|0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+)$/,
    integerOf,
  ),
  scalar('float', /^[-+]?(?:\.\d[\d_]*|\d[\d_]*(?:\.[\d_]*)?)(?:[eE][-+]?\d+)?$/, (text) =>
    Number(text.replaceAll('_', '')),
  ),
];

function scalar(name: string, test: RegExp, resolve: (text: string) => unknown): ScalarTag {
  return { tag: `tag:yaml.org,2002:${name}`, default: true, test, resolve };
}

/** A leading zero makes it octal. */
function integerOf(text: string): ExactInteger {
  const digits = text.replaceAll('_', '').replace(/^[-+]/, '');
  const literal = /^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits;
  const sign = text.startsWith('-') ? -1 : 1;
  const number = sign * Number(literal);
  if (Number.isSafeInteger(number) || literal.length > longestInteger) return number;
  const value = BigInt(sign) * BigInt(literal);
  return isInt64(value) ? exactInteger(value) : number;
}

/** Of 64 binary digits and the prefix; zeros in front are not worth more. */
const longestInteger = 66;

const options = {
  version: '1.1',
  schema: 'failsafe',
  customTags: [...scalars, 'binary', 'merge'],
  merge: true,
  uniqueKeys: false,
} as Parameters<typeof parseDocument>[1];

/**
 * Reads the first document of a text in YAML.
 *
 * @throws {SyntaxError} when it is no YAML, or holds what JSON cannot
 */
export function decodeYaml(source: string): DecodedYaml {
  const lines = new LineCounter();
  const text = firstDocument(source);
  const document = parseDocument(text, { ...options, lineCounter: lines });
  const [broken] = document.errors;
  if (broken) throw new SyntaxError(describe(broken));
  const duplicates: string[] = [];
  noteDuplicates(document.contents, (key, start) => {
    duplicates.push(`line ${lines.linePos(start).line}: key ${key} already set in map`);
  });
  // By way of JSON, so that nothing is left of what only YAML has.
  const json = stringifyJson(sortedKeys(valueOf(document) ?? null));
  return { value: decodeJson(json).value, duplicates };
}

/** One line, as a real server has it; the words are those of the parser. */
function describe({ message, linePos }: YAMLParseError): string {
  const [sentence = ''] = message.split(/ at line \d+, column \d+/);
  const line = linePos ? ` line ${linePos[0].line}:` : '';
  return `yaml:${line} ${sentence}`;
}

function valueOf(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    const anchor = /^Unresolved alias .*: (.*)$/s.exec(error.message)?.[1];
    throw new SyntaxError(
      anchor === undefined
        ? 'yaml: document contains excessive aliasing'
        : `yaml: unknown anchor '${anchor}' referenced`,
    );
  }
}

/** Up to the mark where the second one begins. */
function firstDocument(source: string): string {
  const start = /^(?:[^\S\n]*(?:#[^\n]*)?\n)*---[ \t]*\n/.exec(source)?.[0].length ?? 0;
  const length = source.slice(start).search(/^(?:---|\.\.\.)(?=\s|$)/m);
  return length === -1 ? source : source.slice(0, start + length);
}

/** Tells the keys that are there twice, those inside of a value before its own. */
function noteDuplicates(node: unknown, note: (key: string, start: number) => void): void {
  if (isSeq(node)) for (const item of node.items) noteDuplicates(item, note);
  if (!isMap(node)) return;
  const seen = new Set<unknown>();
  for (const { key, value } of node.items) {
    noteDuplicates(value, note);
    if (!isScalar(key)) continue;
    const shown = typeof key.value === 'string' ? goQuote(key.value) : String(key.value);
    // A real server tells the line of the value.
    const [start = 0] = (isNode(value) ? value : key).range ?? [];
    if (seen.has(shown)) note(shown, start);
    seen.add(shown);
  }
}

/** A real server makes maps of Go of it in between, which have no order of their own. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (!isObject(value)) return value;
  const sorted: JsonObject = {};
  for (const key of Object.keys(value).toSorted()) setKey(sorted, key, sortedKeys(value[key]));
  return sorted;
}
