import type { Request } from './reconciler.ts';

/** The request for the object of these metadata. */
export function requestOf({
  name = '',
  namespace,
}: {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}): Request {
  return namespace ? { name, namespace } : { name };
}
