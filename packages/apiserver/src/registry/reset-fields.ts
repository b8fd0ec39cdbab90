import type { Resource } from './resource.ts';
import { FieldSet } from '../managed-fields/field-set.ts';

const status = FieldSet.of(['f:status']);
const spec = FieldSet.of(['f:spec']);
const approval = FieldSet.of(['f:spec'], ['f:status', 'f:certificate']);
const specAndMetadata = FieldSet.of(['f:spec'], ['f:metadata']);

/** Kinds whose endpoints reset other fields than `status`. */
const special = new Map<string, { main?: FieldSet; status?: FieldSet }>([
  ['apps/deployments', { status: FieldSet.of(['f:spec'], ['f:metadata', 'f:labels']) }],
  [
    '/pods',
    {
      status: FieldSet.of(
        ['f:spec'],
        ['f:metadata', 'f:deletionTimestamp'],
        ['f:metadata', 'f:ownerReferences'],
      ),
    },
  ],
  [
    'certificates.k8s.io/certificatesigningrequests',
    {
      main: FieldSet.of(['f:spec'], ['f:status']),
      status: FieldSet.of(['f:spec'], ['f:status', 'f:conditions']),
    },
  ],
  ...[
    'admissionregistration.k8s.io/validatingadmissionpolicies',
    'flowcontrol.apiserver.k8s.io/flowschemas',
    'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations',
    'networking.k8s.io/servicecidrs',
    'resource.k8s.io/devicetaintrules',
    'resource.k8s.io/resourceclaims',
    'storage.k8s.io/volumeattachments',
  ].map((id): [string, { status: FieldSet }] => [id, { status: specAndMetadata }]),
]);

/**
 * The fields that an endpoint resets to their old values: a client that sends them there does not own them.
 *
 * @param subresource empty for the object itself
 */
export function resetFieldsOf(
  { group, plural, custom, strategy }: Resource,
  subresource: string,
): FieldSet | undefined {
  const kind = custom ? { status: specAndMetadata } : (special.get(`${group}/${plural}`) ?? {});
  if (subresource === '') return kind.main ?? (strategy.hasStatus ? status : undefined);
  if (subresource === 'status') return kind.status ?? spec;
  if (subresource === 'approval') return approval;
  return subresource === 'finalize' ? status : undefined;
}
