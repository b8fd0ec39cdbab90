import { jsonType } from '../decoding/mismatches.ts';
import { type JsonObject, isObject } from '../json/json-object.ts';
import { badRequest } from '../status/errors.ts';
import { decodeJson } from '../json/decode-json.ts';
import type { DecodedYaml } from './decode-yaml.ts';
import { readYaml, yamlReason } from './read-yaml.ts';

/** An applied configuration. */
export interface ParsedConfiguration {
  readonly value: JsonObject;
  /** Strict-decoding errors: duplicate keys. */
  readonly problems: readonly string[];
}

/** The prefix of every parser error. */
export const conversionError = 'error converting YAML to JSON: yaml:';

const jsonError = 'error unmarshaling JSON: while decoding JSON:';

/**
 * Parses the configuration of an apply patch: YAML, which includes JSON.
 *
 * @throws {StatusError} 400
 */
export async function parseConfiguration(source: string): Promise<ParsedConfiguration> {
  try {
    const { value, duplicates } = await (source.trimStart().startsWith('{')
      ? parseFlow(source)
      : readYaml(source));
    if (value === null) return { value: {}, problems: duplicates };
    if (isObject(value)) return { value, problems: duplicates };
    throw new SyntaxError(mismatch(value));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const reason = yamlReason(message, jsonError).replace(/^yaml:/, conversionError);
    throw badRequest(`error decoding YAML: ${reason}`);
  }
}

/** JSON is faster to parse; what only looks like JSON may still be YAML. */
async function parseFlow(source: string): Promise<DecodedYaml> {
  try {
    const { value, duplicates } = decodeJson(source);
    return duplicates.length > 0 ? await readYaml(source) : { value, duplicates };
  } catch {
    return readYaml(source);
  }
}

function mismatch(value: unknown): string {
  return `json: cannot unmarshal ${jsonType(value)} into Go value of type map[string]interface {}`;
}
