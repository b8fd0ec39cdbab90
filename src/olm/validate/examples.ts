import { isObject, textOf } from '../bundle/json.ts';
import { gvkOf } from './group-version-kind.ts';

/** The kinds of the examples, or what is wrong with the annotation. */
export type Examples =
  | { readonly kinds: ReadonlySet<string> }
  | { readonly detail: string; readonly problem: string };

/** Reads the annotation with examples: a list of objects in JSON. An empty text is an empty list. */
export function readExamples(text: string): Examples {
  if (text === '') return { kinds: new Set() };
  let examples: unknown;
  try {
    examples = JSON.parse(text);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message.split('\n')[0]! : '';
    return { detail: `metadata.annotations[alm-examples] is not JSON: ${problem}`, problem };
  }
  if (examples === null) return { kinds: new Set() };
  if (!Array.isArray(examples)) return refused('they are not a list');
  const withoutKind = examples.findIndex((example) => !isObject(example) || textOf(example, 'kind') === '');
  if (withoutKind !== -1) return refused(`example ${withoutKind + 1} is not an object with a kind`);
  const malformed = examples.findIndex((example) => textOf(example, 'apiVersion').split('/').length > 2);
  if (malformed !== -1) return refused(`the apiVersion of example ${malformed + 1} is malformed`);
  return {
    kinds: new Set(examples.map((example) => gvkOf(textOf(example, 'apiVersion'), textOf(example, 'kind')))),
  };
}

function refused(problem: string): Examples {
  return { detail: `metadata.annotations[alm-examples] cannot be read: ${problem}`, problem };
}
