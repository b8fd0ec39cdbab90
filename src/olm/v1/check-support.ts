import { type Refusal, supportedModes } from './check-bundle.ts';
import type { RegistryV1 } from './registry-v1.ts';
import type { RenderOptions } from './render-for-olm-v1.ts';

/** The install modes of which OLM v1 needs one. */
const installModes = ['AllNamespaces', 'SingleNamespace', 'OwnNamespace'];

/** What OLM v1 does not support, or not in a version. Source: the manifest provider for registry+v1 of operator-controller. */
export function checkSupport(
  { csv, file }: RegistryV1,
  options: Pick<RenderOptions, 'certificates' | 'singleOwnNamespace'>,
): Refusal[] {
  const { apiservicedefinitions, webhookdefinitions = [] } = csv.spec ?? {};
  const modes = supportedModes(csv);
  const [service] = apiservicedefinitions?.owned ?? [];
  return [
    ...(service
      ? [
          {
            rule: 'api-service' as const,
            subject: service.name ?? '',
            detail: 'spec.apiservicedefinitions.owned is not empty; OLM v1 does not install API services',
            file,
          },
        ]
      : []),
    ...(webhookdefinitions.length > 0 && options.certificates === 'none'
      ? [
          {
            rule: 'webhook' as const,
            subject: webhookdefinitions[0]!.generateName ?? '',
            detail:
              'spec.webhookdefinitions is not empty; without a certificate provider, OLM v1 installs no webhooks',
            file,
          },
        ]
      : []),
    ...(!options.singleOwnNamespace && !modes.has('AllNamespaces')
      ? [
          {
            rule: 'all-namespaces' as const,
            subject: '',
            detail: 'spec.installModes does not support AllNamespaces',
            file,
          },
        ]
      : []),
    ...(options.singleOwnNamespace && !installModes.some((mode) => modes.has(mode))
      ? [
          {
            rule: 'install-mode' as const,
            subject: '',
            detail: `spec.installModes supports none of ${installModes.join(', ')}`,
            file,
          },
        ]
      : []),
  ];
}
