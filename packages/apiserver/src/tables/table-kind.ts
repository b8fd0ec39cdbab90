import type { JsonObject } from '../json/json-object.ts';

/** A column as a client is told of it. */
export interface Column {
  name: string;
  type: string;
  format: string;
  description: string;
  /** 0 is always shown; others by `kubectl get -o wide`. */
  priority: number;
}

/** What a row says of an object beside its cells. */
export interface RowCondition {
  type: string;
  status: string;
  reason: string;
  message: string;
}

/** How the objects of a kind are shown in a table. */
export interface TableKind {
  columns: readonly Column[];
  /** @param now milliseconds, that ages are counted from */
  cells(object: JsonObject, now: number): unknown[];
  conditions?(object: JsonObject): RowCondition[] | undefined;
}

/**
 * Reads columns from a short text.
 *
 * @param text columns apart by `, `; behind a name `:integer`, `:boolean`, `:date` or `:name` (a string of that format) when it is no
 *   plain string, and `+` when only a wide table shows it
 */
export function columnsOf(text: string): Column[] {
  return text.split(', ').map((part) => {
    const isWide = part.endsWith('+');
    const [name = '', type = 'string'] = (isWide ? part.slice(0, -1) : part).split(':');
    const isName = type === 'name';
    return {
      name,
      type: isName ? 'string' : type,
      format: isName ? 'name' : '',
      description: '',
      priority: isWide ? 1 : 0,
    };
  });
}
