import { appendAll } from '../json/append-all.ts';
import type { ApiObject } from '../json/api-object.ts';
import type { Configuration } from '../registry/apply.ts';
import type { Machinery } from '../registry/machinery.ts';
import type { Resource } from '../registry/resource.ts';
import type { Target, WriteOptions } from '../registry/target.ts';
import type { Updated } from '../registry/update.ts';
import { badRequest } from '../status/errors.ts';
import { StatusError } from '../status/status-error.ts';
import { applyPatch } from './apply-patch.ts';
import { type DecodedObject, type FieldValidation, checkNesting, readObject } from './decode-body.ts';
import type { Handler, ObjectContext } from './object-context.ts';
import { readWriteOptions } from './options.ts';
import { conversionError, parseConfiguration } from './parse-configuration.ts';
import { readPatch } from './read-patch.ts';
import { type Reply, json } from './reply.ts';

/** How to change what an endpoint serves. */
export interface UpdateOperations {
  /** The kind of the body. */
  bodyOf(target: Target): Resource;
  /** Replaces the message about a body that cannot be decoded. */
  refusalOf?(target: Target): Error | undefined;
  replace(machinery: Machinery, target: Target, object: ApiObject, options: WriteOptions): Promise<Updated>;
  patch(
    machinery: Machinery,
    target: Target,
    apply: (object: ApiObject) => ApiObject,
    options: WriteOptions,
  ): ApiObject | Promise<ApiObject>;
  apply(
    machinery: Machinery,
    target: Target,
    configuration: Configuration,
    options: WriteOptions & { manager: string },
  ): Promise<Updated>;
}

/** Handles updates and patches and returns the result. */
export function updateHandlers(operations: UpdateOperations): { update: Handler; patch: Handler } {
  return {
    update: (context) => update(context, operations),
    patch: (context) => patch(context, operations),
  };
}

async function update(context: ObjectContext, operations: UpdateOperations): Promise<Reply> {
  const { machinery, request, target } = context;
  const options = readWriteOptions(request, 'UpdateOptions');
  const { object: sent, warnings } = await read(context, operations, options.fieldValidation);
  appendAll(options.warnings, warnings);
  const { object, created } = await operations.replace(machinery, target, sent, options);
  return json(created ? 201 : 200, object);
}

async function read(
  { request, target }: ObjectContext,
  operations: UpdateOperations,
  fieldValidation: FieldValidation,
): Promise<DecodedObject> {
  try {
    return await readObject(request, operations.bodyOf(target), fieldValidation);
  } catch (error) {
    const isUnreadable = error instanceof StatusError && error.status.reason === 'BadRequest';
    throw (isUnreadable && operations.refusalOf?.(target)) || error;
  }
}

async function patch(context: ObjectContext, operations: UpdateOperations): Promise<Reply> {
  const { machinery, request, target } = context;
  const { type, source } = await readPatch(request, target.resource);
  if (type === 'apply') return applyPatched(context, operations, source);
  const options = readWriteOptions(request, 'PatchOptions');
  const apply = (old: ApiObject) => {
    const patched = applyPatch({ type, source }, old, operations.bodyOf(target), options.fieldValidation);
    appendAll(options.warnings, patched.warnings);
    return patched.object;
  };
  return json(200, await operations.patch(machinery, target, apply, options));
}

async function applyPatched(
  { machinery, request, target }: ObjectContext,
  operations: UpdateOperations,
  source: string,
): Promise<Reply> {
  const options = readWriteOptions(request, 'PatchOptions', true);
  const { value, problems } = await parseConfiguration(source);
  checkNesting(value, operations.bodyOf(target));
  const configuration = {
    value,
    force: options.force,
    // Strict-decoding errors are checked once the configuration could be applied.
    check() {
      if (problems.length === 0 || options.fieldValidation !== 'Strict') return;
      const lines = problems.map((problem) => `\n  ${problem}`).join('');
      throw badRequest(`error strict decoding YAML: ${conversionError} unmarshal errors:${lines}`);
    },
  };
  if (options.fieldValidation === 'Warn') appendAll(options.warnings, problems);
  const { object, created } = await operations.apply(machinery, target, configuration, options);
  return json(created ? 201 : 200, object);
}
