import { inOrder } from '../../support/in-order.ts';
import { normalize, refusal } from '../../support/normalize.ts';
import type { Answer } from '../../support/session.ts';

const uids = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;
/** A server prints its internal form of a template. */
const template = /(template(?:\.spec)?: Invalid value: )\{.*\}(: field is immutable)/g;

/** An answer without what differs from run to run: a refusal, or the object; and the warnings. */
export function outcome(answer: Answer, show: (object: any) => unknown): unknown {
  const { code, body, warnings } = answer;
  const made = code < 300 ? show(normalize(body)) : undefined;
  const said = made === undefined ? refusal(answer) : warnings.length > 0 ? { made, warnings } : made;
  const text = JSON.stringify(said).replaceAll(uids, 'UID');
  return inOrder(
    JSON.parse(text, (_key, value) =>
      typeof value === 'string' ? value.replaceAll(template, '$1…$2') : value,
    ),
  );
}
