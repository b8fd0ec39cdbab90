import { closestName } from '../../errors/closest-name.ts';
import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { Span } from '../source/source-text.ts';
import { readFlowArguments } from './read-flow-arguments.ts';
import { readPairArguments } from './read-pair-arguments.ts';
import { valueSpan, writtenName } from './tag.ts';
import type { Tag } from './tag.ts';

/** An argument that a tag takes. */
export interface ArgumentSpec {
  /** Matched without regard to case, because kubebuilder writes `JSONPath`. */
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'integer' | 'list';
  readonly required?: boolean;
  /** The only values a string, or the items of a list, can have. */
  readonly values?: readonly string[];
}

/** An argument as it is written, before its type is known. */
export interface RawArgument {
  readonly name: string;
  /** The items when it is written as a list. */
  readonly value: string | readonly string[];
  /** Where it is in the tag's value. */
  readonly from: number;
  readonly to: number;
}

type ArgumentValue = string | number | boolean | readonly string[];

/** The arguments of one tag; their types are those of the specification. */
export class Arguments {
  readonly #tag: Tag;
  readonly #values: ReadonlyMap<string, { value: ArgumentValue; raw: RawArgument }>;

  constructor(tag: Tag, values: ReadonlyMap<string, { value: ArgumentValue; raw: RawArgument }>) {
    this.#tag = tag;
    this.#values = values;
  }

  string(name: string): string | undefined {
    const value = this.#values.get(name)?.value;
    return typeof value === 'string' ? value : undefined;
  }

  list(name: string): readonly string[] | undefined {
    const value = this.#values.get(name)?.value;
    return typeof value === 'object' ? value : undefined;
  }

  boolean(name: string): boolean | undefined {
    const value = this.#values.get(name)?.value;
    return typeof value === 'boolean' ? value : undefined;
  }

  integer(name: string): number | undefined {
    const value = this.#values.get(name)?.value;
    return typeof value === 'number' ? value : undefined;
  }

  /** Where an argument is written; the tag itself when it is not. */
  span(name: string): Span {
    const raw = this.#values.get(name)?.raw;
    return raw ? valueSpan(this.#tag, raw.from, raw.to) : this.#tag.span;
  }
}

/**
 * Reads the arguments of a tag, written as `key=value key=value` (blanks or commas between, lists with `;`) or as `{key: value}`.
 * @returns undefined after errors, which are then among the diagnostics
 */
export function parseArguments(
  tag: Tag,
  specs: readonly ArgumentSpec[],
  diagnostics: Diagnostics,
): Arguments | undefined {
  const values = new Map<string, { value: ArgumentValue; raw: RawArgument }>();
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
    const spec = specs.find(({ name }) => name.toLowerCase() === raw.name.toLowerCase());
    if (!spec) {
      const meant = closestName(
        raw.name,
        specs.map(({ name }) => name),
      );
      const hint = meant ? `did you mean ${meant}?` : `it takes ${specs.map(({ name }) => name).join(', ')}`;
      fail(span, `there is no argument ${raw.name}`, hint);
      if (meant) given.add(meant);
    } else if (given.has(spec.name)) {
      fail(span, `${spec.name} is given twice`);
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
  if (spec.type === 'list') {
    const items =
      typeof raw.value === 'string' ? raw.value.split(/[;,]/).map((item) => item.trim()) : raw.value;
    if (items.length === 0) return new Error('is empty');
    const wrong = spec.values && items.find((item) => !spec.values!.includes(item));
    return wrong === undefined
      ? items
      : new Error(`cannot be ${wrong}; it is any of ${spec.values!.join(', ')}`);
  }
  if (typeof raw.value !== 'string') return new Error('takes one value, not a list');
  if (spec.type === 'boolean') {
    return /^(?:true|false)$/.test(raw.value) ? raw.value === 'true' : new Error('must be true or false');
  }
  if (spec.type === 'integer') {
    return /^-?\d{1,9}$/.test(raw.value) ? Number(raw.value) : new Error('must be an integer');
  }
  if (spec.values && !spec.values.includes(raw.value)) {
    return new Error(`cannot be ${raw.value || 'empty'}; it is one of ${spec.values.join(', ')}`);
  }
  return raw.value;
}
