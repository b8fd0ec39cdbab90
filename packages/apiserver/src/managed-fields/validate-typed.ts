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
import { type Violation, TypedError } from './typed-error.ts';

/**
 * Validates an applied configuration against its schema: no unknown fields, no duplicate items.
 *
 * @throws {TypedError} when it is invalid
 */
export function validateTyped(value: unknown, atom: Atom): void {
  const violations = checkValue(value, atom);
  if (violations.length > 0) throw new TypedError(violations);
}

function checkValue(value: unknown, atom: Atom): Violation[] {
  // Any value is valid there, at any depth.
  if (value === null || atom === untypedAtom) return [];
  const part = partFor(atom, value);
  if (part === 'map' && atom.map) return checkMap(value, atom.map);
  if (part === 'list' && atom.list) return checkList(value, atom.list);
  return checkScalar(value, atom.scalar ?? 'untyped');
}

function checkMap(value: unknown, map: MapAtom): Violation[] {
  if (!isObject(value)) return [{ path: '', message: `expected map, got &{${printGo(value)}}` }];
  const violations: Violation[] = [];
  for (const [name, item] of Object.entries(value)) {
    const atom = fieldAtom(map, name);
    if (!atom) return [...violations, { path: `.${name}`, message: 'field not declared in schema' }];
    appendAll(violations, below(`.${name}`, checkValue(item, atom)));
  }
  return violations;
}

function checkList(value: unknown, list: ListAtom): Violation[] {
  if (!Array.isArray(value)) return [{ path: '', message: `expected list, got &{${printGo(value)}}` }];
  const violations: Violation[] = [];
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    let step = `[${index}]`;
    if (!list.isAtomic) {
      try {
        const element = listElement(list, item);
        step = displayElement(element);
        if (seen.has(element)) violations.push({ path: '', message: `duplicate entries for key ${step}` });
        seen.add(element);
      } catch (error) {
        if (!(error instanceof ListItemError)) throw error;
        return [...violations, { path: '', message: `element ${index}: ${error.message}` }];
      }
    }
    appendAll(violations, below(step, checkValue(item, list.item)));
  }
  return violations;
}

function checkScalar(value: unknown, type: ScalarAtom): Violation[] {
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

function below(step: string, violations: readonly Violation[]): Violation[] {
  return violations.map(({ path, message }) => ({ path: step + path, message }));
}
