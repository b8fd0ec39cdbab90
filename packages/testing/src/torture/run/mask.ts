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

/** A state without what chance decides. */
export function masked(state: ClusterState, mask: Mask): ClusterState {
  return mask.reduce<ClusterState>((left, path) => without(left, path), state);
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
