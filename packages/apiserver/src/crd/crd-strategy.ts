import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { CustomResourceDefinitionSpec } from 'ots-kubernetes/apiextensions/v1';
import type { ApiObject } from '../json/api-object.ts';
import { jsonEqual } from '../json/json-equal.ts';
import type { DeleteOptions } from '../registry/delete-options.ts';
import { BuiltInStrategy } from '../registry/built-in-strategy.ts';
import type { FieldError } from '../status/field-error.ts';
import { asCrd, storageVersion } from './crd-types.ts';
import { loadCelFor } from './rules/cel.ts';
import { unknownFormats } from './unknown-formats.ts';
import { validateCrd, validateCrdUpdate } from './validate-crd.ts';

/** Keeps a definition until none of its objects is left. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

const deletionPending = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
};

/** CustomResourceDefinitions: fills in names, validates schemas, protects `status`. */
export class CrdStrategy extends BuiltInStrategy {
  override readonly terminatesInSteps = true;
  /** The code that reads schemas recurses for each level. A real server accepts definitions as deep as any body. */
  override readonly maxDepth = 1000;

  constructor() {
    super({
      group: 'apiextensions.k8s.io',
      version: 'v1',
      kind: 'CustomResourceDefinition',
      hasStatus: true,
      allowsUnconditionalUpdate: false,
      countsGenerations: true,
    });
  }

  override setDefaults(object: ApiObject): void {
    setCrdDefaults(asCrd(object).spec);
  }

  override prepareForCreate(object: ApiObject): void {
    super.prepareForCreate(object);
    const stored = storageVersion(asCrd(object))?.name;
    object['status'] = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: stored === undefined ? null : [stored],
    };
  }

  override prepareForUpdate(object: ApiObject, old: ApiObject): void {
    super.prepareForUpdate(object, old);
    const { status } = asCrd(old);
    const stored = storageVersion(asCrd(object))?.name;
    if (!status || stored === undefined || status.storedVersions?.includes(stored)) return;
    object['status'] = { ...status, storedVersions: [...(status.storedVersions ?? []), stored] };
  }

  override terminating(object: ApiObject, _options: DeleteOptions, now: string): ApiObject {
    const { finalizers = [], ...metadata } = object.metadata;
    const { status } = asCrd(object);
    const conditions = (status?.conditions ?? []).filter(({ type }) => type !== 'Terminating');
    return {
      ...object,
      metadata: {
        ...metadata,
        finalizers: finalizers.includes(cleanupFinalizer) ? finalizers : [...finalizers, cleanupFinalizer],
        deletionTimestamp: now,
      },
      status: { ...status, conditions: [...conditions, { ...deletionPending, lastTransitionTime: now }] },
    };
  }

  override loadFor(body: Buffer): Promise<void> {
    return loadCelFor(body, 'x-kubernetes-validations');
  }

  override warningsFor(object: ApiObject, old: ApiObject | undefined): string[] {
    const before = old ? unknownFormats(asCrd(old)) : [];
    return unknownFormats(asCrd(object))
      .filter((format) => !before.includes(format))
      .map((format) => `unrecognized format ${goQuote(format)}`);
  }

  override validate(object: ApiObject): FieldError[] {
    return validateCrd(asCrd(object));
  }

  override validateStatusUpdate(object: ApiObject, old: ApiObject): FieldError[] {
    return this.validateUpdate(object, old);
  }

  override validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
    // What was accepted once stays valid, so the status can always be written.
    return jsonEqual(object['spec'], old['spec']) ? [] : validateCrdUpdate(asCrd(object), asCrd(old));
  }
}

/** Sets what a server sets in the specification of a definition that lacks it. Changes it. */
export function setCrdDefaults(spec: CustomResourceDefinitionSpec): void {
  const { names } = spec;
  if (names.kind !== '') {
    names.singular ??= names.kind.toLowerCase();
    names.listKind ??= `${names.kind}List`;
  }
  spec.versions ??= [];
  spec.conversion ??= { strategy: 'None' };
  const { clientConfig, conversionReviewVersions } = spec.conversion.webhook ?? {};
  if (!clientConfig && !conversionReviewVersions?.length) delete spec.conversion.webhook;
  if (clientConfig?.service) clientConfig.service.port ??= 443;
}
