import { type JsonObject, isObject } from '../../json/json-object.ts';

/** Go's field names, in order: the annotation uses them unchanged. */
const rules = ['ScaleUp', 'ScaleDown'];
const ofRules = ['StabilizationWindowSeconds', 'SelectPolicy', 'Policies', 'Tolerance'];
const ofPolicy = ['Type', 'Value', 'PeriodSeconds'];

/** Encodes a behavior for the annotation of autoscaling/v1. */
export function behaviorToText(behavior: JsonObject): string {
  const policy = (value: unknown) => inGo(value, ofPolicy);
  const policies = (value: unknown) => (Array.isArray(value) ? value.map(policy) : null);
  const rulesInGo = (value: unknown) => inGo(value, ofRules, { Policies: policies });
  return JSON.stringify(inGo(behavior, rules, { ScaleUp: rulesInGo, ScaleDown: rulesInGo }));
}

/** Decodes a behavior from the annotation; undefined if it has none. */
export function behaviorOfText(value: unknown): JsonObject | undefined {
  if (!isObject(value)) return undefined;
  const policies = (list: unknown) =>
    Array.isArray(list) ? list.map((item) => inJson(item, ofPolicy)) : undefined;
  const rulesInJson = (item: unknown) =>
    isObject(item) ? inJson(item, ofRules, { Policies: policies }) : undefined;
  const behavior = inJson(value, rules, { ScaleUp: rulesInJson, ScaleDown: rulesInJson });
  return Object.keys(behavior).length === 0 ? undefined : behavior;
}

type Converters = Record<string, (value: unknown) => unknown>;

function inGo(value: unknown, names: readonly string[], converters: Converters = {}): unknown {
  if (!isObject(value)) return null;
  const entries = names.map((name): [string, unknown] => {
    const field: unknown = value[lower(name)] ?? null;
    return [name, field === null ? null : (converters[name]?.(field) ?? field)];
  });
  return Object.fromEntries(entries);
}

function inJson(value: unknown, names: readonly string[], converters: Converters = {}): JsonObject {
  if (!isObject(value)) return {};
  const entries = names.flatMap((name): [string, unknown][] => {
    const field: unknown = value[name] ?? null;
    const converted = field === null ? undefined : name in converters ? converters[name]?.(field) : field;
    return converted === undefined ? [] : [[lower(name), converted]];
  });
  return Object.fromEntries(entries);
}

function lower(name: string): string {
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
}
