import type { CSINode, CSINodeDriver } from 'ots-kubernetes/storage/v1';
import { qualifiedName } from 'ots-apimachinery/names';
import { type FieldError, duplicate, invalid, required } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { validateImmutable } from '../../validation/validate-immutable.ts';
import { validateDriverName } from './validate-driver-name.ts';

const maxNodeIdBytes = 256;

/** CSINodes: the drivers on a node. Of an existing driver only the volume limit can change. */
export class CsiNodeStrategy extends BuiltInStrategy {
  override validate({ spec }: BuiltInObject<CSINode>): FieldError[] {
    const drivers = spec.drivers ?? [];
    const names = drivers.map(({ name }) => name);
    return drivers.flatMap((driver, index) => {
      const path = `spec.drivers[${index}]`;
      return [
        ...validateDriver(driver, path),
        ...(names.indexOf(driver.name) < index ? [duplicate(`${path}.name`, driver.name)] : []),
      ];
    });
  }

  override validateUpdate(object: BuiltInObject<CSINode>, old: BuiltInObject<CSINode>): FieldError[] {
    return [
      ...this.validate(object),
      ...(old.spec.drivers ?? []).flatMap((before) =>
        (object.spec.drivers ?? [])
          .filter(({ name }) => name === before.name)
          .flatMap((driver) => validateImmutable('spec.drivers', fixed(driver), fixed(before))),
      ),
    ];
  }
}

/** The immutable part of a driver, as messages show it. */
function fixed({ name, nodeID, topologyKeys }: CSINodeDriver): object {
  return { Name: name, NodeID: nodeID, TopologyKeys: topologyKeys ?? null, Allocatable: null };
}

function validateDriver(driver: CSINodeDriver, path: string): FieldError[] {
  const { name, nodeID, allocatable } = driver;
  const topologyKeys = driver.topologyKeys ?? [];
  const count = allocatable?.count ?? 0;
  return [
    ...validateDriverName(name, `${path}.name`),
    ...(nodeID === '' ? [required(`${path}.nodeID`)] : []),
    ...(Buffer.byteLength(nodeID) > maxNodeIdBytes
      ? [invalid(`${path}.nodeID`, nodeID, `must be ${maxNodeIdBytes} characters or less`)]
      : []),
    ...(count < 0 ? [invalid(`${path}.allocatable.count`, count, 'must be greater than or equal to 0')] : []),
    ...topologyKeys.flatMap((key, index) => [
      ...(key === '' ? [required(path)] : []),
      ...(topologyKeys.indexOf(key) < index ? [duplicate(path, key)] : []),
      ...errorsOfRule(path, key, qualifiedName),
    ]),
  ];
}
