import type { KubernetesObject } from 'ots-kubernetes';
import { SelectorError } from './selector-error.ts';

/** True when the metadata of an object meets a selector. */
export type FieldMatcher = (object: KubernetesObject) => boolean;

const termPattern = /^([^=!,\\]+)(==|!=|=)((?:[^=!,\\]|\\[=,\\])*)$/;

/**
 * Prepares the text of a field selector, as after `kubectl --field-selector`, for testing objects. Undefined when it
 * asks for other fields than the name and the namespace: what those mean is known to the server alone.
 * @throws {SelectorError} when Kubernetes would refuse it.
 */
export function fieldMatcher(text: string): FieldMatcher | undefined {
  const terms = text.split(/(?<!\\),/).filter((term) => term !== '');
  const matchers = terms.map((term) => {
    const [, field, operator, value] = termPattern.exec(term) ?? [];
    if (field === undefined || value === undefined) throw invalid(text, term);
    return matcherOf(field, operator !== '!=', value.replaceAll(/\\([=,\\])/g, '$1'));
  });
  if (matchers.includes(undefined)) return undefined;
  return (object) => matchers.every((matches) => matches!(object));
}

function matcherOf(field: string, wanted: boolean, value: string): FieldMatcher | undefined {
  if (field === 'metadata.name') return ({ metadata }) => ((metadata.name ?? '') === value) === wanted;
  if (field === 'metadata.namespace')
    return ({ metadata }) => ((metadata.namespace ?? '') === value) === wanted;
  return undefined;
}

function invalid(text: string, term: string): SelectorError {
  return new SelectorError(
    `The field selector ${JSON.stringify(text)} has ${JSON.stringify(term)}, which compares nothing`,
    'Write it as for kubectl --field-selector: field=value or field!=value, joined by commas.',
  );
}
