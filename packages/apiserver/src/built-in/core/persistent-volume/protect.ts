import type { ApiObject } from '../../../json/api-object.ts';

/** Holds an object back from its deletion while it is in use, as admission of a real server does. Changes the object. */
export function protect({ metadata }: ApiObject, finalizer: string): void {
  const { finalizers = [] } = metadata;
  if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
}
