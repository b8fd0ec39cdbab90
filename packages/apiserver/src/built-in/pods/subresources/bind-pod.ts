import { cloneJson } from '../../../json/clone-json.ts';
import type { Binding, Pod } from 'ots-kubernetes/core/v1';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import type { ApiObject } from '../../../json/api-object.ts';
import { badRequest, conflict, notFound } from '../../../status/errors.ts';
import { type FieldError, notSupported, required } from '../../../status/field-error.ts';
import { StatusError } from '../../../status/status-error.ts';
import type { StoredRecord } from '../../../storage/stored-record.ts';
import { checkUid, preconditionFailed } from '../../../registry/check-uid.ts';
import { type Machinery, timestamp } from '../../../registry/machinery.ts';
import { type Answer, keyOf, resourceName } from '../../../registry/resource.ts';
import type { Target, WriteOptions } from '../../../registry/target.ts';
import { viewOf } from '../../../registry/views.ts';
import { setCondition } from './set-condition.ts';
import { success } from './success.ts';

/**
 * Assigns a pod to a node, as a scheduler requests. Neither generation nor managed fields change.
 *
 * @throws {StatusError} 409 when the pod cannot be assigned, or is not the one in the binding
 */
export const bindPod: Answer = (machinery, target, body, options) => {
  const binding = asBinding(body);
  if (binding.metadata.name !== target.name)
    throw badRequest('name in URL does not match name in Binding object');
  const [error] = validate(binding);
  if (error) throw new StatusError(500, undefined, `${error.field}: ${error.message}`);
  const { resource, namespace, name } = target;
  const record = resource.table.get(keyOf(resource, namespace, name));
  if (!record) throw notFound(resourceName(resource), name);
  checkUid(target, binding.metadata.uid, record, options);
  checkVersion(target, binding, record, options);
  const pod = cloneJson(viewOf(resource, record));
  assign(machinery, asPod(pod), binding);
  if (!options.dryRun) resource.table.put(record.key, resource.strategy.toStorage(pod));
  return success;
};

/** `POST …/bindings`: the binding itself names the pod. */
export const bindNamedPod: Answer = (machinery, target, body, options) => {
  const pods = machinery.registry.find('', 'v1', 'pods');
  if (!pods) throw notFound({ group: '', name: 'pods' }, '');
  const { name = '' } = body.metadata;
  if (name === '') throw badRequest('Name parameter required.');
  return bindPod(machinery, { ...target, resource: pods, name, subresource: 'binding' }, body, options);
};

function validate({ target }: BuiltInObject<Binding>): FieldError[] {
  const { kind = '', name = '' } = target;
  return [
    ...(kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(name === '' ? [required('target.name')] : []),
  ];
}

function checkVersion(
  target: Target,
  { metadata }: ApiObject,
  record: StoredRecord,
  options: WriteOptions,
): void {
  const { resourceVersion: sent } = metadata;
  const stored = `${record.revision}`;
  if (sent === undefined || sent === stored) return;
  throw preconditionFailed(target, { field: 'ResourceVersion', sent, stored }, options);
}

function assign(
  machinery: Machinery,
  pod: BuiltInObject<Pod>,
  { metadata, target }: BuiltInObject<Binding>,
): void {
  const { spec, metadata: own } = pod;
  const refuse = (detail: string) => conflict({ group: '', name: 'pods/binding' }, own.name ?? '', detail);
  if (own.deletionTimestamp !== undefined)
    throw refuse(`pod ${own.name} is being deleted, cannot be assigned to a host`);
  if (spec?.nodeName) throw refuse(`pod ${own.name} is already assigned to node "${spec.nodeName}"`);
  if (spec?.schedulingGates?.length) throw refuse(`pod ${own.name} has non-empty .spec.schedulingGates`);
  if (spec) spec.nodeName = target.name ?? '';
  if (metadata.annotations) own.annotations = { ...own.annotations, ...metadata.annotations };
  if (metadata.labels) own.labels = { ...own.labels, ...metadata.labels };
  const status: Record<string, unknown> = { ...pod.status };
  delete status['nominatedNodeName'];
  setCondition(status, { type: 'PodScheduled', status: 'True', lastProbeTime: null }, timestamp(machinery));
  pod['status'] = status;
}

function asBinding(object: ApiObject): BuiltInObject<Binding> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding a body gives every field its type
  return object as BuiltInObject<Binding>;
}

function asPod(object: ApiObject): BuiltInObject<Pod> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is stored was decoded
  return object as BuiltInObject<Pod>;
}
