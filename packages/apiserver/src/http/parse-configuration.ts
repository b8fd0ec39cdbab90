import { LineCounter, parseDocument } from 'yaml';
import { type JsonObject, isObject } from '../objects/json-object.ts';
import { badRequest } from '../status/errors.ts';
import { decodeJson } from './decode-json.ts';

/** An applied configuration. */
export interface ParsedConfiguration {
  readonly value: JsonObject;
  /** What a strict reader minds: keys that are there twice. */
  readonly problems: readonly string[];
}

interface Parsed {
  value: unknown;
  hasDuplicates: boolean;
}

/** What comes before any complaint of the parser. */
export const conversionError = 'error converting YAML to JSON: yaml:';

/**
 * Parses the configuration of an apply patch: YAML, of which JSON is a part.
 *
 * @throws {StatusError} 400
 */
export function parseConfiguration(source: string): ParsedConfiguration {
  try {
    const { value, hasDuplicates } = source.trimStart().startsWith('{')
      ? parseFlow(source)
      : parseYaml(source);
    const problems = hasDuplicates ? describeDuplicates(source) : [];
    if (value === null) return { value: {}, problems };
    if (isObject(value)) return { value, problems };
    throw new SyntaxError(`error unmarshaling JSON: while decoding JSON: ${mismatch(value)}`);
  } catch (error) {
    throw badRequest(`error decoding YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** JSON is the fast way; what only looks like it may still be YAML. */
function parseFlow(source: string): Parsed {
  try {
    JSON.parse(source);
  } catch {
    return parseYaml(source);
  }
  const { value, duplicates } = decodeJson(source);
  return { value, hasDuplicates: duplicates.length > 0 };
}

function parseYaml(source: string): Parsed {
  const document = parseDocument(source, yamlOptions);
  const broken = document.errors.find(({ code }) => code !== 'DUPLICATE_KEY');
  if (broken) throw new SyntaxError(`${conversionError} ${broken.message}`);
  // By way of JSON, so that nothing is left of what only YAML has.
  const text = JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? null);
  return { value: decodeJson(text).value, hasDuplicates: document.errors.length > 0 };
}

/** As a real server reads YAML: `yes` and `on` are booleans, dates are texts. */
const yamlOptions = {
  version: '1.1',
  schema: 'yaml-1.1',
  customTags: (tags: unknown[]) =>
    tags.filter((tag) => !(isObject(tag) && tag['tag'] === 'tag:yaml.org,2002:timestamp')),
} as Parameters<typeof parseDocument>[1];

function describeDuplicates(source: string): string[] {
  const lineCounter = new LineCounter();
  return parseDocument(source, { ...yamlOptions, lineCounter })
    .errors.filter(({ code }) => code === 'DUPLICATE_KEY')
    .map(({ pos: [start] }) => {
      const key = /^["']?([^"':]*)/.exec(source.slice(start))?.[1] ?? '';
      return `line ${lineCounter.linePos(start).line}: key ${JSON.stringify(key)} already set in map`;
    });
}

function mismatch(value: unknown): string {
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
}
