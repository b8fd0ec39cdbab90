import { createLogger } from '../logging/create-logger.ts';
import { groupOf } from '../objects/group-of.ts';
import type { AdmissionContext } from '../webhook/admission-context.ts';
import type { AdmissionRequest } from '../webhook/admission-review.ts';

/** The parts of an admission request that a test sets. */
export interface AdmissionContextOptions extends Partial<Omit<AdmissionContext, 'request'>> {
  /** Fields of the request; the others are derived from these and from the other options. */
  request?: Partial<AdmissionRequest> | undefined;
}

const administrator = { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/**
 * Creates the context of an admission request, to call a defaulter or a validator:
 * `validator.validateCreate(app, admissionContext())`.
 * @param options what the test needs. By default an administrator sends the object, and it is not a dry run; the signal
 *   never aborts, the logger is silent, and warnings go nowhere. The operation is that of `request.object` and
 *   `request.oldObject`: `CREATE` without an old one, `DELETE` without a new one, `UPDATE` with both. The kind, the
 *   name and the namespace of the request are those of the object.
 */
export function admissionContext(options: AdmissionContextOptions = {}): AdmissionContext {
  const { request = {}, ...overrides } = options;
  const operation = overrides.operation ?? request.operation ?? operationOn(request);
  const user = overrides.user ?? request.userInfo ?? administrator;
  const dryRun = overrides.dryRun ?? request.dryRun ?? false;
  const subresource = overrides.subresource ?? request.subResource;
  const { apiVersion = '', kind = '', metadata } = request.object ?? request.oldObject ?? {};
  const group = groupOf(apiVersion);
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  return {
    signal: new AbortController().signal,
    logger: createLogger({ level: 'silent' }),
    warn: () => {},
    ...overrides,
    operation,
    user,
    dryRun,
    ...(subresource !== undefined && { subresource }),
    request: {
      uid: crypto.randomUUID(),
      kind: { group, version, kind },
      resource: { group, version, resource: '' },
      ...(metadata?.name !== undefined && { name: metadata.name }),
      ...(metadata?.namespace !== undefined && { namespace: metadata.namespace }),
      ...request,
      operation,
      userInfo: user,
      dryRun,
      ...(subresource !== undefined && { subResource: subresource }),
    },
  };
}

function operationOn({ object, oldObject }: Partial<AdmissionRequest>): AdmissionRequest['operation'] {
  if (!oldObject) return 'CREATE';
  return object ? 'UPDATE' : 'DELETE';
}
