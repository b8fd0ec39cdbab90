import type { Ingress, IngressLoadBalancerIngress } from 'ots-kubernetes/networking/v1';
import { subdomain } from 'ots-apimachinery/names';
import { appendAll } from '../../../json/append-all.ts';
import { type FieldError, invalid } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { parseIp } from '../../validation/ip-address.ts';
import { warningsForIp } from '../../validation/warnings-for-addresses.ts';
import { validateIp } from '../../validation/validate-ip.ts';
import { toleranceOf, validateIngressSpec } from './validate-ingress-spec.ts';

const classAnnotation = 'kubernetes.io/ingress.class';

/** Ingresses: which services answer for which hosts and paths. */
export class IngressStrategy extends BuiltInStrategy {
  override validate(ingress: BuiltInObject<Ingress>): FieldError[] {
    const { metadata, spec = {} } = ingress;
    const annotation = metadata.annotations?.[classAnnotation];
    const { ingressClassName } = spec;
    const isAmbiguous = ingressClassName !== undefined && annotation !== undefined;
    return [
      ...validateIngressSpec(spec, toleranceOf()),
      ...(isAmbiguous && annotation !== ingressClassName
        ? [
            invalid(
              `annotations.${classAnnotation}`,
              annotation,
              'must match `ingressClassName` when both are specified',
            ),
          ]
        : []),
    ];
  }

  override validateUpdate({ spec }: BuiltInObject<Ingress>, old: BuiltInObject<Ingress>): FieldError[] {
    return validateIngressSpec(spec ?? {}, toleranceOf(old.spec));
  }

  override warningsFor(
    { metadata, spec }: BuiltInObject<Ingress>,
    old: BuiltInObject<Ingress> | undefined,
  ): string[] {
    const isOldWay =
      metadata.annotations?.[classAnnotation] !== undefined && spec?.ingressClassName === undefined;
    return isOldWay && !old
      ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
      : [];
  }

  override validateStatusUpdate(
    { status }: BuiltInObject<Ingress>,
    old: BuiltInObject<Ingress>,
    warnings: string[] = [],
  ): FieldError[] {
    const known = (old.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
    const addresses = status?.loadBalancer?.ingress ?? [];
    const field = 'status.loadBalancer.ingress';
    const errors = addresses.flatMap((address, index) =>
      validateAddress(address, `${field}[${index}]`, known),
    );
    if (errors.length === 0)
      appendAll(
        warnings,
        addresses.flatMap(({ ip = '' }, index) => warningsForIp(`${field}[${index}]`, ip)),
      );
    return errors;
  }
}

function validateAddress(
  { ip = '', hostname = '' }: IngressLoadBalancerIngress,
  path: string,
  known: readonly string[],
): FieldError[] {
  return [
    ...(ip === '' ? [] : validateIp(ip, `${path}.ip`, known)),
    ...(hostname === '' ? [] : errorsOfRule(`${path}.hostname`, hostname, subdomain)),
    ...(parseIp(hostname)
      ? [invalid(`${path}.hostname`, hostname, 'must be a DNS name, not an IP address')]
      : []),
  ];
}
