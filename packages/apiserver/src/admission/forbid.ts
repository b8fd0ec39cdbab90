import { resourceName } from '../registry/resource.ts';
import { forbidden } from '../status/errors.ts';
import type { StatusError } from '../status/status-error.ts';
import type { AdmissionAttributes } from '../registry/admission.ts';

/** The refusal of a plugin. An object without a name goes by the prefix that its name will have. */
export function forbid({ target, object }: AdmissionAttributes, detail: string): StatusError {
  const { name = '', generateName = '' } = object?.metadata ?? {};
  return forbidden(resourceName(target.resource), target.name || name || generateName || 'Unknown', detail);
}
