import { type FieldTerm, parseFieldSelector } from 'ots-apimachinery/selectors/field-selector';
import type { KubernetesObject } from 'ots-kubernetes';
import { SelectorError } from './selector-error.ts';

/** True when the metadata of an object meets a selector. */
export type FieldMatcher = (object: KubernetesObject) => boolean;

/**
 * Compiles the text of a field selector, as after `kubectl --field-selector`, for testing objects.
 *
 * @returns undefined when it selects by fields other than the name and the namespace: only the server supports those
 * @throws {SelectorError} when Kubernetes would refuse it.
 */
export function fieldMatcher(text: string): FieldMatcher | undefined {
  const matchers = termsOf(text).map(({ field, value, negated }) => matcherOf(field, !negated, value));
  if (matchers.includes(undefined)) return undefined;
  return (object) => matchers.every((matches) => matches!(object));
}

function termsOf(text: string): FieldTerm[] {
  try {
    const terms = parseFieldSelector(text);
    if (terms.some(({ field }) => field === '')) throw new SyntaxError('a term names no field');
    return terms;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SelectorError(
      `The field selector ${JSON.stringify(text)} is not valid: ${error.message}`,
      'Write it as for kubectl --field-selector: field=value or field!=value, joined by commas.',
    );
  }
}

function matcherOf(field: string, wanted: boolean, value: string): FieldMatcher | undefined {
  if (field === 'metadata.name') return ({ metadata }) => ((metadata.name ?? '') === value) === wanted;
  if (field === 'metadata.namespace')
    return ({ metadata }) => ((metadata.namespace ?? '') === value) === wanted;
  return undefined;
}
