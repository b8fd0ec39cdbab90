import { isObject } from '../objects/json-object.ts';

/** `JSON.stringify` of a JSON value that may hold bigints, which are written as the numbers that they are. */
export function stringifyJson(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // Few values hold one, and looking for it would slow down all others.
    if (error instanceof TypeError) return write(value, indent === 0 ? undefined : { indent, margin: '\n' });
    throw error;
  }
}

/** How lines are broken. */
interface Layout {
  readonly indent: number;
  /** What stands in front of a line. */
  readonly margin: string;
}

function write(value: unknown, layout: Layout | undefined): string {
  if (typeof value === 'bigint') return `${value}`;
  const inner = layout && { ...layout, margin: layout.margin + ' '.repeat(layout.indent) };
  if (Array.isArray(value)) {
    return enclose(
      '[]',
      value.map((item) => write(item, inner)),
      layout,
      inner,
    );
  }
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  const colon = layout ? ': ' : ':';
  const parts = entries.map(([key, item]) => `${JSON.stringify(key)}${colon}${write(item, inner)}`);
  return enclose('{}', parts, layout, inner);
}

function enclose(
  brackets: string,
  parts: readonly string[],
  layout: Layout | undefined,
  inner: Layout | undefined,
): string {
  const [open = '', close = ''] = brackets;
  if (parts.length === 0 || !layout || !inner) return `${open}${parts.join(',')}${close}`;
  return `${open}${inner.margin}${parts.join(`,${inner.margin}`)}${layout.margin}${close}`;
}
