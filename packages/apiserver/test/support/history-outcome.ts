import { ownersOf, sorted } from './apply-session.ts';
import { masked } from './masked.ts';
import { normalize, refusal } from './normalize.ts';
import type { Answer } from './session.ts';

/** Texts in which a server prints its internal form of an object, or its own order. */
const dumps = [
  /(?<=: Invalid value: )\{.*\}(?=: field is immutable)/gs,
  /(?<=patch: Invalid value: ").*(?=": )/gs,
  /(?<=may not change fields other than [^\n]*)\n.*/gs,
  /(?<=spec is immutable after creation except [^\n]*)\n.*/gs,
  // The server stops at the first unknown field, and checks fields in any order.
  /(?<=failed to create typed patch object .*\): ).*field not declared in schema.*/gs,
];
const picked = /"((?:n|healthCheckN)odePort)":(?!30010\b)\d+/g;
const address = /"10\.0\.0\.(?!12")\d+"/g;

/** Everything that a client sees of an object, except what differs from run to run. */
export function seen(object: any): object {
  const { deletionTimestamp, ...metadata } = object.metadata ?? {};
  // A real server lists those of a namespace in any order.
  if (object.kind === 'Namespace' && metadata.finalizers)
    metadata.finalizers = metadata.finalizers.toSorted();
  const shown = { ...object, metadata: { ...metadata, isDeleting: deletionTimestamp !== undefined } };
  return steadied({ object: sorted(normalize(shown)), owners: ownersOf(object) });
}

/** The parts of an answer that a client can rely on. */
export function historyOutcome(answer: Answer): unknown {
  const { code, body, warnings } = answer;
  const said = body.kind === 'Status' && code >= 400 ? refusal(answer) : seen(body);
  return { code, warnings, said: steadied(said) };
}

/** A value without what a server chooses, and without its internal forms. */
export function steadied<T>(value: T): T {
  const text = JSON.stringify(masked(value))
    .replaceAll(picked, '"$1":"<port>"')
    .replaceAll(address, '"<address>"');
  return JSON.parse(text, (_key, item) => (typeof item === 'string' ? withoutDumps(item) : item));
}

/** The embedded server drops empty values. A real one may keep them internally. */
function withoutDumps(value: string): string {
  const text = value.replaceAll(/(?<=: Invalid value: )(\{\}|\[\])(?=: )/g, 'null');
  return dumps.reduce((rest, dump) => rest.replaceAll(dump, '…'), text);
}
