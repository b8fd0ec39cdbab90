import type { ApiObject } from '../json/api-object.ts';
import type { Resource } from '../registry/resource.ts';
import { builtInTable } from './built-in-tables.ts';
import { customTable } from './custom-table.ts';
import { type TableKind, columnsOf } from './table-kind.ts';
import { numberAt } from '../json/value-at.ts';
import { nameOf, ageOf } from './common-cells.ts';

const custom = new WeakMap<Resource, TableKind>();

const scaleTable: TableKind = {
  columns: columnsOf('Name:name, Desired:integer, Available:integer, Age'),
  cells: (object, now) => [
    nameOf(object),
    numberAt(object, 'spec', 'replicas'),
    numberAt(object, 'status', 'replicas'),
    ageOf(object, now),
  ],
};

/**
 * The table of a resource.
 *
 * @param kind the kind of the object, which differs for some subresources
 */
export function tableOf(resource: Resource, kind: string): TableKind {
  if (kind === 'Scale') return scaleTable;
  if (!resource.custom) return storedTable(resource);
  let table = custom.get(resource);
  if (!table) custom.set(resource, (table = customTable(resource.definition?.additionalPrinterColumns)));
  return table;
}

/** Every version of a built-in kind is shown in its storage version. */
function storedTable({ group, kind, strategy }: Resource): TableKind {
  const table = builtInTable(group, kind);
  if (!strategy.isConverted) return table;
  return {
    ...table,
    cells: (object, now) => table.cells(strategy.toStorage(object as ApiObject), now),
  };
}
