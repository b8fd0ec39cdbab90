import type { ServicePort, ServiceSpec } from 'ots-kubernetes/core/v1';
import { dnsLabel, qualifiedName } from 'ots-apimachinery/names';
import { type FieldError, duplicate, forbidden, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { requireChoice } from '../../validation/validate-choice.ts';
import { validatePort } from '../../validation/port-rules.ts';
import { protocols } from '../protocols.ts';

/** Validates the ports of a Service. */
export function validateServicePorts({ ports = [], type }: ServiceSpec): FieldError[] {
  const before = (index: number) => ports.slice(0, index);
  return ports.flatMap((port, index) => {
    const field = `spec.ports[${index}]`;
    const { name, nodePort, protocol, port: number } = port;
    const sameProtocol = before(index).filter((other) => other.protocol === protocol);
    return [
      ...(!name && ports.length > 1 ? [required(`${field}.name`)] : []),
      ...(name ? errorsOfRule(`${field}.name`, name, dnsLabel) : []),
      ...(name && before(index).some((other) => other.name === name)
        ? [duplicate(`${field}.name`, name)]
        : []),
      ...validateServicePort(port, field),
      ...(type === 'ClusterIP' && nodePort
        ? [forbidden(`${field}.nodePort`, "may not be used when `type` is 'ClusterIP'")]
        : []),
      ...(nodePort && sameProtocol.some((other) => other.nodePort === nodePort)
        ? [duplicate(`${field}.nodePort`, nodePort)]
        : []),
      ...(sameProtocol.some((other) => other.port === number) ? [duplicate(field, internalPort(port))] : []),
    ];
  });
}

function validateServicePort({ port, protocol, targetPort = 0, appProtocol }: ServicePort, field: string) {
  return [
    ...validatePort(port, `${field}.port`),
    ...requireChoice(`${field}.protocol`, protocol, protocols),
    ...validatePort(targetPort, `${field}.targetPort`),
    ...(appProtocol === undefined ? [] : errorsOfRule(`${field}.appProtocol`, appProtocol, qualifiedName)),
  ];
}

/** A port in Go's internal notation. */
function internalPort({ protocol, port }: ServicePort): object {
  return { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
}
