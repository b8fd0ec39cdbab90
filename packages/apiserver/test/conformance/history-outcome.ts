import { ownersOf, sorted } from './apply-session.ts';
import { masked } from './masked.ts';
import { normalize, refusal } from './normalize.ts';
import type { Answer } from './session.ts';

/** What a server shows of an object as it holds it inside, or as text in an order of its own. */
const dumps = [
  /(?<=: Invalid value: )\{.*\}(?=: field is immutable)/gs,
  /(?<=patch: Invalid value: ").*(?=": )/gs,
  /(?<=may not change fields other than [^\n]*)\n.*/gs,
  /(?<=spec is immutable after creation except [^\n]*)\n.*/gs,
  // It stops at the first field that it does not know, and looks at them in any order.
  /(?<=failed to create typed patch object .*\): ).*field not declared in schema.*/gs,
];
const picked = /"((?:n|healthCheckN)odePort)":(?!30010\b)\d+/g;
const address = /"10\.0\.0\.(?!12")\d+"/g;

/** All that a client sees of an object, without what differs from run to run. */
export function seen(object: any): object {
  const { deletionTimestamp, ...metadata } = object.metadata ?? {};
  // A real server gives those of a namespace in any order.
  if (object.kind === 'Namespace' && metadata.finalizers)
    metadata.finalizers = metadata.finalizers.toSorted();
  const shown = { ...object, metadata: { ...metadata, isDeleting: deletionTimestamp !== undefined } };
  return steadied({ object: sorted(normalize(shown)), owners: ownersOf(object) });
}

/** An answer with all that a client can rely on. */
export function historyOutcome(answer: Answer): unknown {
  const { code, body, warnings } = answer;
  const said = body.kind === 'Status' && code >= 400 ? refusal(answer) : seen(body);
  return { code, warnings, said: steadied(said) };
}

/** A value without what a server picks or shows as it holds it inside. */
export function steadied<T>(value: T): T {
  const text = JSON.stringify(masked(value))
    .replaceAll(picked, '"$1":"<port>"')
    .replaceAll(address, '"<address>"');
  return JSON.parse(text, (_key, item) => (typeof item === 'string' ? withoutDumps(item) : item));
}

/** What is empty is nothing to the embedded server; inside of a real one it may be there all the same. */
function withoutDumps(value: string): string {
  const text = value.replaceAll(/(?<=: Invalid value: )(\{\}|\[\])(?=: )/g, 'null');
  return dumps.reduce((rest, dump) => rest.replaceAll(dump, '…'), text);
}
