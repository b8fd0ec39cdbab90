import { closestName } from 'ots-apimachinery/closest-name';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { Span } from '../source/source-text.ts';
import type { Json } from '../schema/schema.ts';
import { findNested, readNested } from './nested-value.ts';
import { readFlowArguments } from './read-flow-arguments.ts';
import { readPairArguments } from './read-pair-arguments.ts';
import { reasonOf } from '../../errors/reason-of.ts';
import { valueSpan, writtenName } from './tag.ts';
import type { Tag } from './tag.ts';
import { unescapeComment } from './tag-text.ts';

/** An argument that a tag accepts. */
export interface ArgumentSpec {
  /** Matched case-insensitively, because kubebuilder writes `JSONPath`. */
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'integer' | 'list' | 'json';
  /** Other names of the argument. */
  readonly aliases?: readonly string[];
  /** Whether commas and semicolons belong to an item of a list instead of separating items. */
  readonly verbatim?: boolean;
  readonly required?: boolean;
  /** The only values that a string, or each item of a list, can have. */
  readonly values?: readonly string[];
}

/** An argument as written, before its type is known. */
export interface RawArgument {
  readonly name: string;
  /** The items if it is written as a list, or undefined if it nests. */
  readonly value: string | readonly string[] | undefined;
  /** The value as written, and where it begins in the tag's value. */
  readonly text: string;
  readonly at: number;
  /** Where the argument begins in the tag's value, including its name. */
  readonly from: number;
  readonly to: number;
}

type ArgumentValue = Json | readonly string[];

interface Argument {
  readonly value: ArgumentValue;
  /** Undefined if the tag does not state the argument. */
  readonly raw?: RawArgument;
}

/** The arguments of one tag, with the types of their specification. */
export class Arguments {
  readonly #tag: Tag;
  readonly #values: ReadonlyMap<string, Argument>;

  constructor(tag: Tag, values: ReadonlyMap<string, Argument>) {
    this.#tag = tag;
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Returns the same arguments, with these values for those that the tag does not state. */
  withDefaults(defaults: Readonly<Record<string, ArgumentValue>>): Arguments {
    const values = Object.entries(defaults).map(([name, value]): [string, Argument] => [name, { value }]);
    return new Arguments(this.#tag, new Map([...values, ...this.#values]));
  }

  string(name: string): string | undefined {
    const value = this.#values.get(name)?.value;
    return typeof value === 'string' ? value : undefined;
  }

  list(name: string): readonly string[] | undefined {
    const value = this.#values.get(name)?.value;
    return Array.isArray(value) ? (value as readonly string[]) : undefined;
  }

  boolean(name: string): boolean | undefined {
    const value = this.#values.get(name)?.value;
    return typeof value === 'boolean' ? value : undefined;
  }

  integer(name: string): number | undefined {
    const value = this.#values.get(name)?.value;
    return typeof value === 'number' ? value : undefined;
  }

  /** Returns an argument of type `json`. */
  json(name: string): Json | undefined {
    return this.#values.get(name)?.value as Json | undefined;
  }

  /**
   * Returns where an argument is written, or the tag itself if it does not state the argument.
   * @param path keys and indices of a part of an argument of type `json`
   */
  span(name: string, path: readonly (string | number)[] = []): Span {
    const raw = this.#values.get(name)?.raw;
    if (!raw) return this.#tag.span;
    const part = path.length > 0 ? findNested(raw.text, path) : undefined;
    return part
      ? valueSpan(this.#tag, raw.at + part.from, raw.at + part.to)
      : valueSpan(this.#tag, raw.from, raw.to);
  }
}

/**
 * Reads the arguments of a tag, written as `key=value key=value` (separated by blanks or commas, lists with
 * `;`) or as `{key: value}`.
 * @returns undefined after errors, which are in the diagnostics
 */
export function parseArguments(
  tag: Tag,
  specs: readonly ArgumentSpec[],
  diagnostics: Diagnostics,
): Arguments | undefined {
  const values = new Map<string, Argument>();
  const given = new Set<string>();
  let failed = false;
  const fail = (span: Span, message: string, hint?: string) => {
    failed = true;
    diagnostics.error(tag.source, span, 'tag-arguments', `${writtenName(tag)}: ${message}`, hint);
  };

  const read = tag.value.startsWith('{') ? readFlowArguments(tag.value) : readPairArguments(tag.value);
  if ('message' in read) {
    fail(
      valueSpan(tag, read.at, read.at + 1),
      read.message,
      'write key=value pairs, or {key: value, …} with quotes around special characters',
    );
    return undefined;
  }
  for (const raw of read.arguments) {
    const span = valueSpan(tag, raw.from, raw.to);
    const spec = specs.find(({ name, aliases = [] }) =>
      [name, ...aliases].some((candidate) => candidate.toLowerCase() === raw.name.toLowerCase()),
    );
    if (!spec) {
      const suggestion = closestName(
        raw.name,
        specs.map(({ name }) => name),
      );
      const hint = suggestion
        ? `did you mean ${suggestion}?`
        : `it takes ${specs.map(({ name }) => name).join(', ')}`;
      fail(span, `unknown argument ${raw.name}`, hint);
      if (suggestion) given.add(suggestion);
    } else if (given.has(spec.name)) {
      fail(span, `duplicate ${spec.name}`);
    } else {
      given.add(spec.name);
      const value = convert(raw, spec);
      if (value instanceof Error) fail(span, `${spec.name} ${value.message}`);
      else values.set(spec.name, { value, raw });
    }
  }
  for (const spec of specs) {
    if (spec.required && !given.has(spec.name)) fail(tag.span, `${spec.name} is missing`);
  }
  return failed ? undefined : new Arguments(tag, values);
}

function convert(raw: RawArgument, spec: ArgumentSpec): ArgumentValue | Error {
  if (spec.type === 'json') return convertNested(raw.text);
  if (raw.value === undefined) return new Error('takes a plain value or a list of plain values');
  const value = typeof raw.value === 'string' ? unescapeComment(raw.value) : raw.value.map(unescapeComment);
  if (spec.type === 'list') {
    const items = typeof value !== 'string' ? value : spec.verbatim ? [value] : splitList(value);
    if (items.length === 0) return new Error('is empty');
    const wrong = spec.values && items.find((item) => !spec.values!.includes(item));
    return wrong === undefined
      ? items
      : new Error(`cannot be ${wrong}; it is any of ${spec.values!.join(', ')}`);
  }
  if (typeof value !== 'string') return new Error('takes one value, not a list');
  if (spec.type === 'boolean') {
    return /^(?:true|false)$/.test(value) ? value === 'true' : new Error('must be true or false');
  }
  if (spec.type === 'integer') {
    return /^-?\d{1,9}$/.test(value) ? Number(value) : new Error('must be an integer');
  }
  if (spec.values && !spec.values.includes(value)) {
    return new Error(`cannot be ${value || 'empty'}; it is one of ${spec.values.join(', ')}`);
  }
  return value;
}

function splitList(text: string): string[] {
  return text.split(/[;,]/).map((item) => item.trim());
}

function convertNested(text: string): ArgumentValue | Error {
  try {
    return readNested(text);
  } catch (error) {
    return new Error(`cannot be read: ${reasonOf(error)}`, { cause: error });
  }
}
