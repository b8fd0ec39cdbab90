import { goQuote } from 'ots-apimachinery/go/go-quote';
import { StatusError } from '../status/status-error.ts';
import { type FieldSet, displayPath } from './field-set.ts';
import type { Manager } from './managers.ts';
import type { PathElement } from './path-element.ts';

/** A field that another manager owns and that an applied configuration would change. */
export interface Conflict {
  readonly manager: Manager;
  readonly path: readonly PathElement[];
}

/** An applied configuration would change fields of other managers. */
export class ConflictsError extends Error {
  override readonly name = 'ConflictsError';
  readonly conflicts: readonly Conflict[];

  constructor(conflicts: readonly Conflict[]) {
    super(messageOf(conflicts));
    this.conflicts = conflicts;
  }
}

/** The conflicts with one manager, in order. */
export function conflictsWith(manager: Manager, fields: FieldSet): Conflict[] {
  return [...fields.paths()].map((path) => ({ manager, path }));
}

/** Refuses an applied configuration: 409, with a cause for each field. */
export function applyConflict({ conflicts, message }: ConflictsError): StatusError {
  return new StatusError(409, 'Conflict', message, {
    causes: conflicts.map(({ manager, path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${display(manager)}`,
      field: displayPath(path),
    })),
  });
}

function messageOf(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${display(first.manager)}: ${displayPath(first.path)}`;
  }
  const managers = new Map(conflicts.map(({ manager }) => [identifier(manager), manager]));
  const lines = [...managers.keys()].toSorted().flatMap((id) => {
    const manager = managers.get(id);
    const ofManager = conflicts.filter((conflict) => conflict.manager === manager);
    return [
      ...(manager ? [`conflicts with ${display(manager)}:`] : []),
      ...ofManager.map(({ path }) => `- ${displayPath(path)}`),
    ];
  });
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

/** Messages sort managers by kube-apiserver's identifier. */
function identifier({ manager, operation, apiVersion, subresource }: Manager): string {
  return JSON.stringify({
    ...(manager !== '' && { manager }),
    operation,
    ...(operation === 'Update' && { apiVersion }),
    ...(subresource !== '' && { subresource }),
  });
}

function display({ manager, operation, apiVersion, subresource }: Manager): string {
  const of = subresource === '' ? '' : ` with subresource ${goQuote(subresource)}`;
  const using = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${goQuote(manager)}${of}${using}`;
}
