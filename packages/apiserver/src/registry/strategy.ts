import type { ApiObject } from '../json/api-object.ts';
import { StrictErrors } from '../decoding/strict-errors.ts';
import { jsonEqual } from '../json/json-equal.ts';
import type { FieldError } from '../status/field-error.ts';
import type { DeleteOptions } from './delete-options.ts';
import type { DefaultPropagation } from './deletion-finalizers.ts';
import { nextGeneration } from './next-generation.ts';
import { type NameRule, subdomain } from './name-rules.ts';
import { maxDepth } from '../json/stack-depth.ts';

/** What a strategy is told of its resource. */
export interface StrategyTraits {
  /** Whether `status` is written on its own endpoint only. */
  hasStatus: boolean;
  nameRule?: NameRule;
  /** Whether an update may leave `metadata.resourceVersion` out. Default true. */
  allowsUnconditionalUpdate?: boolean;
  /** Whether an update makes an object that is missing. Default false. */
  allowsCreateOnUpdate?: boolean;
  /** Whether a deletion answers the object instead of a Status. Default false. */
  answersDeletedObject?: boolean;
  /** Whether `metadata.generation` counts the changes of what is asked for. Default false. */
  countsGenerations?: boolean;
  /** What becomes of dependents when a deletion does not say. Default `delete`. */
  defaultPropagation?: DefaultPropagation;
}

/** Rules of an endpoint below a resource that updates the object itself, such as `ephemeralcontainers` of a Pod. */
export interface UpdateRules {
  /** Keeps what the endpoint may not change. May change the object. */
  prepare(object: ApiObject, old: ApiObject): void;
  validate(object: ApiObject, old: ApiObject): FieldError[];
}

/**
 * What is particular to a resource on the way in and out of storage. This base holds objects as they are sent: it neither
 * knows nor checks the fields of a built-in kind beyond its metadata.
 */
export class Strategy {
  readonly hasStatus: boolean;
  readonly nameRule: NameRule;
  readonly allowsUnconditionalUpdate: boolean;
  readonly allowsCreateOnUpdate: boolean;
  readonly answersDeletedObject: boolean;
  readonly defaultPropagation: DefaultPropagation;
  /** Whether objects are stored in another version, whose fields differ. */
  readonly isConverted: boolean = false;
  /** Whether the first deletion of an object only begins what a controller goes on with: see {@link terminating}. */
  readonly terminatesInSteps: boolean = false;
  /** Whether {@link decode} reads the metadata, too: in Go those of a built-in kind are fields like others. */
  readonly decodesMetadata: boolean = false;
  /** How deep objects may be nested. */
  readonly maxDepth: number = maxDepth;
  /** The rules of such endpoints beside `status` and `finalize`, by name. */
  readonly updateRules: ReadonlyMap<string, UpdateRules> = new Map();
  readonly #countsGenerations: boolean;

  constructor(traits: StrategyTraits) {
    this.hasStatus = traits.hasStatus;
    this.nameRule = traits.nameRule ?? subdomain;
    this.allowsUnconditionalUpdate = traits.allowsUnconditionalUpdate ?? true;
    this.allowsCreateOnUpdate = traits.allowsCreateOnUpdate ?? false;
    this.answersDeletedObject = traits.answersDeletedObject ?? false;
    this.defaultPropagation = traits.defaultPropagation ?? 'delete';
    this.#countsGenerations = traits.countsGenerations ?? false;
  }

  /**
   * Makes a decoded body what this version of the resource holds. `strict` is told of fields that it drops.
   *
   * @throws {DecodeError} when a field has a type that cannot be read
   */
  decode(object: ApiObject, _strict: StrictErrors): ApiObject {
    return object;
  }

  /**
   * Makes what the server merged of an applied configuration what this version of the resource holds.
   *
   * @throws {DecodeError} when a field has a type that cannot be read
   */
  complete(object: ApiObject): ApiObject {
    return this.decode(object, new StrictErrors());
  }

  /** From the version of this strategy to the stored one. */
  toStorage(object: ApiObject): ApiObject {
    return object;
  }

  /** From the stored version to that of this strategy. */
  fromStorage(object: ApiObject): ApiObject {
    return object;
  }

  /** Sets what the server decides about a new object. May change the object. */
  prepareForCreate(object: ApiObject): void {
    if (this.hasStatus) delete object['status'];
    if (this.#countsGenerations) object.metadata.generation = 1;
  }

  /** Keeps what an update of the main endpoint may not change. May change the object. */
  prepareForUpdate(object: ApiObject, old: ApiObject): void {
    if (this.hasStatus) copyField('status', old, object);
    if (!this.#countsGenerations) return;
    const { generation = 0 } = old.metadata;
    object.metadata.generation = this.#wantsTheSame(object, old) ? generation : nextGeneration(generation);
  }

  /** Keeps what an update of `/status` may not change: all but the status. May change the object. */
  prepareForStatusUpdate(object: ApiObject, old: ApiObject): void {
    for (const field of Object.keys(object))
      if (field !== 'status' && field !== 'metadata') delete object[field];
    for (const field of Object.keys(old))
      if (field !== 'status' && field !== 'metadata') copyField(field, old, object);
  }

  /** Keeps what an update of `/finalize` may not change: all but `spec.finalizers` and the metadata. May change the object. */
  prepareForFinalize(object: ApiObject, old: ApiObject): void {
    copyField('status', old, object);
  }

  validate(_object: ApiObject): FieldError[] {
    return [];
  }

  /** @param _warnings takes what is wrong but was so before, and is let pass */
  validateUpdate(object: ApiObject, _old: ApiObject, _warnings: string[] = []): FieldError[] {
    return this.validate(object);
  }

  /**
   * @param old the object before, of which all but the status was kept
   * @param warnings as those of an update
   */
  validateStatusUpdate(object: ApiObject, old: ApiObject, warnings: string[] = []): FieldError[] {
    return this.validateUpdate(object, old, warnings);
  }

  /**
   * What the writer of a valid object is told beside the answer.
   *
   * @param _old none for a new object
   */
  warningsFor(_object: ApiObject, _old: ApiObject | undefined): string[] {
    return [];
  }

  /** What whoever asks for a deletion is told beside the answer, also where there is nothing to delete. */
  warningsForDeletion(_options: DeleteOptions): string[] {
    return [];
  }

  /** Loads what a write with this body needs and a server has not from its start. */
  loadFor?(body: Buffer): Promise<void>;

  /** Whether something beside `metadata.finalizers` holds back the removal of an object that is being deleted. */
  isHeldBack(_object: ApiObject): boolean {
    return false;
  }

  /** What the first deletion makes of an object that goes in steps; none when finalizers and grace alone decide. */
  terminating(_object: ApiObject, _options: DeleteOptions, _now: string): ApiObject | undefined {
    return undefined;
  }

  /**
   * How many seconds an object has from the request for its deletion to its end; none for kinds that end at once.
   *
   * @param asked by the request
   */
  gracePeriodOf(_object: ApiObject, _asked: number | undefined): number | undefined {
    return undefined;
  }

  /** Whether two states ask for the same, so that the generation stays: all but metadata and status is alike. */
  #wantsTheSame(object: ApiObject, old: ApiObject): boolean {
    const ignored = this.hasStatus ? new Set(['metadata', 'status']) : new Set(['metadata']);
    const fields = new Set([...Object.keys(object), ...Object.keys(old)]);
    return [...fields].every((field) => ignored.has(field) || jsonEqual(object[field], old[field]));
  }
}

/** Makes a field of one object what it is in another, also when it is absent there. */
function copyField(field: string, from: ApiObject, to: ApiObject): void {
  if (from[field] === undefined) delete to[field];
  else to[field] = from[field];
}
