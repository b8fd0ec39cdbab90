import type { DevAction } from '../model/dev-action.ts';
import { HttpError } from './http-reply.ts';

/** What a value of an action is. A name that ends with `?` may be absent. */
type FieldType = 'text' | 'text?' | 'seconds';

const reconciledObject = { controller: 'text?', namespace: 'text?', name: 'text?' } as const;
const pod = { namespace: 'text', name: 'text' } as const;

const fieldsOf: Readonly<Record<DevAction['action'], Readonly<Record<string, FieldType>>>> = {
  restart: {},
  crash: {},
  'apply-samples': {},
  pause: reconciledObject,
  resume: reconciledObject,
  step: reconciledObject,
  advance: { seconds: 'seconds' },
  'fail-pod': pod,
  'evict-pod': pod,
  conflict: {},
  snapshot: {},
  restore: { snapshot: 'text' },
};

/** A year: more would keep the cluster busy for minutes. */
const maxAdvanceSeconds = 366 * 24 * 60 * 60;

/**
 * @param body what a client sent
 * @throws {HttpError} 400 if it is not the JSON of an action
 */
export function parseAction(body: string): DevAction {
  const value = parseObject(body);
  const { action } = value;
  if (typeof action !== 'string' || !Object.hasOwn(fieldsOf, action)) {
    throw new HttpError(400, `action: is not one of ${Object.keys(fieldsOf).join(', ')}`);
  }
  const fields = fieldsOf[action as DevAction['action']];
  const unknown = Object.keys(value).find((name) => name !== 'action' && !Object.hasOwn(fields, name));
  if (unknown !== undefined) throw new HttpError(400, `${unknown}: is not a field of ${action}`);
  for (const [name, type] of Object.entries(fields)) checkField(name, type, value[name]);
  if (fields === reconciledObject) checkReconciledObject(value);
  return value as unknown as DevAction;
}

function parseObject(body: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    throw new HttpError(400, `The body is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HttpError(400, 'The body is not a JSON object');
  }
  return value as Record<string, unknown>;
}

function checkField(name: string, type: FieldType, value: unknown): void {
  if (type === 'text?' && value === undefined) return;
  if (type === 'seconds') {
    const isDuration = typeof value === 'number' && value > 0 && value <= maxAdvanceSeconds;
    if (!isDuration) {
      throw new HttpError(400, `${name}: is not a number of seconds above 0, up to ${maxAdvanceSeconds}`);
    }
  } else if (typeof value !== 'string' || value === '') {
    throw new HttpError(400, `${name}: is not a non-empty string`);
  }
}

/** Either all objects or one: a namespace or a name alone is neither. */
function checkReconciledObject({ controller, namespace, name }: Record<string, unknown>): void {
  if (controller === undefined && namespace === undefined && name === undefined) return;
  for (const [field, value] of Object.entries({ controller, name })) {
    if (value === undefined) throw new HttpError(400, `${field}: is missing, but names the object`);
  }
}
