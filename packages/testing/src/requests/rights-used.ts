import type { RecordedRequest } from 'ots-apiserver';

/**
 * The request, once for each right that it used: an apply or an update that creates an object needs the right to create it, too, as
 * in kube-apiserver.
 */
export function rightsUsedBy(request: RecordedRequest): RecordedRequest[] {
  const creates = request.code === 201 && ['patch', 'update'].includes(request.verb);
  return creates ? [request, { ...request, verb: 'create' }] : [request];
}
