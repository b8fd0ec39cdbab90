import { goQuote } from 'ots-apimachinery/go/go-quote';
import { nodeOf } from '../../authorization/node-authorizer.ts';
import type { OwnMachinery } from '../../registry/machinery.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { forbid } from '../forbid.ts';
import { faultOfClaim, faultOfPod } from './restrict-pods.ts';
import { faultOfNode } from './restrict-nodes.ts';
import { faultOfOwned, faultOfSigningRequest } from './restrict-owned.ts';
import { faultOfTokenRequest } from './restrict-tokens.ts';

/**
 * What is wrong with a request of a node, or undefined.
 *
 * @throws {StatusError} 404 when an object that the request is about does not exist
 */
type Restriction = (
  machinery: OwnMachinery,
  node: string,
  attributes: AdmissionAttributes,
) => string | undefined;

const restrictions: ReadonlyMap<string, Restriction> = new Map([
  ['pods', faultOfPod],
  ['nodes', faultOfNode],
  ['persistentvolumeclaims', faultOfClaim],
  ['serviceaccounts', faultOfTokenRequest],
  ['leases.coordination.k8s.io', faultOfOwned],
  ['csinodes.storage.k8s.io', faultOfOwned],
  ['resourceslices.resource.k8s.io', faultOfOwned],
  ['certificatesigningrequests.certificates.k8s.io', faultOfSigningRequest],
]);

/** NodeRestriction: nodes write only about themselves and the pods that are bound to them. */
export class NodeRestriction implements AdmissionPlugin {
  readonly name = 'NodeRestriction';
  readonly #machinery: OwnMachinery;

  constructor(machinery: OwnMachinery) {
    this.#machinery = machinery;
  }

  handles({ user }: AdmissionAttributes): boolean {
    return nodeOf(user) !== undefined;
  }

  /** @throws {StatusError} 403 when the request is about another node; 404 for an object that does not exist */
  mutate(attributes: AdmissionAttributes): undefined {
    const { user, target } = attributes;
    const node = nodeOf(user) ?? '';
    if (node === '') throw forbid(attributes, `could not determine node from user ${goQuote(user.name)}`);
    const { group, plural } = target.resource;
    const fault = restrictions.get(group === '' ? plural : `${plural}.${group}`)?.(
      this.#machinery,
      node,
      attributes,
    );
    if (fault !== undefined) throw forbid(attributes, fault);
  }
}
