import type { ApiObject } from '../../json/api-object.ts';
import { isObject } from '../../json/json-object.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';
import type { DeleteOptions } from '../../registry/delete-options.ts';
import { finalizersOfDeletion } from '../../registry/propagation-finalizers.ts';
import { validateFinalizer } from '../../metadata/validate-metadata.ts';
import { BuiltInStrategy } from '../../registry/built-in-strategy.ts';

/** Stays in `spec.finalizers` until a namespace is empty. */
export const contentFinalizer = 'kubernetes';

/** Namespaces: they have a label with their name, and a finalizer in `spec` until they are empty. */
export class NamespaceStrategy extends BuiltInStrategy {
  override readonly terminatesInSteps = true;

  override setDefaults(object: ApiObject): void {
    // Set here already, so it belongs to the client that sends the namespace. A generated name is not known yet.
    label(object);
    object['status'] = { phase: 'Active', ...(isObject(object['status']) && object['status']) };
  }

  override prepareForCreate(object: ApiObject): void {
    super.prepareForCreate(object);
    label(object);
    const finalizers = finalizersOf(object);
    object['spec'] = {
      finalizers: finalizers.includes(contentFinalizer) ? finalizers : [...finalizers, contentFinalizer],
    };
    object['status'] = { phase: 'Active' };
  }

  override prepareForUpdate(object: ApiObject, old: ApiObject): void {
    super.prepareForUpdate(object, old);
    label(object);
    object['spec'] = old['spec'];
  }

  override terminating(object: ApiObject, options: DeleteOptions, now: string): ApiObject {
    const { finalizers: _, ...metadata } = object.metadata;
    // Only here, `orphanDependents: false` means to wait for the dependents.
    const { orphanDependents, ...others } = options;
    const policy =
      orphanDependents === false ? { ...others, propagationPolicy: 'Foreground' as const } : options;
    const finalizers = finalizersOfDeletion(object, policy, 'delete');
    return {
      ...object,
      metadata: {
        ...metadata,
        ...(finalizers.length > 0 && { finalizers: [...finalizers] }),
        deletionTimestamp: now,
      },
      status: { ...(isObject(object['status']) && object['status']), phase: 'Terminating' },
    };
  }

  override prepareForFinalize(object: ApiObject, old: ApiObject): void {
    super.prepareForFinalize(object, old);
    label(object);
    const finalizers = finalizersOf(object);
    object['spec'] = finalizers.length > 0 ? { finalizers } : {};
  }

  override validate(object: ApiObject): FieldError[] {
    return finalizersOf(object).flatMap((finalizer) => validateFinalizer(finalizer, 'spec.finalizers'));
  }

  override validateUpdate(object: ApiObject): FieldError[] {
    return finalizersOf(object).flatMap((finalizer, index) =>
      validateFinalizer(finalizer, `spec.finalizers[${index}]`),
    );
  }

  override validateStatusUpdate({ metadata, status }: ApiObject): FieldError[] {
    const isDeleting = metadata.deletionTimestamp !== undefined;
    const expected = isDeleting ? 'Terminating' : 'Active';
    const phase = isObject(status) ? status['phase'] : undefined;
    if (phase === expected) return [];
    const condition = `\`deletionTimestamp\` is ${isDeleting ? 'not ' : ''}empty`;
    return [invalid('status.Phase', phase, `may only be '${expected}' if ${condition}`)];
  }

  override isRemovalDelayed(object: ApiObject): boolean {
    return finalizersOf(object).length > 0;
  }
}

/** The finalizers of a namespace besides those of its metadata. */
export function finalizersOf({ spec }: ApiObject): string[] {
  const finalizers: unknown = isObject(spec) ? spec['finalizers'] : undefined;
  return Array.isArray(finalizers) ? finalizers.filter((item) => typeof item === 'string') : [];
}

function label({ metadata }: ApiObject): void {
  if (metadata.name) metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
}
