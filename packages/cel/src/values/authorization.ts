import type { CelValue } from './cel-value.ts';
import { noSuchOverload } from './evaluation-error.ts';
import type { CelEvaluationError } from './evaluation-error.ts';

/** What an expression asks an authorizer: about a path, or about a resource in any version. */
export type AccessQuestion = { readonly verb: string; readonly serviceAccount?: ServiceAccountName } & (
  | { readonly path: string }
  | CheckedResource
);

/** A ServiceAccount to ask for instead of the user of the request. */
export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

/** A resource that an expression names. Empty parts are not restricted. */
export interface CheckedResource {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The answer of an authorizer. */
export interface AccessAnswer {
  readonly allowed: boolean;
  readonly reason: string;
}

/** Decides what the user of a request, or a ServiceAccount, may do. */
export type Authorize = (question: AccessQuestion) => AccessAnswer;

/** A value that only has methods. */
abstract class AuthorizationValue {
  abstract readonly typeName: string;

  equals(_other: CelValue): CelEvaluationError {
    return noSuchOverload();
  }
}

/** The variable `authorizer`, which asks what the user of a request may do. */
export class Authorizer extends AuthorizationValue {
  readonly typeName = 'kubernetes.authorization.Authorizer';
  readonly #authorize: Authorize;
  readonly #serviceAccount: ServiceAccountName | undefined;

  constructor(authorize: Authorize, serviceAccount?: ServiceAccountName) {
    super();
    this.#authorize = authorize;
    this.#serviceAccount = serviceAccount;
  }

  forServiceAccount(serviceAccount: ServiceAccountName): Authorizer {
    return new Authorizer(this.#authorize, serviceAccount);
  }

  decide(question: { readonly verb: string } & ({ readonly path: string } | CheckedResource)): Decision {
    const serviceAccount = this.#serviceAccount;
    return new Decision(this.#authorize({ ...question, ...(serviceAccount && { serviceAccount }) }));
  }
}

/** `authorizer.path(p)`. */
export class PathCheck extends AuthorizationValue {
  readonly typeName = 'kubernetes.authorization.PathCheck';
  readonly authorizer: Authorizer;
  readonly path: string;

  constructor(authorizer: Authorizer, path: string) {
    super();
    this.authorizer = authorizer;
    this.path = path;
  }
}

/** `authorizer.group(g)`. */
export class GroupCheck extends AuthorizationValue {
  readonly typeName = 'kubernetes.authorization.GroupCheck';
  readonly authorizer: Authorizer;
  readonly group: string;

  constructor(authorizer: Authorizer, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }
}

/** `authorizer.group(g).resource(r)`, and the variable `authorizer.requestResource`. */
export class ResourceCheck extends AuthorizationValue {
  readonly typeName = 'kubernetes.authorization.ResourceCheck';
  readonly authorizer: Authorizer;
  readonly resource: CheckedResource;

  constructor(authorizer: Authorizer, resource: CheckedResource) {
    super();
    this.authorizer = authorizer;
    this.resource = resource;
  }

  with(part: Partial<CheckedResource>): ResourceCheck {
    return new ResourceCheck(this.authorizer, { ...this.resource, ...part });
  }
}

/** The result of `check(verb)`. */
export class Decision extends AuthorizationValue {
  readonly typeName = 'kubernetes.authorization.Decision';
  readonly allowed: boolean;
  readonly reason: string;

  constructor({ allowed, reason }: AccessAnswer) {
    super();
    this.allowed = allowed;
    this.reason = reason;
  }
}
