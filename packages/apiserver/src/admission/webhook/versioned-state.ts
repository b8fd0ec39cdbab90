import type { ApiObject } from '../../json/api-object.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { Resource } from '../../registry/resource.ts';
import { internalError } from '../../status/errors.ts';
import { StatusError } from '../../status/status-error.ts';
import { convertObject } from '../convert-object.ts';
import { type VersionedRequest, versionedRequest } from '../versioned-request.ts';

/**
 * A request while mutating webhooks change it, one after the other. The object stays in the version of the last one, with
 * what only that version has, until another version is needed.
 */
export class VersionedState {
  readonly #attributes: AdmissionAttributes;
  #request: VersionedRequest | undefined;
  #isChanged = false;

  constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes;
  }

  /** The request with the object in its current version. */
  get attributes(): AdmissionAttributes {
    return this.#request ? { ...this.#attributes, object: this.#request.object } : this.#attributes;
  }

  /**
   * Converts the request to the version of a resource.
   *
   * @throws {StatusError} 500 when a webhook has to convert the object and fails
   */
  async in(resource: Resource): Promise<VersionedRequest> {
    if (this.#request?.resource === resource) return this.#request;
    try {
      await this.settle();
      this.#request = await versionedRequest(this.#attributes, resource);
      return this.#request;
    } catch (error) {
      // A real server wraps the error twice.
      throw error instanceof StatusError ? internalError(internalError(error.message).message) : error;
    }
  }

  /** Replaces the object. @param request from {@link in} */
  change(request: VersionedRequest, object: ApiObject): void {
    this.#request = { ...request, object };
    this.#isChanged = true;
  }

  /**
   * Converts a changed object back to the version of the request.
   *
   * @throws {StatusError} 500 when a webhook has to convert it and fails
   */
  async settle(): Promise<void> {
    const { object, kind } = this.#request ?? {};
    if (!this.#isChanged || !object || !kind) return;
    const wanted = this.#attributes.kind;
    this.#attributes.object = kind === wanted ? object : await convertObject(object, kind, wanted);
    this.#isChanged = false;
  }
}
