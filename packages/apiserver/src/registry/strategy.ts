import { type NameRule, subdomain } from 'ots-apimachinery/names';
import type { UserInfo } from '../authentication/user-info.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { ApiObject } from '../json/api-object.ts';
import { StrictErrors } from '../decoding/strict-errors.ts';
import { jsonEqual } from '../json/json-equal.ts';
import type { FieldError } from '../status/field-error.ts';
import type { DeleteOptions } from './delete-options.ts';
import type { DefaultPropagation } from './propagation-finalizers.ts';
import { nextGeneration } from '../metadata/next-generation.ts';
import type { SlowConversion } from './slow-conversion.ts';
import type { Target } from './target.ts';
import { maxDepth } from '../json/depth.ts';

/** What a strategy needs to know of its resource. */
export interface StrategyTraits {
  /** Whether clients write `status` only at its own endpoint. */
  hasStatus: boolean;
  nameRule?: NameRule;
  /** Whether an update may omit `metadata.resourceVersion`. Default true. */
  allowsUnconditionalUpdate?: boolean;
  /** Whether an update creates a missing object. Default false. */
  allowsCreateOnUpdate?: boolean;
  /** Whether a deletion returns the object instead of a Status. Default false. */
  returnsDeletedObject?: boolean;
  /** Whether `metadata.generation` counts changes of the desired state. Default false. */
  countsGenerations?: boolean;
  /** What happens to dependents when a deletion does not say. Default `delete`. */
  defaultPropagation?: DefaultPropagation;
}

/** Who writes an object, and where. */
export interface Writer {
  readonly user: UserInfo;
  readonly authorizer: Authorizer;
  readonly target: Target;
}

/** The rules of a subresource that updates the object itself, such as `ephemeralcontainers` of a Pod. */
export interface UpdateRules {
  /** Restores the fields that the endpoint must not change. May change the object. */
  prepare(object: ApiObject, old: ApiObject): void;
  validate(object: ApiObject, old: ApiObject): FieldError[];
}

/**
 * What is specific to a resource on the way in and out of storage. This base class stores objects unchanged: it
 * neither knows nor validates the fields of a built-in kind beyond its metadata.
 */
export class Strategy {
  readonly hasStatus: boolean;
  readonly nameRule: NameRule;
  readonly allowsUnconditionalUpdate: boolean;
  readonly allowsCreateOnUpdate: boolean;
  readonly returnsDeletedObject: boolean;
  readonly defaultPropagation: DefaultPropagation;
  /** Whether the storage version has other fields. */
  readonly isConverted: boolean = false;
  /** Set where a webhook converts between versions: then {@link toStorage} and {@link fromStorage} work only within a version. */
  readonly slowConversion: SlowConversion | undefined = undefined;
  /** Whether the first deletion only starts a process that a controller completes: see {@link terminating}. */
  readonly terminatesInSteps: boolean = false;
  /** Whether {@link decode} also decodes the metadata, which in Go is a field of a built-in kind like any other. */
  readonly decodesMetadata: boolean = false;
  /** The maximum nesting depth of objects. */
  readonly maxDepth: number = maxDepth;
  /** The rules of subresources other than `status` and `finalize`, by name. */
  readonly updateRules: ReadonlyMap<string, UpdateRules> = new Map();
  readonly #countsGenerations: boolean;

  constructor(traits: StrategyTraits) {
    this.hasStatus = traits.hasStatus;
    this.nameRule = traits.nameRule ?? subdomain;
    this.allowsUnconditionalUpdate = traits.allowsUnconditionalUpdate ?? true;
    this.allowsCreateOnUpdate = traits.allowsCreateOnUpdate ?? false;
    this.returnsDeletedObject = traits.returnsDeletedObject ?? false;
    this.defaultPropagation = traits.defaultPropagation ?? 'delete';
    this.#countsGenerations = traits.countsGenerations ?? false;
  }

  /**
   * Turns a decoded body into an object of this version. `strict` receives the fields that it drops.
   *
   * @throws {DecodeError} when a field has a type that cannot be read
   */
  decode(object: ApiObject, _strict: StrictErrors): ApiObject {
    return object;
  }

  /**
   * Turns the result of an apply into an object of this version.
   *
   * @throws {DecodeError} when a field has a type that cannot be read
   */
  complete(object: ApiObject): ApiObject {
    return this.decode(object, new StrictErrors());
  }

  /** Sets the defaults that decoding does not set field by field. May change the object. */
  setDefaults(_object: ApiObject): void {}

  /** Converts from this version to the storage version. */
  toStorage(object: ApiObject): ApiObject {
    return object;
  }

  /** Converts from the storage version to this version. */
  fromStorage(object: ApiObject): ApiObject {
    return object;
  }

  /**
   * Refuses an object that its writer may not write because of what it contains.
   *
   * @param _old undefined for a new object
   * @throws {StatusError} 403
   */
  checkWriter(_object: ApiObject, _old: ApiObject | undefined, _writer: Writer): void {}

  /** Records who creates an object, in kinds with fields for it. May change the object. */
  recordCreator(_object: ApiObject, _user: UserInfo): void {}

  /** Sets the fields of a new object that the server decides. May change the object. */
  prepareForCreate(object: ApiObject): void {
    if (this.hasStatus) delete object['status'];
    if (this.#countsGenerations) object.metadata.generation = 1;
  }

  /** Restores the fields that an update of the main endpoint must not change. May change the object. */
  prepareForUpdate(object: ApiObject, old: ApiObject): void {
    if (this.hasStatus) copyField('status', old, object);
    if (!this.#countsGenerations) return;
    const { generation = 0 } = old.metadata;
    object.metadata.generation = this.#hasSameSpec(object, old) ? generation : nextGeneration(generation);
  }

  /** Restores the fields that an update of `/status` must not change: everything but the status. May change the object. */
  prepareForStatusUpdate(object: ApiObject, old: ApiObject): void {
    for (const field of Object.keys(object))
      if (field !== 'status' && field !== 'metadata') delete object[field];
    for (const field of Object.keys(old))
      if (field !== 'status' && field !== 'metadata') copyField(field, old, object);
  }

  /**
   * Restores the fields that an update of `/finalize` must not change: everything but `spec.finalizers` and the
   * metadata. May change the object.
   */
  prepareForFinalize(object: ApiObject, old: ApiObject): void {
    copyField('status', old, object);
  }

  validate(_object: ApiObject): FieldError[] {
    return [];
  }

  /** @param _warnings receives problems that existed before and are therefore tolerated */
  validateUpdate(object: ApiObject, _old: ApiObject, _warnings: string[] = []): FieldError[] {
    return this.validate(object);
  }

  /**
   * @param old the object before the update; everything but the status is kept from it
   * @param warnings as in an update
   */
  validateStatusUpdate(object: ApiObject, old: ApiObject, warnings: string[] = []): FieldError[] {
    return this.validateUpdate(object, old, warnings);
  }

  /**
   * Warnings for the writer of a valid object.
   *
   * @param _old undefined for a new object
   */
  warningsFor(_object: ApiObject, _old: ApiObject | undefined): string[] {
    return [];
  }

  /** Warnings for a client that requests a deletion, even if there is nothing to delete. */
  warningsForDeletion(_options: DeleteOptions): string[] {
    return [];
  }

  /** Loads modules that a write with this body needs and that a server does not load at start. */
  loadFor?(body: Buffer): Promise<void>;

  /** Whether something besides `metadata.finalizers` delays the removal of an object that is being deleted. */
  isRemovalDelayed(_object: ApiObject): boolean {
    return false;
  }

  /**
   * The object after the first deletion request, for kinds deleted in steps; undefined when only finalizers and
   * the grace period matter.
   */
  terminating(_object: ApiObject, _options: DeleteOptions, _now: string): ApiObject | undefined {
    return undefined;
  }

  /**
   * The grace period of an object in seconds; undefined for kinds that end at once.
   *
   * @param asked the period in the request
   */
  gracePeriodOf(_object: ApiObject, _asked: number | undefined): number | undefined {
    return undefined;
  }

  /** Whether two objects have the same desired state, so the generation stays: everything but metadata and status. */
  #hasSameSpec(object: ApiObject, old: ApiObject): boolean {
    const ignored = this.hasStatus ? new Set(['metadata', 'status']) : new Set(['metadata']);
    const fields = new Set([...Object.keys(object), ...Object.keys(old)]);
    return [...fields].every((field) => ignored.has(field) || jsonEqual(object[field], old[field]));
  }
}

/** Copies a field from one object to another, or removes it if the source lacks it. */
function copyField(field: string, from: ApiObject, to: ApiObject): void {
  if (from[field] === undefined) delete to[field];
  else to[field] = from[field];
}
