import type { ApiObject } from '../../../json/api-object.ts';

/** Adds the finalizer that protects an object in use, as a real server's admission does. Changes the object. */
export function protect({ metadata }: ApiObject, finalizer: string): void {
  const { finalizers = [] } = metadata;
  if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
}
