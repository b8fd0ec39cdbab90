import type { RecordedRequest } from 'ots-apiserver';
import type { RequestRecord } from 'ots-runtime/debugging';

/** A request as the API server would report it. @param request as the operator does */
export function recordedRequest(request: RequestRecord, user: string): RecordedRequest {
  const { verb, group = '', resource = '', subresource = '', namespace = '', name = '', path = '' } = request;
  const isCreated = verb === 'create' && subresource === '';
  return {
    verb,
    group,
    resource,
    subresource,
    namespace,
    name: isCreated ? '' : name,
    path,
    user,
    code: request.status ?? 0,
    milliseconds: request.durationSeconds * 1000,
    dryRun: request.dryRun ?? false,
    annotations: request.denied ? { 'authorization.k8s.io/decision': 'forbid' } : {},
  };
}
