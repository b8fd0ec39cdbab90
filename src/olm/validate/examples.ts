import { type JsonObject, isObject, textOf } from '../bundle/json.ts';
import { gvkOf } from './group-version-kind.ts';

/** The examples and their kinds, or what is wrong with the annotation. */
export type Examples =
  | { readonly kinds: ReadonlySet<string>; readonly examples: readonly JsonObject[] }
  | { readonly detail: string; readonly problem: string };

const none: Examples = { kinds: new Set(), examples: [] };

/** Reads the annotation with examples: a list of objects in JSON. An empty text is an empty list. */
export function readExamples(text: string): Examples {
  if (text === '') return none;
  let examples: unknown;
  try {
    examples = JSON.parse(text);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message.split('\n')[0]! : '';
    return { detail: `metadata.annotations[alm-examples] is not JSON: ${problem}`, problem };
  }
  if (examples === null) return none;
  if (!Array.isArray(examples)) return refused('they are not a list');
  const withoutKind = examples.findIndex((example) => !isObject(example) || textOf(example, 'kind') === '');
  if (withoutKind !== -1) return refused(`example ${withoutKind + 1} is not an object with a kind`);
  const malformed = examples.findIndex((example) => textOf(example, 'apiVersion').split('/').length > 2);
  if (malformed !== -1) return refused(`the apiVersion of example ${malformed + 1} is malformed`);
  return {
    kinds: new Set(examples.map((example) => gvkOf(textOf(example, 'apiVersion'), textOf(example, 'kind')))),
    examples: examples.filter(isObject),
  };
}

function refused(problem: string): Examples {
  return { detail: `metadata.annotations[alm-examples] cannot be read: ${problem}`, problem };
}
