import { parse } from 'yaml';
import type { Json } from '../schema/schema.ts';
import { isYamlTooDeep } from '../source/yaml-nesting.ts';
import { unescapeComment } from './tag-text.ts';

/**
 * Reads a value as YAML, which includes JSON: `1`, `true`, `Active`, `"1"`, `[a, b]`, `{a: 1}`.
 * @throws Error with a message for the author if it is invalid
 */
export function parseValue(text: string): Json {
  const yaml = unescapeComment(text);
  if (isYamlTooDeep(yaml)) throw new Error('it is nested too deeply');
  let value: unknown;
  try {
    value = parse(yaml, { logLevel: 'error', maxAliasCount: 0 });
  } catch (error) {
    throw new Error(firstLine(error), { cause: error });
  }
  if (!isJson(value)) throw new Error('JSON has no such value');
  return value;
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0]!.replace(/ at line \d+, column \d+:?$/, '');
}

/** Returns whether JSON can represent a value. */
export function isJson(value: unknown): value is Json {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== 'object') return false;
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isJson);
}
