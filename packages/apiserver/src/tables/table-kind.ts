import type { JsonObject } from '../json/json-object.ts';

/** A column as clients receive it. */
export interface Column {
  name: string;
  type: string;
  format: string;
  description: string;
  /** 0 is always shown; others by `kubectl get -o wide`. */
  priority: number;
}

/** A condition of a row. */
export interface RowCondition {
  type: string;
  status: string;
  reason: string;
  message: string;
}

/** How to show the objects of a kind in a table. */
export interface TableKind {
  columns: readonly Column[];
  /** @param now the reference time for ages, in milliseconds */
  cells(object: JsonObject, now: number): unknown[];
  conditions?(object: JsonObject): RowCondition[] | undefined;
}

/**
 * Parses columns from a short text.
 *
 * @param text columns separated by `, `; after a name, `:integer`, `:boolean`, `:date` or `:name` (a string of
 *   that format) for other types than plain strings, and `+` if only a wide table shows it
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
