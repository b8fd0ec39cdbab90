import { isDeepStrictEqual } from 'node:util';
import type { Slice } from './new-slice.ts';
import type { SlicePlan } from './plan-slices.ts';

/** Keeps one slice without endpoints where a plan would leave none. @param slices those that exist */
export function placeholderOr(plan: SlicePlan, slices: readonly Slice[], placeholder: Slice): SlicePlan {
  if (slices.length !== plan.delete.length || plan.create.length > 0) return plan;
  const [only] = plan.delete;
  return plan.delete.length === 1 && only && isLike(only, placeholder)
    ? { ...plan, delete: [] }
    : { ...plan, create: [placeholder] };
}

/** Changes slices that would be deleted into those that would be created. @param canReuse false for one of an earlier Service */
export function reuseDeleted(plan: SlicePlan, canReuse: (slice: Slice) => boolean): SlicePlan {
  const create = [...plan.create];
  const update = [...plan.update];
  const deleted = plan.delete.filter((slice) => {
    const next = canReuse(slice) ? create.pop() : undefined;
    if (next) update.push({ ...next, metadata: { ...next.metadata, name: slice.metadata.name! } });
    return !next;
  });
  return { create, update, delete: deleted };
}

function isLike(a: Slice, b: Slice): boolean {
  return (
    isDeepStrictEqual(a.metadata.labels, b.metadata.labels) &&
    isDeepStrictEqual(a.endpoints ?? [], b.endpoints ?? []) &&
    isDeepStrictEqual(a.ports ?? [], b.ports ?? [])
  );
}
