import type { RecordedRequest } from 'ots-apiserver';
import type { RequestState } from '../model/dev-state.ts';

/** Describes a request that the API server received. @param now in milliseconds since 1970 */
export function requestState(request: RecordedRequest, now: number): RequestState {
  const { verb, group, resource, subresource, namespace, name, path, code, milliseconds } = request;
  const full = `${resource}${group === '' ? '' : `.${group}`}${subresource === '' ? '' : `/${subresource}`}`;
  return {
    at: new Date(now - milliseconds).toISOString(),
    verb,
    resource: resource === '' ? '' : full,
    ...(path !== '' && { path }),
    ...(namespace !== '' && { namespace }),
    ...(name !== '' && { name }),
    code,
    duration: milliseconds / 1000,
  };
}
