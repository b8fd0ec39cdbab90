import type { AdmissionAttributes } from '../../registry/admission.ts';

/** Whether a request writes a whole pod rather than a part of it. */
export function isPodWrite({ target: { resource, subresource } }: AdmissionAttributes): boolean {
  return resource.plural === 'pods' && resource.group === '' && subresource === '';
}

/** Whether a request resizes a pod. */
export function isPodResize({ operation, target: { resource, subresource } }: AdmissionAttributes): boolean {
  const isPod = resource.group === '' && resource.plural === 'pods';
  return operation === 'UPDATE' && subresource === 'resize' && isPod;
}
