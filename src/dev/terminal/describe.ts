import type {
  ConditionState,
  ObjectState,
  OperatorState,
  ReconcileRequestState,
  ReconcileState,
} from '../model/dev-state.ts';
import type { Style } from './line.ts';

/** A duration for people, such as `34 ms`, `1.2 s` or `5 min`. */
export function describeDuration(seconds: number): string {
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 119.5) return `${Number(seconds.toFixed(seconds < 9.95 ? 1 : 0))} s`;
  if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} min`;
  return `${Number((seconds / 3600).toFixed(1))} h`;
}

/** A time of day as hh:mm:ss, in the time zone of this machine. */
export function describeTime(time: Date): string {
  const parts = [time.getHours(), time.getMinutes(), time.getSeconds()];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** `namespace/name`, or the name of an object of the cluster. */
export function nameOf({ namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

const reads: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const pastTenses: Readonly<Record<string, string>> = {
  apply: 'applied',
  create: 'created',
  delete: 'deleted',
  deletecollection: 'deleted all of',
  patch: 'patched',
  update: 'updated',
};

export function isWrite({ verb }: ReconcileRequestState): boolean {
  return !reads.has(verb);
}

/** What a reconcile wrote, such as `applied deployments, memcacheds/status; deleted 3 pods`, or `wrote nothing`. Without API groups. */
export function describeWrites(requests: readonly ReconcileRequestState[]): string {
  const counts = new Map<string, Map<string, number>>();
  for (const { verb, resource, code = 200 } of requests.filter(isWrite)) {
    const ofVerb = counts.get(verb) ?? new Map<string, number>();
    const short = resource.replace(/\.[^/]*/, '');
    const what = code < 400 ? short : `${short} (${code})`;
    counts.set(verb, ofVerb.set(what, (ofVerb.get(what) ?? 0) + 1));
  }
  if (counts.size === 0) return 'wrote nothing';
  const texts = Array.from(counts, ([verb, ofVerb]) => {
    const what = Array.from(ofVerb, ([resource, count]) => (count === 1 ? resource : `${count} ${resource}`));
    return `${pastTenses[verb] ?? verb} ${what.join(', ')}`;
  });
  return texts.join('; ');
}

/** What a reconcile returned; undefined while it runs. Without the error. */
export function describeOutcome({ result, duration = 0 }: ReconcileState): string | undefined {
  const time = describeDuration(duration);
  if (result === undefined) return undefined;
  if (result.outcome === 'done') return `done in ${time}`;
  if (result.outcome === 'requeue') return `done in ${time}, again in ${describeDuration(result.after)}`;
  if (result.outcome === 'interrupted') return `interrupted after ${time}`;
  const { attempt, retryAfter } = result;
  const next = retryAfter === undefined ? 'not tried again' : `next in ${describeDuration(retryAfter)}`;
  return `failed in ${time} (attempt ${attempt}, ${next})`;
}

/** Why a reconcile ran. */
export function describeReasons({ reasons }: ReconcileState): string {
  return reasons.length === 0 ? 'reason unknown' : reasons.join('; ');
}

/** Condition types whose `True` is bad news. */
const badTypes = /Fail|Error|Degraded|Pressure|Unavailable|Stalled|Invalid|Conflict|Disruption/;

export type Health = 'good' | 'bad' | 'unknown';

/** What a condition means, guessed from its type: Kubernetes does not say which status is the good one. */
export function healthOf({ type, status }: ConditionState): Health {
  if (status !== 'True' && status !== 'False') return 'unknown';
  return (status === 'True') === badTypes.test(type) ? 'bad' : 'good';
}

export const healthStyles = { good: 'green', bad: 'red', unknown: 'yellow' } as const satisfies Record<
  Health,
  Style
>;

/** A condition as `Ready=True`, with the reason and the message when it is not good news. */
export function describeCondition(condition: ConditionState): string {
  const { type, status, reason, message } = condition;
  if (healthOf(condition) === 'good') return `${type}=${status}`;
  const why = [reason, message].filter((text) => text !== undefined && text !== '').join(': ');
  return why === '' ? `${type}=${status}` : `${type}=${status} ${why}`;
}

/** Printer columns with a value, but for those that only repeat the status of a condition, which an object of the project shows. */
export function columnsBeside(object: ObjectState): ObjectState['columns'] {
  const types = new Set(isOfProject(object) ? object.conditions.map(({ type }) => type) : []);
  return object.columns.filter(
    ({ name, value }) => value !== '' && !(types.has(name) && /^(?:True|False|Unknown)$/.test(value)),
  );
}

/** Whether an object is the concern of the author: of a kind that is not one of Kubernetes, or owned by none that is shown. */
export function isOfProject({ apiVersion, owners }: ObjectState): boolean {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return owners.length === 0 || (group.includes('.') && !group.endsWith('.k8s.io'));
}

/** The last good version of the sources, if that runs although the present ones have errors. */
export function describeRemains({ phase, pid }: OperatorState): string | undefined {
  return phase === 'broken' && pid !== undefined ? 'the last good version still runs' : undefined;
}

export const phaseStyles = {
  building: 'yellow',
  starting: 'yellow',
  running: 'green',
  broken: 'red',
  crashed: 'red',
  stopped: 'dim',
} as const satisfies Record<OperatorState['phase'], Style>;

/** A command for the shells of Linux and macOS that lets kubectl use the cluster. */
export function exportKubeconfig(path: string): string {
  return `export KUBECONFIG=${/^[\w/.:@%+=-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`}`;
}
