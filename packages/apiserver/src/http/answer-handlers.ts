import { appendAll } from '../json/append-all.ts';
import type { ApiObject } from '../json/api-object.ts';
import { writeAttributes } from '../registry/admission.ts';
import { admitCreate } from '../registry/namespace-lifecycle.ts';
import { dropSystemFields, setNamespace } from '../registry/create.ts';
import type { Answer, Resource } from '../registry/resource.ts';
import type { Machinery } from '../registry/machinery.ts';
import type { Target, WriteOptions } from '../registry/target.ts';
import { trackManagers } from '../registry/track-managers.ts';
import { readObject } from './decode-body.ts';
import type { Handlers, ObjectContext } from './object-context.ts';
import { readWriteOptions } from './options.ts';
import { type Reply, json } from './reply.ts';

/** How to answer bodies that are not stored. */
export interface AnswerOptions {
  /** The kind of the body. */
  kind: Resource;
  /** Whether the UID and the times in the body count. Default false: they are dropped. */
  keepsSystemFields?: boolean;
  /** Sets what the server decides about the body, before it is validated. */
  complete?: (machinery: Machinery, target: Target, body: ApiObject, options: WriteOptions) => void;
  /** Whether to ignore the namespace's state, because the body is only a question. Default false. */
  anyNamespace?: boolean;
}

/** Decodes a body and answers it, without storing an object under its name. */
export function answersTo(answer: Answer, options: AnswerOptions): Handlers {
  return { create: (context) => create(context, answer, options) };
}

/** The handlers of a resource whose objects are not stored. */
export function answerHandlers(resource: Resource): Handlers {
  const isReview = resource.kind.endsWith('Review');
  return resource.answer
    ? answersTo(resource.answer, { kind: resource, keepsSystemFields: false, anyNamespace: isReview })
    : {};
}

async function create(
  { machinery, request, target }: ObjectContext,
  answer: Answer,
  { kind, keepsSystemFields = false, anyNamespace = false, complete }: AnswerOptions,
): Promise<Reply> {
  const options = readWriteOptions(request, 'CreateOptions');
  const { object, warnings } = await readObject(request, kind, options.fieldValidation);
  appendAll(options.warnings, warnings);
  if (!keepsSystemFields) dropSystemFields(object);
  setNamespace(target, object);
  if (!anyNamespace) admitCreate(machinery, target, target.name);
  trackManagers(machinery, { ...target, resource: kind }, { live: undefined, object }, options);
  const attributes = { ...writeAttributes('CREATE', target, { object }, options), kind };
  const mutating = machinery.admission.mutate(attributes);
  if (mutating) await mutating;
  complete?.(machinery, target, attributes.object, options);
  const validating = machinery.admission.validate(attributes);
  if (validating) await validating;
  const answered = answer(machinery, target, attributes.object, options);
  const code = 'code' in answered && typeof answered.code === 'number' ? answered.code : 201;
  return json(code, answered);
}
