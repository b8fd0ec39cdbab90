import { goQuote } from 'ots-apimachinery/go/go-quote';
import { formatDouble } from 'ots-apimachinery/go/format-double';
import type { CelResult, CelValue } from '../values/cel-value.ts';
import { Duration } from '../values/duration.ts';
import { CelEvaluationError, isError } from '../values/evaluation-error.ts';
import { CelList } from '../values/list.ts';
import { CelMap, entriesOf } from '../values/map.ts';
import { Timestamp } from '../values/timestamp.ts';
import { typeNameOf } from '../values/type-of.ts';
import { Uint } from '../values/uint.ts';
import { formatFixed, formatScientific } from './format-number.ts';
import { textOf } from './text-of.ts';

const stringTypes = 'strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';

/** `text.format(values)`: `%s`, `%d`, `%f`, `%e`, `%b`, `%x`, `%X` and `%o` are replaced by the values in turn. */
export function formatText(text: string, values: CelList): CelResult {
  let [result, at, used] = ['', 0, 0];
  for (;;) {
    const next = text.indexOf('%', at);
    if (next === -1) return result + text.slice(at);
    result += text.slice(at, next);
    if (text[next + 1] === '%') {
      result += '%';
      at = next + 2;
      continue;
    }
    if (used >= values.size) return new CelEvaluationError(`index ${used} out of range`);
    const clause = parseClause(text, next + 1);
    if (isError(clause)) return clause;
    const value = values.at(used++);
    const part = isError(value) ? value : formatClause(clause, value);
    if (isError(part)) return part;
    result += part;
    at = clause.end;
  }
}

interface Clause {
  readonly letter: string;
  readonly precision: number | undefined;
  readonly end: number;
}

function parseClause(text: string, at: number): Clause | CelEvaluationError {
  if (at >= text.length) return new CelEvaluationError('unexpected end of string');
  const [, precision, letter = ''] = /^(\.\d*)?(.?)/su.exec(text.slice(at, at + 24))!;
  if (letter === '')
    return unreadable('error while parsing precision: could not find end of precision specifier');
  if (precision === '.' || Number(precision?.slice(1) ?? 0) > 1000)
    return unreadable('error while parsing precision: error while converting precision to integer');
  if (!'sdfebxXo'.includes(letter)) return unreadable(`unrecognized formatting clause "${letter}"`);
  return {
    letter,
    precision: precision === undefined ? undefined : Number(precision.slice(1)),
    end: at + (precision?.length ?? 0) + letter.length,
  };
}

function unreadable(reason: string): CelEvaluationError {
  return new CelEvaluationError(`could not parse formatting clause: ${reason}`);
}

function formatClause({ letter, precision }: Clause, value: CelValue): string | CelEvaluationError {
  switch (letter) {
    case 's':
      return showText(value) ?? mismatch(`string clause can only be used on ${stringTypes}`, value);
    case 'd':
      return wholeOf(value)?.toString() ?? mismatch('decimal clause can only be used on integers', value);
    case 'f':
    case 'e':
      return formatAsDouble(letter, value, precision ?? 6);
    case 'b':
      return formatBinary(value);
    case 'o':
      return wholeOf(value)?.toString(8) ?? mismatch('octal clause can only be used on integers', value);
    default: {
      const hex = formatHex(value);
      return isError(hex) || letter === 'x' ? hex : hex.toUpperCase();
    }
  }
}

function mismatch(message: string, value: CelValue): CelEvaluationError {
  return new CelEvaluationError(`error during formatting: ${message}, was given ${typeNameOf(value)}`);
}

function wholeOf(value: CelValue): bigint | undefined {
  if (value instanceof Uint) return value.value;
  return typeof value === 'bigint' ? value : undefined;
}

function formatAsDouble(letter: 'f' | 'e', value: CelValue, precision: number): string | CelEvaluationError {
  const special = value === 'NaN' || value === 'Infinity' || value === '-Infinity';
  if (typeof value !== 'number' && !special) {
    const clause = letter === 'f' ? 'fixed-point' : 'scientific';
    return mismatch(`${clause} clause can only be used on doubles`, value);
  }
  return letter === 'f' ? formatFixed(Number(value), precision) : formatScientific(Number(value), precision);
}

function formatBinary(value: CelValue): string | CelEvaluationError {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return wholeOf(value)?.toString(2) ?? mismatch('only integers and bools can be formatted as binary', value);
}

function formatHex(value: CelValue): string | CelEvaluationError {
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return (
    wholeOf(value)?.toString(16) ??
    mismatch('only integers, byte buffers, and strings can be formatted as hex', value)
  );
}

/** Formats a value for `%s`; undefined for an unsupported value. */
function showText(value: CelValue): string | CelEvaluationError | undefined {
  if (value === null) return 'null';
  if (value instanceof CelList || value instanceof CelMap) return showNested(value);
  return textOf(value);
}

/** A value within a list or a map: as an expression would write it. */
function showNested(value: CelValue): string | CelEvaluationError | undefined {
  if (value instanceof CelList)
    return showAll(value, (item) => (isError(item) ? item : showNested(item)), '[', ']');
  if (value instanceof CelMap) return showMap(value);
  if (typeof value === 'string') return goQuote(value);
  if (value instanceof Uint8Array) return `b${goQuote(new TextDecoder().decode(value))}`;
  if (typeof value === 'number')
    return Number.isFinite(value) ? value.toFixed(6) : goQuote(formatDouble(value));
  if (value instanceof Timestamp) return `timestamp(${goQuote(value.toString())})`;
  if (value instanceof Duration) return `duration(${goQuote(value.toString())})`;
  return value === null ? 'null' : textOf(value);
}

function showMap(map: CelMap): string | CelEvaluationError | undefined {
  const entries: string[] = [];
  for (const [key, value] of entriesOf(map)) {
    const [shownKey, shownValue] = [showNested(key), isError(value) ? value : showNested(value)];
    if (isError(shownKey) || shownKey === undefined) return shownKey;
    if (isError(shownValue) || shownValue === undefined) return shownValue;
    entries.push(`${shownKey}:${shownValue}`);
  }
  return `{${entries.toSorted().join(', ')}}`;
}

function showAll<T>(
  items: Iterable<T>,
  show: (item: T) => string | CelEvaluationError | undefined,
  open: string,
  close: string,
): string | CelEvaluationError | undefined {
  const parts: string[] = [];
  for (const item of items) {
    const part = show(item);
    if (typeof part !== 'string') return part;
    parts.push(part);
  }
  return open + parts.join(', ') + close;
}
