import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { TokenRequest } from 'ots-kubernetes/authentication/v1';
import type { Pod, Volume } from 'ots-kubernetes/core/v1';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { OwnMachinery } from '../../registry/machinery.ts';
import { StatusError } from '../../status/status-error.ts';
import { findObject } from './find-object.ts';

/** A node may request tokens that are bound to its pods, for the audiences that their volumes name. */
export function faultOfTokenRequest(
  machinery: OwnMachinery,
  node: string,
  attributes: AdmissionAttributes,
): string | undefined {
  const { operation, target, object } = attributes;
  if (operation !== 'CREATE' || target.subresource !== 'token') return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields
  const { spec } = object as unknown as Partial<TokenRequest>;
  const { apiVersion, kind, name = '', uid = '' } = spec?.boundObjectRef ?? {};
  if (apiVersion !== 'v1' || kind !== 'Pod' || name === '') return 'node requested token not bound to a pod';
  if (uid === '') return 'node requested token with a pod binding without a uid';
  const pod = findObject(machinery, 'pods', target.namespace, name);
  if (uid !== pod.metadata?.uid)
    return `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  if (pod.spec?.nodeName !== node) return 'node requested token bound to a pod scheduled on a different node';
  const [audience = '', ...others] = spec?.audiences ?? [];
  if (others.length > 0) return 'node may only request 0 or 1 audiences';
  return faultOfAudience(machinery, pod, audience, attributes);
}

function faultOfAudience(
  machinery: OwnMachinery,
  pod: Pod,
  audience: string,
  { user, target }: AdmissionAttributes,
): string | undefined {
  const problems: string[] = [];
  for (const volume of pod.spec?.volumes ?? []) {
    try {
      if (audiencesOf(machinery, target.namespace, pod, volume).includes(audience)) return undefined;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      problems.push(error.message);
    }
  }
  const quoted = goQuote(audience);
  if (problems.length > 0) {
    const list = problems.length === 1 ? problems.join('') : `[${[...new Set(problems)].join(', ')}]`;
    return `error validating audience ${quoted}: ${list}`;
  }
  const { namespace, name } = target;
  const verb = 'request-serviceaccounts-token-audience';
  const access = {
    user,
    verb,
    group: '',
    version: 'v1',
    resource: audience,
    subresource: '',
    namespace,
    name,
  };
  if (machinery.authorizer.authorize(access).allowed) return undefined;
  return `audience ${quoted} not found in pod spec volume, ${user.name} is not authorized to request tokens for this audience`;
}

/** The audiences of the tokens that a volume needs. */
function audiencesOf(machinery: OwnMachinery, namespace: string, pod: Pod, volume: Volume): string[] {
  const sources = volume.projected?.sources ?? [];
  const projected = sources.flatMap(({ serviceAccountToken }) =>
    serviceAccountToken ? [serviceAccountToken.audience ?? ''] : [],
  );
  const driver = driverOf(machinery, namespace, pod, volume);
  if (driver === undefined) return projected;
  const { spec } = findObject(machinery, 'csidrivers', '', driver);
  return [...projected, ...(spec.tokenRequests ?? []).map((request) => request.audience)];
}

/** The CSI driver of a volume, perhaps by its claim. */
function driverOf(
  machinery: OwnMachinery,
  namespace: string,
  pod: Pod,
  { name, csi, persistentVolumeClaim, ephemeral }: Volume,
): string | undefined {
  const claimName = ephemeral ? `${pod.metadata?.name}-${name}` : persistentVolumeClaim?.claimName;
  if (claimName === undefined) return csi?.driver;
  const claim = findObject(machinery, 'persistentvolumeclaims', namespace, claimName);
  const volumeName = claim.spec?.volumeName ?? '';
  return findObject(machinery, 'persistentvolumes', '', volumeName).spec?.csi?.driver;
}
