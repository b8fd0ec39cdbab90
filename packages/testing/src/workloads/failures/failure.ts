import type { Duration } from 'ots-kubernetes';
import { type LabelSelector, toMilliseconds } from 'ots-runtime';
import { TestEnvironmentError } from '../../errors/test-environment-error.ts';

/** Which claims fail: those for which all of this is true. Default: all. */
export interface FailingClaims {
  /** Of the pod or claim. Default: all. */
  readonly name?: string;
  /** Default: all. */
  readonly namespace?: string;
  /** A label selector of pods or claims, as an object or as after `kubectl --selector`. Default: all. */
  readonly labels?: LabelSelector | string;
}

/** Which pods or containers fail: those for which all of this is true. Default: all on simulated nodes. */
export interface FailingPods extends FailingClaims {
  /** The name of a node. Default: all. */
  readonly node?: string;
  /** A pattern of the images of containers, as in {@link Images}. Default: all. It does not select pods that are evicted. */
  readonly image?: string;
}

/** What happens to these pods or containers: one of these. */
export type PodFailure =
  /** The image cannot be pulled when a container starts: ErrImagePull and ImagePullBackOff. The text is what the registry says. */
  | { readonly imagePull: string }
  /**
   * Containers crash after a time: since they started, or since the failure was added if that is later. A duration, or milliseconds.
   * The exit code is 1 by default, and the reason in the status `Error`; `OOMKilled` has 137.
   */
  | { readonly crashAfter: Duration | number; readonly exitCode?: number; readonly reason?: string }
  /** Applications become ready not before a time after their start. A duration, or milliseconds. */
  | { readonly readyAfter: Duration | number }
  /** The kubelet evicts the pods: their phase becomes Failed with the reason Evicted and this message. */
  | { readonly evict: string };

/** What happens to these claims. */
export interface ClaimFailure {
  /**
   * Volumes of the simulated provisioner cannot be created: the claims stay Pending, and so do the pods that use them. The text is what
   * the storage says, in the event ProvisioningFailed. Claims that are bound stay bound.
   */
  readonly provisioning: string;
}

const kinds = ['imagePull', 'crashAfter', 'readyAfter', 'evict', 'provisioning'] as const;

/** The field that tells a failure from the others. */
export type FailureKind = (typeof kinds)[number];

/**
 * Checks what a test has passed.
 *
 * @throws {TestEnvironmentError} for what is not a failure, or for claims with a node or an image; {UsageError} (of ots-runtime) for
 *   what is not a duration
 */
export function checkFailure(selection: FailingClaims, failure: PodFailure | ClaimFailure): void {
  const given = kinds.filter((kind) => kind in failure);
  if ('crashAfter' in failure) toMilliseconds(failure.crashAfter);
  if ('readyAfter' in failure) toMilliseconds(failure.readyAfter);
  const isRight =
    given.length === 1 &&
    (!('imagePull' in failure) || typeof failure.imagePull === 'string') &&
    (!('evict' in failure) || typeof failure.evict === 'string') &&
    (!('provisioning' in failure) || typeof failure.provisioning === 'string');
  if (!isRight)
    throw new TestEnvironmentError(
      `${JSON.stringify(failure)} is not a failure`,
      `Use one of ${kinds.join(', ')}, such as { crashAfter: '5s' } or { evict: 'The node was low on resource: memory.' }.`,
    );
  if ('provisioning' in failure && ('node' in selection || 'image' in selection))
    throw new TestEnvironmentError(
      'A claim has no node and no image',
      'Select claims by name, namespace and labels.',
    );
}
