import type { CustomResourceColumnDefinition } from 'ots-kubernetes/apiextensions/v1';
import { isNumber } from '../json/json-number.ts';
import { goJson } from '../json/go-json.ts';
import { type PathStep, follow } from './json-path.ts';
import { parseJsonPath } from './parse-json-path.ts';
import { ageAt, nameOf } from './common-cells.ts';
import { type Column, type TableKind, columnsOf } from './table-kind.ts';

/** The column besides the name, for a version that declares none. */
const defaultColumns: readonly CustomResourceColumnDefinition[] = [
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
];

/** The table of a version of a custom resource. Omits the columns after one whose path cannot be parsed. */
export function customTable(
  definitions: readonly CustomResourceColumnDefinition[] = defaultColumns,
): TableKind {
  const columns: Column[] = columnsOf('Name:name');
  const paths: { type: string; steps: PathStep[] }[] = [];
  for (const definition of definitions) {
    const steps = tryParse(definition.jsonPath);
    if (!steps) break;
    paths.push({ type: definition.type, steps });
    columns.push({
      name: definition.name,
      type: definition.type,
      format: definition.format ?? '',
      description:
        definition.description ||
        `Custom resource definition column (in JSONPath format): ${definition.jsonPath}`,
      priority: definition.priority ?? 0,
    });
  }
  return {
    columns,
    cells: (object, now) => [
      nameOf(object),
      ...paths.map(({ type, steps }) => cellOf(type, follow(steps, object), now)),
    ],
  };
}

function tryParse(path: string): PathStep[] | undefined {
  try {
    return parseJsonPath(path);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The first value at a path, formatted for the column's type; null for none, and for one of another type. */
function cellOf(type: string, values: readonly unknown[] | undefined, now: number): unknown {
  if (!values || values.length === 0) return null;
  const [value] = values;
  if (type === 'string') return textOf(value);
  if (type === 'integer') return integerOf(value);
  if (type === 'number') return isNumber(value) ? Number(value) : null;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  if (type !== 'date' || typeof value !== 'string') return null;
  return Number.isNaN(Date.parse(value)) ? '<invalid>' : ageAt(now, value);
}

function integerOf(value: unknown): unknown {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' ? Math.trunc(value) : null;
}

function textOf(value: unknown): string {
  if (value === null) return '<no value>';
  if (typeof value === 'string') return value;
  return goJson(value);
}
