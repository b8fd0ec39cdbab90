import { className } from '../errors/class-name.ts';
import type { Reconciler } from './reconciler.ts';

/** How errors name a reconciler: by its class, or by its controller if it has none. */
export function reconcilerName(reconciler: Reconciler, controller: string): string {
  return className(reconciler) ?? `the controller ${controller}`;
}
