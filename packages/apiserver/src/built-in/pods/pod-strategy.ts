import type { ApiObject } from '../../objects/api-object.ts';
import { isObject } from '../../objects/json-object.ts';
import { BuiltInStrategy } from '../built-in-strategy.ts';

const finished: readonly unknown[] = ['Succeeded', 'Failed'];

/** Pods have time to end, once they run on a node. */
export class PodStrategy extends BuiltInStrategy {
  override gracePeriodOf({ spec, status }: ApiObject, asked: number | undefined): number {
    const { nodeName, terminationGracePeriodSeconds } = isObject(spec) ? spec : {};
    const isScheduled = typeof nodeName === 'string' && nodeName !== '';
    if (!isScheduled || (isObject(status) && finished.includes(status['phase']))) return 0;
    if (asked !== undefined) return asked;
    // Pods are stored as they are sent: this one has the default of the field.
    return Number.isInteger(terminationGracePeriodSeconds) ? Number(terminationGracePeriodSeconds) : 30;
  }
}
