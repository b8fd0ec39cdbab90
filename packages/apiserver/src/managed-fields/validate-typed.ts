import { appendAll } from '../json/append-all.ts';
import { isNumber } from '../json/json-number.ts';
import { isObject } from '../json/json-object.ts';
import {
  type Atom,
  type ListAtom,
  type MapAtom,
  type ScalarAtom,
  fieldAtom,
  partFor,
  untypedAtom,
} from './atom.ts';
import { goTypeName, printGo } from '../patch/go-value.ts';
import { goSyntax } from '../json/go-syntax.ts';
import { ListItemError, listElement } from './list-element.ts';
import { displayElement } from './path-element.ts';
import { type Misfit, TypedError } from './typed-error.ts';

/**
 * Validates an applied configuration against its schema: no unknown fields, no duplicate items.
 *
 * @throws {TypedError} when it is invalid
 */
export function validateTyped(value: unknown, atom: Atom): void {
  const misfits = checkValue(value, atom);
  if (misfits.length > 0) throw new TypedError(misfits);
}

function checkValue(value: unknown, atom: Atom): Misfit[] {
  // Any value is valid there, at any depth.
  if (value === null || atom === untypedAtom) return [];
  const part = partFor(atom, value);
  if (part === 'map' && atom.map) return checkMap(value, atom.map);
  if (part === 'list' && atom.list) return checkList(value, atom.list);
  return checkScalar(value, atom.scalar ?? 'untyped');
}

function checkMap(value: unknown, map: MapAtom): Misfit[] {
  if (!isObject(value)) return [{ path: '', message: `expected map, got &{${printGo(value)}}` }];
  const misfits: Misfit[] = [];
  for (const [name, item] of Object.entries(value)) {
    const atom = fieldAtom(map, name);
    if (!atom) return [...misfits, { path: `.${name}`, message: 'field not declared in schema' }];
    appendAll(misfits, below(`.${name}`, checkValue(item, atom)));
  }
  return misfits;
}

function checkList(value: unknown, list: ListAtom): Misfit[] {
  if (!Array.isArray(value)) return [{ path: '', message: `expected list, got &{${printGo(value)}}` }];
  const misfits: Misfit[] = [];
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    let step = `[${index}]`;
    if (!list.isAtomic) {
      try {
        const element = listElement(list, item);
        step = displayElement(element);
        if (seen.has(element)) misfits.push({ path: '', message: `duplicate entries for key ${step}` });
        seen.add(element);
      } catch (error) {
        if (!(error instanceof ListItemError)) throw error;
        return [...misfits, { path: '', message: `element ${index}: ${error.message}` }];
      }
    }
    appendAll(misfits, below(step, checkValue(item, list.item)));
  }
  return misfits;
}

function checkScalar(value: unknown, type: ScalarAtom): Misfit[] {
  const message = scalarProblem(value, type);
  return message === undefined ? [] : [{ path: '', message }];
}

function scalarProblem(value: unknown, type: ScalarAtom): string | undefined {
  switch (type) {
    case 'numeric':
      return isNumber(value) ? undefined : `expected numeric (int or float), got ${goTypeName(value)}`;
    case 'string':
      if (typeof value === 'string') return undefined;
      return `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${printGo(value)}}`;
    default:
      return typeof value === 'object' ? `expected any scalar, got &{${printGo(value)}}` : undefined;
  }
}

function below(step: string, misfits: readonly Misfit[]): Misfit[] {
  return misfits.map(({ path, message }) => ({ path: step + path, message }));
}
