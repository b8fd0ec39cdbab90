import type { ReconciledObject } from '../model/dev-action.ts';
import type { DevState } from '../model/dev-state.ts';
import { nameOf } from './describe.ts';

/** All reconciles, or those of an object. */
export interface Pausable {
  /** Undefined for all. */
  readonly object?: ReconciledObject;
  readonly text: string;
  readonly isPaused: boolean;
}

/** What a person can pause: all reconciles first, then each object that a controller knows. */
export function pausableObjects({ operator, queues, reconciles }: DevState): readonly Pausable[] {
  const objects = [
    ...queues.flatMap(({ controller, entries }) => entries.map((entry) => ({ controller, ...entry }))),
    ...reconciles,
  ];
  const byText = new Map(operator.pausedObjects.map((text) => [text, parse(text)]));
  for (const { controller, namespace, name } of objects) {
    const object = { controller, ...(namespace !== undefined && { namespace }), name };
    byText.set(`${controller} ${nameOf(object)}`, object);
  }
  const paused = new Set(operator.pausedObjects);
  const all = { text: 'all reconciles', isPaused: operator.isPaused };
  return [
    all,
    ...Array.from(byText, ([text, object]) => ({ text, object, isPaused: paused.has(text) })).toSorted(
      (a, b) => (a.text < b.text ? -1 : 1),
    ),
  ];
}

/** Reads `<controller> <namespace>/<name>`; neither part of the name has a slash. */
function parse(text: string): ReconciledObject {
  const separator = text.lastIndexOf(' ');
  const controller = text.slice(0, separator);
  const [first = '', second] = text.slice(separator + 1).split('/');
  return second === undefined ? { controller, name: first } : { controller, namespace: first, name: second };
}
