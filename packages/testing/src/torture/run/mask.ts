import type { ClusterState } from '../../convergence/cluster-state.ts';

/** The fields that chance decides: the keys from the name of an object to the field. */
export type Mask = readonly (readonly string[])[];

/** The fields in which two states differ. */
export function maskOf(one: unknown, other: unknown, path: readonly string[] = []): Mask {
  if (Object.is(one, other)) return [];
  if (!isNode(one) || !isNode(other)) return [path];
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return keys.flatMap((key) => maskOf(one[key], other[key], [...path, key]));
}

/** A state without what chance decides, and without empty lists and objects, which mean the same as none. */
export function masked(state: ClusterState, mask: Mask): ClusterState {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a state remains one
  return withoutEmpty(mask.reduce<ClusterState>((left, path) => without(left, path), state)) as ClusterState;
}

function withoutEmpty(value: unknown): unknown {
  if (!isNode(value)) return value;
  if (Array.isArray(value)) return value.map(withoutEmpty);
  const entries = Object.entries(value).map(([key, below]) => [key, withoutEmpty(below)] as const);
  return Object.fromEntries(entries.filter(([, below]) => !isNode(below) || Object.keys(below).length > 0));
}

function without(state: ClusterState, [key = '', ...rest]: readonly string[]): ClusterState {
  if (!(key in state)) return state;
  const value = state[key];
  if (rest.length > 0 && isNode(value)) return { ...state, [key]: without(value, rest) };
  const { [key]: _, ...others } = state;
  return others;
}

function isNode(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
