import type { Clock } from 'ots-apimachinery/clock/clock';
import { AuditAnnotations } from '../audit/audit-annotations.ts';
import type { ResourceAttributes } from '../authorization/attributes.ts';
import { requestAttributes } from '../authorization/request-attributes.ts';
import type { ApiRequest } from './api-request.ts';

/** A request as RBAC sees it, and how it ended. Texts are empty where they do not apply. */
export interface RecordedRequest {
  /** Such as `get`, `list`, `watch` or `deletecollection`; the HTTP method in lower case for a path outside of resources. */
  readonly verb: string;
  readonly group: string;
  /** The plural, such as `deployments`. */
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  /** Empty for collections, and for what is created. */
  readonly name: string;
  /** The path of a request that is not about a resource, such as `/version`. */
  readonly path: string;
  /** Empty if the server does not know who sent it. */
  readonly user: string;
  /** The HTTP status; 0 if a fault broke the connection before the server handled the request. */
  readonly code: number;
  /** From the request until the response began. */
  readonly milliseconds: number;
  /** Whether the query asks for a dry run. */
  readonly dryRun: boolean;
  /**
   * The audit annotations, as kube-apiserver logs them at the level `Metadata`: what the authorizer decided, which webhooks
   * changed the object, what webhooks, policies and Pod Security say about it, and whether the version is deprecated.
   */
  readonly annotations: Readonly<Record<string, string>>;
}

/** Receives every request when its response begins. It must not throw. */
export type RequestObserver = (request: RecordedRequest) => void;

/** A request that an observer wants to know about. */
export class ObservedRequest {
  /** Undefined for a path that cannot be decoded. */
  request: ApiRequest | undefined;
  readonly annotations = new AuditAnnotations();
  readonly #observer: RequestObserver;
  readonly #clock: Clock;
  readonly #startedAt: number;

  constructor(observer: RequestObserver, clock: Clock) {
    this.#observer = observer;
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /** Tells the observer how the request ends. A path that cannot be decoded asks for nothing. */
  end(code: number): void {
    const milliseconds = this.#clock.now() - this.#startedAt;
    const { request } = this;
    if (!request) return;
    const { user, verb, ...asked } = requestAttributes(request.user, request);
    this.#observer({
      verb,
      ...('path' in asked ? { ...noResource, path: asked.path } : { ...resourceOf(asked), path: '' }),
      user: user.name,
      code,
      milliseconds,
      dryRun: request.query.getAll('dryRun').includes('All'),
      annotations: this.annotations.all(),
    });
  }
}

const noResource = { group: '', resource: '', subresource: '', namespace: '', name: '' };

function resourceOf({
  group,
  resource,
  subresource,
  namespace,
  name,
}: Omit<ResourceAttributes, 'user' | 'verb'>): typeof noResource {
  return { group, resource, subresource, namespace, name };
}
