import { DecodeError } from '../../decoding/decode-error.ts';
import { decodeTyped } from '../../decoding/decode-typed.ts';
import type { GoField, GoStruct, GoType } from '../../decoding/go-type.ts';
import { jsonError, wrongTypeMeta } from '../../decoding/type-meta.ts';
import { StrictErrors } from '../../decoding/strict-errors.ts';
import type { JsonObject } from '../../json/json-object.ts';
import type { Status } from '../../status/status-error.ts';
import { WebhookCallError } from '../../webhooks/webhook-call-error.ts';

/** The answer of a webhook with the types that its kind states. Empty fields are absent. */
export interface DecodedReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly response?: {
    readonly uid?: string;
    readonly allowed?: boolean;
    readonly status?: Partial<Status>;
    /** In base64. */
    readonly patch?: string;
    readonly patchType?: string;
    readonly warnings?: readonly string[];
    readonly auditAnnotations?: Readonly<Record<string, string>>;
  };
}

const group = 'admission.k8s.io';
const kind = 'AdmissionReview';
const versions = ['v1', 'v1beta1'].map((version) => `${group}/${version}`);

/**
 * Decodes the answer of a webhook.
 *
 * @param asked the apiVersion of the review that it answers
 * @throws {WebhookCallError} when it is of another kind, or a field has the wrong type
 */
export function decodeReview(answer: JsonObject, asked: string): DecodedReview {
  const wrong = wrongTypeMeta(answer);
  if (wrong !== undefined) throw new WebhookCallError(`${jsonError} ${wrong}`);
  const [apiVersion = '', sent = ''] = [answer['apiVersion'], answer['kind']].map((value) =>
    typeof value === 'string' ? value : '',
  );
  const type = { apiVersion, kind: sent };
  checkType(type, asked);
  try {
    const { response } = decodeTyped(answer, reviewType(asked), new StrictErrors());
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding gives every field its type
    return { ...type, ...(response !== undefined && { response }) } as DecodedReview;
  } catch (error) {
    if (error instanceof DecodeError) throw new WebhookCallError(error.message);
    throw error;
  }
}

/** An answer may lack its type, which is an error of its own in v1. */
function checkType({ apiVersion, kind: sent }: { apiVersion: string; kind: string }, asked: string): void {
  if (apiVersion.split('/').length > 2)
    throw new WebhookCallError(`unexpected GroupVersion string: ${apiVersion}`);
  if (apiVersion === '' || sent === '' || (apiVersion === asked && sent === kind)) return;
  const known = versions.includes(apiVersion) && sent === kind;
  if (!known && !(apiVersion === 'v1' && sent === 'Status'))
    throw new WebhookCallError(
      `no kind ${JSON.stringify(sent)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  throw new WebhookCallError(
    `converting (${version}.${sent}) to (${asked.slice(group.length + 1)}.${kind}): unknown conversion`,
  );
}

const string: GoType = { kind: 'string', name: 'string' };
const uid: GoType = { kind: 'string', name: 'types.UID' };
const int32: GoType = { kind: 'int32', name: 'int32' };

function makeTypes(version: string): GoStruct {
  const cause = structOf('v1.StatusCause', {
    reason: { kind: 'string', name: 'v1.CauseType' },
    message: string,
    field: string,
  });
  const details = structOf('v1.StatusDetails', {
    name: string,
    group: string,
    kind: string,
    uid,
    causes: { kind: 'list', name: '[]v1.StatusCause', items: cause },
    retryAfterSeconds: int32,
  });
  const metadata = structOf('v1.ListMeta', {
    selfLink: string,
    resourceVersion: string,
    continue: string,
    remainingItemCount: { kind: 'int64', name: 'int64' },
  });
  const status = structOf('v1.Status', {
    metadata,
    status: string,
    message: string,
    reason: { kind: 'string', name: 'v1.StatusReason' },
    details,
    code: int32,
  });
  const response = structOf(`${version}.AdmissionResponse`, {
    uid,
    allowed: { kind: 'bool', name: 'bool' },
    status,
    patch: { kind: 'bytes', name: '[]uint8' },
    patchType: { kind: 'string', name: `${version}.PatchType` },
    auditAnnotations: { kind: 'map', name: 'map[string]string', items: string },
    warnings: { kind: 'list', name: '[]string', items: string },
  });
  return structOf(`${version}.${kind}`, { response });
}

const types = new Map<string, GoStruct>();

/** The Go type of the part of a review that a webhook answers. */
function reviewType(apiVersion: string): GoStruct {
  let type = types.get(apiVersion);
  if (!type) types.set(apiVersion, (type = makeTypes(apiVersion.slice(group.length + 1))));
  return type;
}

/** A struct of optional fields, of which the patch type tells an empty value from none. */
function structOf(name: string, fields: Record<string, GoType>): GoStruct {
  const entries = Object.entries(fields).map(([field, type]): [string, GoField] => [
    field,
    {
      name: field,
      goPath: field,
      type,
      isForgotten: false,
      keepsZero: field === 'patchType',
      whenAbsent: undefined,
    },
  ]);
  return { kind: 'struct', name, fields: new Map(entries), written: [] };
}
